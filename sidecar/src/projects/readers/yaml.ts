import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Located, Problem, Reading } from './located.ts';

const MAX_ALIASES = 50;

/** Reads one YAML document. */
export function readYaml(text: string): Reading {
  const lines = new LineCounter();
  // Pretty errors quote the source, and the source may hold a password.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const problems = document.errors.map(
    (error): Problem => ({ line: lines.linePos(error.pos[0]).line, reason: `not valid YAML (${error.code})` }),
  );
  let aliases = 0;
  const convert = (node: unknown, parentLine: number): Located => {
    const line = lineOf(node, lines) ?? parentLine;
    if (isAlias(node)) {
      // A document can name itself again and again; settings do not.
      aliases += 1;
      const target = aliases > MAX_ALIASES ? undefined : node.resolve(document);
      return target === undefined ? { kind: 'scalar', line, value: null } : convert(target, line);
    }
    if (isSeq(node)) return { kind: 'array', line, items: node.items.map((item) => convert(item, line)) };
    if (!isMap(node)) return { kind: 'scalar', line, value: isScalar(node) ? scalar(node.value) : null };
    const entries = node.items.map(
      (pair) =>
        [
          isScalar(pair.key) ? String(pair.key.value) : '',
          convert(pair.value, lineOf(pair.key, lines) ?? line),
        ] as const,
    );
    return { kind: 'object', line, entries: new Map(entries) };
  };
  return { value: document.contents === null ? undefined : convert(document.contents, 1), problems };
}

function lineOf(node: unknown, lines: LineCounter): number | undefined {
  if (!isNode(node) || !node.range) return undefined;
  return lines.linePos(node.range[0]).line;
}

function isNode(node: unknown): node is Node {
  return isAlias(node) || isMap(node) || isSeq(node) || isScalar(node);
}

function scalar(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}
