import { createHash } from 'node:crypto';
import { basename, isAbsolute, join, sep } from 'node:path';
import { ENGINES, type EngineKind, SERVER_TYPES, SERVERS } from '@devdb/shared/engines';
import * as z from 'zod';
import { Secret } from '../../host/secret.ts';
import {
  type Detection,
  type Detector,
  type Finding,
  type PasswordCommand,
  type Pinned,
  PRIORITY,
  type Skipped,
} from '../detector.ts';
import { isReference, References } from '../devdbrc-references.ts';
import { MAX_DETECTED_DATABASES } from '../limits.ts';
import type { ProjectView } from '../project-view.ts';
import { readCommandWords } from '../readers/command-words.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { at, type Located, lineAt, plain, type Reading } from '../readers/located.ts';
import { readYaml } from '../readers/yaml.ts';

const FILE = '.devdbrc';
const NAME = 'devdbrc';

const KINDS: ReadonlyMap<string, EngineKind> = new Map<string, EngineKind>([
  ['sqlite', 'sqlite'],
  ...SERVER_TYPES.map((type) => [type, SERVERS[type].kind] as const),
  ['postgresql', 'postgres'],
]);
const TYPES = 'sqlite, mysql, mariadb, postgres or mssql';
const TEXT = 'must be text';
const COMMAND = 'must be text or a list of words';
const PORT = 'must be a number from 1 to 65535';

const text = z
  .string(TEXT)
  .min(1, 'must not be empty')
  .refine((value) => !value.includes('\0'), 'must not contain NUL');
const sqliteEntry = z.object({ type: z.string(), name: text.optional(), path: text });
const serverEntry = z.object({
  type: z.string(),
  name: text.optional(),
  host: text.optional(),
  port: z.union([z.number(), z.string()], PORT).refine(isPort, PORT).optional(),
  username: z.string(TEXT).optional(),
  password: z.union([z.string(), z.number().transform(String)], TEXT).optional(),
  passwordCommand: z.union([text, z.array(text).min(1)], COMMAND).optional(),
  database: text,
  options: z.record(z.string(), z.unknown(), 'must be an object').optional(),
});

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
    const skipped = problems.map(({ line, reason }) => skip(line, reason));
    if (value === undefined) return { found: [], skipped: skipped.length > 0 ? skipped : [skip(1, 'is empty')] };
    if (value.kind !== 'array') {
      const shape = skip(value.line, 'must be a list of connections: put the connection into [ ]');
      return { found: [], skipped: problems.length > 0 ? skipped : [shape] };
    }
    if (value.items.length > MAX_DETECTED_DATABASES) {
      skipped.push(skip(value.line, `has more than ${MAX_DETECTED_DATABASES} connections; only those are read`));
    }
    const [root] = await project.apps(signal);
    const environment = root && (await project.environment(root, signal));
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
    skip(value.line, `has an unknown field, which is ignored: ${safeName(key)}`),
  );
  if (pin.kind !== 'scalar' || typeof pin.value !== 'string' || pin.value === '') {
    return { found: [], skipped: [...skipped, skip(pin.line, 'needs the id of a database as its default')] };
  }
  return { found: [], skipped, pinned: { id: pin.value, file: FILE, line: pin.line } };
}

interface EntryToRead {
  readonly project: ProjectView;
  readonly item: Located;
  /** Its position in the list. */
  readonly index: number;
  readonly references: References;
}

async function readEntry(entry: EntryToRead): Promise<Detection> {
  const { item } = entry;
  const type = item.kind === 'object' ? item.entries.get('type') : undefined;
  if (item.kind !== 'object') return { found: [], skipped: [skip(item.line, 'must be an object with a type')] };
  if (type?.kind !== 'scalar' || typeof type.value !== 'string') {
    return { found: [], skipped: [skip(type?.line ?? item.line, `needs a type: ${TYPES}`)] };
  }
  const kind = KINDS.get(type.value);
  if (kind === undefined) {
    return { found: [], skipped: [skip(type.line, `has an unknown type; use ${TYPES}`)] };
  }
  const schema = kind === 'sqlite' ? sqliteEntry : serverEntry;
  const unknownKeys = [...item.entries]
    .filter(([key]) => !Object.hasOwn(schema.shape, key))
    .map(([key, value]) => skip(value.line, `has an unknown field, which is ignored: ${safeName(key)}`));
  const read = kind === 'sqlite' ? await readSqlite(entry) : await readServer(kind, type.value, entry);
  return { found: read.found, skipped: [...unknownKeys, ...read.skipped] };
}

async function readSqlite({ project, item, index, references }: EntryToRead): Promise<Detection> {
  const parsed = sqliteEntry.safeParse(plain(item));
  if (!parsed.success) return { found: [], skipped: shapeErrors(item, parsed.error) };
  const path = references.text('path', parsed.data.path);
  const refuse = (reason: string): Detection => ({ found: [], skipped: [skip(lineAt(item, ['path']), reason)] });
  if (path.startsWith('~')) return refuse('has a path with ~, which is not resolved; write it in full');
  if (path === ':memory:') return refuse('names an in-memory database, which only its own program can see');
  const elsewhere = await elsewhereOf(project, path);
  if (elsewhere !== undefined) return refuse(elsewhere);
  // A reference may stand for an absolute path; until it is resolved, the text is only displayed.
  const file = isAbsolute(path) ? path : join(project.root, path);
  const name = parsed.data.name ?? basename(path.replaceAll('\\', '/'));
  return { found: [finding(name, 'sqlite', { file }, { item, index, references })], skipped: [] };
}

/** Why a path belongs to another machine: Windows's on other systems, and another user's home. */
async function elsewhereOf(project: ProjectView, path: string): Promise<string | undefined> {
  const next = 'write it relative to the project';
  if (sep === '/' && /^(?:[A-Za-z]:[\\/]|\\\\)/.test(path))
    return `has a path of a Windows machine, not of this one; ${next}`;
  const home = /^\/(?:home|Users)\/[^/]+(?=\/)/.exec(path)?.[0];
  if (home === undefined || project.contains(path)) return undefined;
  if (sep === '\\') return `has a path of another system, not of this machine; ${next}`;
  return (await project.locate(home)).exists
    ? undefined
    : `has a path in a home folder that this machine does not have; ${next}`;
}

async function readServer(
  kind: Exclude<EngineKind, 'sqlite'>,
  type: string,
  { project, item, index, references }: EntryToRead,
): Promise<Detection> {
  const parsed = serverEntry.safeParse(plain(item));
  if (!parsed.success) return { found: [], skipped: shapeErrors(item, parsed.error) };
  const { host = 'localhost', port = '', username = '', password, options = {}, name, passwordCommand } = parsed.data;
  const refuse = (field: string, reason: string): Detection => ({
    found: [],
    skipped: [skip(lineAt(item, [field]), `has a wrong field ${field}: ${reason}`)],
  });
  const server = references.text('host', host);
  const portText = references.text('port', String(port));
  if (portText !== '' && !isPort(portText)) return refuse('port', PORT);
  const command = passwordCommand === undefined ? undefined : await readCommand(project, passwordCommand);
  if (typeof command === 'string') return refuse('passwordCommand', command);
  if (command && password !== undefined) return refuse('passwordCommand', 'there is a password too; write one of both');
  const target = {
    host: server,
    port: /^\d+$/.test(portText) ? Number(portText) : ENGINES[kind].port,
    user: references.text('username', username),
    database: references.text('database', parsed.data.database),
    password: password === undefined ? undefined : new Secret(references.text('password', password)),
    options: Object.fromEntries(
      Object.entries(options).map(([key, value]) => [
        key,
        typeof value === 'string' ? references.text(`options.${key}`, value) : value,
      ]),
    ),
  };
  const found = finding(name ?? `${type}-${target.database}`, kind, target, { item, index, references });
  return { found: [{ ...found, passwordCommand: command }], skipped: [] };
}

/** The command split into words, with a digest of the project's own files it names; or what is wrong with it. */
async function readCommand(
  project: ProjectView,
  written: string | readonly string[],
): Promise<PasswordCommand | string> {
  const read = typeof written === 'string' ? readCommandWords(written) : { words: written };
  if ('reason' in read) return read.reason;
  const contents: string[] = [];
  for (const word of read.words) {
    const path = isAbsolute(word) ? word : join(project.root, word);
    if (!project.contains(path)) continue;
    const file = await project.read(project.relative(path));
    if (file.state !== 'absent') contents.push(file.state === 'text' ? file.text : file.reason);
  }
  const digest = contents.length === 0 ? undefined : createHash('sha256').update(contents.join('\0')).digest('hex');
  return { argv: read.words, digest };
}

function finding(
  name: string,
  kind: EngineKind,
  target: Finding['target'],
  { item, index, references }: Pick<EntryToRead, 'item' | 'index' | 'references'>,
): Finding {
  const id = `${NAME}:${name.trim().replace(/\s+/g, '-')}`;
  return {
    id,
    name,
    kind,
    target,
    source: { file: FILE, line: item.line, by: NAME },
    priority: PRIORITY.devdbrc + index,
    unresolved: references.unresolved,
    processVariables: references.processVariables,
  };
}

function isPort(port: number | string): boolean {
  const text = String(port);
  if (isReference(text)) return true;
  return /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536;
}

function shapeErrors(item: Located, error: z.ZodError): Skipped[] {
  return error.issues.map(({ path, message }) => {
    const field = path.map(String).join('.');
    const missing = item.kind === 'object' && path.length === 1 && !item.entries.has(field);
    return skip(lineAt(item, path), missing ? `needs the field ${field}` : `has a wrong field ${field}: ${message}`);
  });
}

function merge(skipped: readonly Skipped[], parts: readonly Detection[]): Detection {
  const pins: readonly Pinned[] = parts.flatMap(({ pinned }) => (pinned === undefined ? [] : [pinned]));
  const again = pins.slice(1).map(({ line }) => skip(line, 'pins a default again; the first one holds'));
  return {
    found: parts.flatMap((part) => part.found),
    skipped: [...skipped, ...parts.flatMap((part) => part.skipped), ...again],
    pinned: pins[0],
  };
}

/** A field's name is quoted only when it looks like a name: by mistake a password may be there. */
function safeName(key: string): string {
  return /^[A-Za-z][\w-]{0,30}$/.test(key) ? key : 'an unprintable name';
}

function skip(line: number, reason: string): Skipped {
  return { file: FILE, line, reason, mistake: true };
}
