import { createHash } from 'node:crypto';
import { basename, isAbsolute, join, sep } from 'node:path';
import { ENGINES, type EngineKind, SERVER_TYPES, SERVERS } from '@devdb/shared/engines';
import * as z from 'zod';
import { Secret } from '../host/secret.ts';
import { type Detection, type Finding, type PasswordCommand, PRIORITY, type Skipped } from './detector.ts';
import { DEVDBRC, safeName, wrong } from './devdbrc-problem.ts';
import { isReference, type References } from './devdbrc-references.ts';
import type { ProjectView } from './project-view.ts';
import { readCommandWords } from './readers/command-words.ts';
import { type Located, lineAt, plain } from './readers/located.ts';

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

/** One connection of the file, and what its references stand for. */
export interface EntryToRead {
  readonly project: ProjectView;
  readonly item: Located;
  /** Its position in the list. */
  readonly index: number;
  readonly references: References;
}

/** Reads one connection. Its fields are checked by a library that takes long to load, so this file is loaded late. */
export async function readEntry(entry: EntryToRead): Promise<Detection> {
  const { item } = entry;
  const type = item.kind === 'object' ? item.entries.get('type') : undefined;
  if (item.kind !== 'object') return { found: [], skipped: [wrong(item.line, 'must be an object with a type')] };
  if (type?.kind !== 'scalar' || typeof type.value !== 'string') {
    return { found: [], skipped: [wrong(type?.line ?? item.line, `needs a type: ${TYPES}`)] };
  }
  const kind = KINDS.get(type.value);
  if (kind === undefined) {
    return { found: [], skipped: [wrong(type.line, `has an unknown type; use ${TYPES}`)] };
  }
  const schema = kind === 'sqlite' ? sqliteEntry : serverEntry;
  const unknownKeys = [...item.entries]
    .filter(([key]) => !Object.hasOwn(schema.shape, key))
    .map(([key, value]) => wrong(value.line, `has an unknown field, which is ignored: ${safeName(key)}`));
  const read = kind === 'sqlite' ? await readSqlite(entry) : await readServer(kind, type.value, entry);
  return { found: read.found, skipped: [...unknownKeys, ...read.skipped] };
}

async function readSqlite({ project, item, index, references }: EntryToRead): Promise<Detection> {
  const parsed = sqliteEntry.safeParse(plain(item));
  if (!parsed.success) return { found: [], skipped: shapeErrors(item, parsed.error) };
  const path = references.text('path', parsed.data.path);
  const refuse = (reason: string): Detection => ({ found: [], skipped: [wrong(lineAt(item, ['path']), reason)] });
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
    skipped: [wrong(lineAt(item, [field]), `has a wrong field ${field}: ${reason}`)],
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
  const id = `${DEVDBRC.name}:${name.trim().replace(/\s+/g, '-')}`;
  return {
    id,
    name,
    kind,
    target,
    source: { file: DEVDBRC.file, line: item.line, by: DEVDBRC.name },
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
    return wrong(lineAt(item, path), missing ? `needs the field ${field}` : `has a wrong field ${field}: ${message}`);
  });
}
