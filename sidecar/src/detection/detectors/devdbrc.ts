import type { Detection, Detector, Pinned, Skipped } from '../detector.ts';
import { DEVDBRC, safeName, wrong } from '../devdbrc-problem.ts';
import { References } from '../devdbrc-references.ts';
import { MAX_DETECTED_DATABASES } from '../limits.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { at, type Located, type Reading } from '../readers/located.ts';
import { readYaml } from '../readers/yaml.ts';

const { file: FILE, name: NAME } = DEVDBRC;

/** The connections the user configured for DevDB, as JSON with comments or as YAML. */
export const devdbrc: Detector = {
  name: NAME,
  looksFor: [FILE],
  async detect(project, signal) {
    const read = await project.read(FILE);
    if (read.state === 'absent') return { found: [], skipped: [] };
    if (read.state === 'refused') return { found: [], skipped: [{ file: FILE, reason: read.reason, mistake: true }] };
    const { value: written, problems } = readDevdbrc(read.text);
    const value = listIn(written);
    const skipped = problems.map(({ line, reason }) => wrong(line, reason));
    if (value === undefined) return { found: [], skipped: skipped.length > 0 ? skipped : [wrong(1, 'is empty')] };
    if (value.kind !== 'array') {
      const shape = wrong(value.line, 'must be a list of connections: put the connection into [ ]');
      return { found: [], skipped: problems.length > 0 ? skipped : [shape] };
    }
    if (value.items.length > MAX_DETECTED_DATABASES) {
      skipped.push(wrong(value.line, `has more than ${MAX_DETECTED_DATABASES} connections; only those are read`));
    }
    const [root] = await project.apps(signal);
    const environment = root && (await project.environment(root, signal));
    const { readEntry } = await import('../devdbrc-entry.ts');
    const parts: Detection[] = [];
    for (const [index, item] of value.items.slice(0, MAX_DETECTED_DATABASES).entries()) {
      parts.push(readPin(item) ?? (await readEntry({ project, item, index, references: new References(environment) })));
    }
    return merge(skipped, parts);
  },
};

/**
 * Parses the file. Text that starts like JSON is read as JSON; otherwise as YAML, whose own bracket form has unquoted
 * names.
 */
export function readDevdbrc(source: string): Reading {
  const begin = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(source)?.[0] ?? '';
  const rest = source.slice(begin.length);
  if (begin.trim() === '' && !/^[[{]/.test(rest)) return readYaml(source);
  const json = readJsonc(source);
  if (json.problems.length === 0 || !/^\[?\s*\{\s*[A-Za-z]/.test(rest)) return json;
  const yaml = readYaml(source);
  return yaml.problems.length === 0 ? yaml : json;
}

/** The file's list: the file itself, or what stands under `connections`. */
export function listIn(written: Located | undefined): Located | undefined {
  const named = at(written, 'connections');
  return named?.kind === 'array' ? named : written;
}

/** `{ "default": "<id>" }` chooses the default among all databases found. */
function readPin(item: Located): Detection | undefined {
  if (item.kind !== 'object' || item.entries.has('type')) return undefined;
  const pin = item.entries.get('default');
  if (pin === undefined) return undefined;
  const others = [...item.entries].filter(([key]) => key !== 'default');
  const skipped = others.map(([key, value]) =>
    wrong(value.line, `has an unknown field, which is ignored: ${safeName(key)}`),
  );
  if (pin.kind !== 'scalar' || typeof pin.value !== 'string' || pin.value === '') {
    return { found: [], skipped: [...skipped, wrong(pin.line, 'needs the id of a database as its default')] };
  }
  return { found: [], skipped, pinned: { id: pin.value, file: FILE, line: pin.line } };
}

function merge(skipped: readonly Skipped[], parts: readonly Detection[]): Detection {
  const pins: readonly Pinned[] = parts.flatMap(({ pinned }) => (pinned === undefined ? [] : [pinned]));
  const again = pins.slice(1).map(({ line }) => wrong(line, 'pins a default again; the first one holds'));
  return {
    found: parts.flatMap((part) => part.found),
    skipped: [...skipped, ...parts.flatMap((part) => part.skipped), ...again],
    pinned: pins[0],
  };
}
