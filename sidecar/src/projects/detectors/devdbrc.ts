import { basename, isAbsolute, join } from 'node:path';
import { MAX_DETECTED_DATABASES } from '@devdb/shared/limits';
import * as z from 'zod';
import { Secret } from '../../connections/secret.ts';
import type { EngineKind } from '../../engines/engine.ts';
import {
  type Detection,
  type Detector,
  type Finding,
  PRIORITY,
  type Skipped,
  type UnresolvedField,
} from '../detector.ts';
import type { ProjectView } from '../project-view.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { type Located, lineAt, plain, type Reading } from '../readers/located.ts';
import { DEFAULT_PORTS } from '../readers/url.ts';
import { readYaml } from '../readers/yaml.ts';

const FILE = '.devdbrc';
const NAME = 'devdbrc';

const KINDS: Readonly<Record<string, EngineKind>> = {
  sqlite: 'sqlite',
  mysql: 'mysql2',
  mariadb: 'mysql2',
  postgres: 'postgres',
  postgresql: 'postgres',
  mssql: 'mssql',
};
const TYPES = 'sqlite, mysql, mariadb, postgres or mssql';
const TEXT = 'must be text';
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
  passwordCommand: text.optional(),
  database: text,
  options: z.record(z.string(), z.unknown(), 'must be an object').optional(),
});

/** The connections a person wrote down for DevDB, as JSON with comments or as YAML. */
export const devdbrc: Detector = {
  name: NAME,
  looksFor: [FILE],
  async detect(project) {
    const read = await project.read(FILE);
    if (read.state === 'absent') return { found: [], skipped: [] };
    if (read.state === 'refused') return { found: [], skipped: [{ file: FILE, reason: read.reason, mistake: true }] };
    const { value, problems } = readEither(read.text);
    const skipped = problems.map(({ line, reason }) => skip(line, reason));
    if (value === undefined) return { found: [], skipped: skipped.length > 0 ? skipped : [skip(1, 'is empty')] };
    if (value.kind !== 'array') {
      const shape = skip(value.line, 'must be a list of connections: put the connection into [ ]');
      return { found: [], skipped: problems.length > 0 ? skipped : [shape] };
    }
    if (value.items.length > MAX_DETECTED_DATABASES) {
      skipped.push(skip(value.line, `has more than ${MAX_DETECTED_DATABASES} connections; only those are read`));
    }
    const items = value.items.slice(0, MAX_DETECTED_DATABASES);
    return merge(
      skipped,
      items.map((item, index) => readEntry(project, item, index)),
    );
  },
};

/** What begins like JSON is read and reported as JSON; YAML has a bracket form of its own, whose names are bare. */
function readEither(source: string): Reading {
  const begin = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(source)?.[0] ?? '';
  const rest = source.slice(begin.length);
  if (begin.trim() === '' && !/^[[{]/.test(rest)) return readYaml(source);
  const json = readJsonc(source);
  if (json.problems.length === 0 || !/^\[?\s*\{\s*[A-Za-z]/.test(rest)) return json;
  const yaml = readYaml(source);
  return yaml.problems.length === 0 ? yaml : json;
}

function readEntry(project: ProjectView, item: Located, index: number): Detection {
  const type = item.kind === 'object' ? item.entries.get('type') : undefined;
  if (item.kind !== 'object') return { found: [], skipped: [skip(item.line, 'must be an object with a type')] };
  if (type?.kind !== 'scalar' || typeof type.value !== 'string') {
    return { found: [], skipped: [skip(type?.line ?? item.line, `needs a type: ${TYPES}`)] };
  }
  const kind = Object.hasOwn(KINDS, type.value) ? KINDS[type.value] : undefined;
  if (kind === undefined) {
    return { found: [], skipped: [skip(type.line, `has an unknown type; use ${TYPES}`)] };
  }
  const schema = kind === 'sqlite' ? sqliteEntry : serverEntry;
  const unknownKeys = [...item.entries]
    .filter(([key]) => !Object.hasOwn(schema.shape, key))
    .map(([key, value]) => skip(value.line, `has an unknown field, which is ignored: ${safeName(key)}`));
  const read = kind === 'sqlite' ? readSqlite(project, item, index) : readServer(kind, type.value, item, index);
  return { found: read.found, skipped: [...unknownKeys, ...read.skipped] };
}

function readSqlite(project: ProjectView, item: Located, index: number): Detection {
  const parsed = sqliteEntry.safeParse(plain(item));
  if (!parsed.success) return { found: [], skipped: shapeErrors(item, parsed.error) };
  const { path } = parsed.data;
  if (path.startsWith('~')) {
    return {
      found: [],
      skipped: [skip(lineAt(item, ['path']), 'has a path with ~, which is not resolved; write it in full')],
    };
  }
  if (path === ':memory:') {
    return {
      found: [],
      skipped: [skip(lineAt(item, ['path']), 'names a database in memory, which only its own program can see')],
    };
  }
  const unresolved = references({ path });
  // A reference may stand for an absolute path; until it is resolved the text is only shown.
  const file = isAbsolute(path) ? path : join(project.root, path);
  const name = parsed.data.name ?? basename(path.replaceAll('\\', '/'));
  return { found: [finding(name, 'sqlite', { file }, item.line, index, unresolved)], skipped: [] };
}

function readServer(kind: Exclude<EngineKind, 'sqlite'>, type: string, item: Located, index: number): Detection {
  const parsed = serverEntry.safeParse(plain(item));
  if (!parsed.success) return { found: [], skipped: shapeErrors(item, parsed.error) };
  const {
    host = 'localhost',
    port,
    username = '',
    password,
    database,
    options = {},
    name,
    passwordCommand,
  } = parsed.data;
  const portText = port === undefined ? '' : String(port);
  const optionTexts = Object.entries(options).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`options.${key}`, value] as const] : [],
  );
  const unresolved = references({
    host,
    port: portText,
    username,
    database,
    password: password ?? '',
    ...Object.fromEntries(optionTexts),
  });
  const target = {
    host,
    port: /^\d+$/.test(portText) ? Number(portText) : DEFAULT_PORTS[kind],
    user: username,
    password: password === undefined ? undefined : new Secret(password),
    database,
    options,
  };
  const found = finding(name ?? `${type}-${database}`, kind, target, item.line, index, unresolved);
  return { found: [{ ...found, passwordCommand }], skipped: [] };
}

function finding(
  name: string,
  kind: EngineKind,
  target: Finding['target'],
  line: number,
  index: number,
  unresolved: readonly UnresolvedField[],
): Finding {
  const id = `${NAME}:${name.trim().replace(/\s+/g, '-')}`;
  return {
    id,
    name,
    kind,
    target,
    source: { file: FILE, line, by: NAME },
    priority: PRIORITY.devdbrc + index,
    unresolved,
  };
}

function isPort(port: number | string): boolean {
  const text = String(port);
  if (/^\$\{[A-Za-z_]\w*\}$/.test(text)) return true;
  return /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536;
}

/** `${NAME}` in any field refers to the environment; the text stays closed, since it may be part of a password. */
function references(fields: Readonly<Record<string, string>>): UnresolvedField[] {
  return Object.entries(fields).flatMap(([field, value]) => {
    const variables = [...value.matchAll(/\$\{([A-Za-z_]\w*)\}/g)].map(([, name = '']) => name);
    return variables.length === 0 ? [] : [{ field, variables, text: new Secret(value) }];
  });
}

function shapeErrors(item: Located, error: z.ZodError): Skipped[] {
  return error.issues.map(({ path, message }) => {
    const field = path.map(String).join('.');
    const missing = item.kind === 'object' && path.length === 1 && !item.entries.has(field);
    return skip(lineAt(item, path), missing ? `needs the field ${field}` : `has a wrong field ${field}: ${message}`);
  });
}

function merge(skipped: readonly Skipped[], parts: readonly Detection[]): Detection {
  return {
    found: parts.flatMap((part) => part.found),
    skipped: [...skipped, ...parts.flatMap((part) => part.skipped)],
  };
}

/** A field's name goes into the answer only when it looks like a name: a slip may put a password there. */
function safeName(key: string): string {
  return /^[A-Za-z][\w-]{0,30}$/.test(key) ? key : 'a name that cannot be shown';
}

function skip(line: number, reason: string): Skipped {
  return { file: FILE, line, reason, mistake: true };
}
