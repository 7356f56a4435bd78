import type { EngineKind } from '../engines/engine.ts';
import type { AppFolder } from './app-folder.ts';
import type { Collector, Place } from './collector.ts';
import type { Suggested } from './detector.ts';
import type { Evaluator } from './readers/code/evaluate.ts';
import { type Expr, nameOf } from './readers/code/expression.ts';
import { readDatabaseUrl } from './readers/url.ts';

type Field = 'url' | 'host' | 'port' | 'user' | 'password' | 'database' | 'file' | 'ssl' | 'encrypt' | 'trust';

/** The names of a connection's fields; a field that is left out has none. */
export type FieldNames = Readonly<Partial<Record<Field, readonly string[]>>>;

/** The names that JavaScript libraries use. */
export const SCRIPT_FIELDS: FieldNames = {
  url: ['url', 'connectionString', 'uri'],
  host: ['socketPath', 'host', 'hostname', 'server'],
  port: ['port'],
  user: ['user', 'username', 'userName'],
  password: ['password', 'pass'],
  database: ['database', 'dbname', 'db'],
  file: ['filename', 'storage', 'file', 'database'],
  ssl: ['ssl'],
  encrypt: ['encrypt'],
  trust: ['trustServerCertificate'],
};

/** A connection described by an object in the settings. */
export interface Described {
  readonly kind: EngineKind;
  readonly object: Expr;
  readonly names: FieldNames;
  /** The base of a relative database file path. */
  readonly folder?: string | undefined;
}

/** Adds the connection that an object describes, or reports which of its fields are unknown. */
export async function addDescribed(
  collector: Collector,
  app: AppFolder,
  evaluator: Evaluator,
  place: Place,
  described: Described,
): Promise<void> {
  const fields = new Fields(collector, evaluator, place, described);
  const url = fields.text('url');
  if (fields.failed) return;
  const folders = described.folder === undefined ? undefined : [described.folder, app.absolute()];
  if (url) {
    // A SQLite library takes a path where others take a URL.
    const isPath = described.kind === 'sqlite' && !/^[a-z][a-z0-9+]+:/i.test(url);
    if (isPath) collector.file(app, place, url, described.folder);
    else {
      const database = namesNoDatabase(url) ? fields.text('database') : undefined;
      if (!fields.failed) await collector.url(app, place, url, folders, database);
    }
    return;
  }
  if (described.kind === 'sqlite') {
    const file = fields.text('file');
    if (!fields.failed) collector.file(app, place, file ?? '', described.folder);
    return;
  }
  const parts = {
    kind: described.kind,
    host: fields.text('host'),
    port: fields.text('port'),
    user: fields.text('user'),
    password: fields.text('password'),
    database: fields.text('database'),
    options: fields.options(),
  };
  if (!fields.failed) collector.server(app, place, parts);
}

/** Adds the connection given by one value: a URL, a path, or an object with fields. */
export async function addConnection(
  collector: Collector,
  app: AppFolder,
  evaluator: Evaluator,
  place: Place,
  described: Described,
): Promise<void> {
  const object = evaluator.resolve(described.object);
  if (object.kind === 'object') {
    await addDescribed(collector, app, evaluator, place, { ...described, object });
    return;
  }
  const value = evaluator.value(object);
  const text = value.ok ? value.value : undefined;
  if (!value.ok) collector.skip(place.file, value.line, `${place.what}: the connection ${value.reason}`);
  else if (typeof text !== 'string' || text === '') {
    collector.skip(place.file, object.line, `${place.what}: the connection is empty`);
  } else {
    const entries = new Map<string, Expr>([[described.names.url?.[0] ?? '', object]]);
    const wrapped: Expr = { kind: 'object', line: object.line, entries, spreads: [], overrides: [] };
    await addDescribed(collector, app, evaluator, place, { ...described, object: wrapped });
  }
}

function namesNoDatabase(text: string): boolean {
  const url = readDatabaseUrl(text);
  return url.kind !== 'problem' && url.kind !== 'sqlite' && url.target.database === '';
}

class Fields {
  readonly #collector: Collector;
  readonly #evaluator: Evaluator;
  readonly #place: Place;
  readonly #described: Described;
  #failed = false;

  constructor(collector: Collector, evaluator: Evaluator, place: Place, described: Described) {
    this.#collector = collector;
    this.#evaluator = evaluator;
    this.#place = place;
    this.#described = described;
  }

  /** Whether a field was present but unknown; the reason has been reported. */
  get failed(): boolean {
    return this.#failed;
  }

  /** The first field of these names that has a value. */
  text(field: Field): string | undefined {
    for (const name of this.#described.names[field] ?? []) {
      const expr = this.#evaluator.field(this.#described.object, name);
      if (expr === undefined || this.#failed) continue;
      const value = this.#evaluator.value(expr);
      // Libraries take the other fields where the variable of the URL is not set.
      const isUnset = field === 'url' && !value.ok && value.missing.length > 0;
      if (!value.ok && !(isUnset && this.#namesDatabase())) this.#fail(name, value.line, value.reason);
      else if (value.ok && value.value !== null && value.value !== '') return String(value.value);
    }
    return undefined;
  }

  #namesDatabase(): boolean {
    const { names, object, kind } = this.#described;
    return (names[kind === 'sqlite' ? 'file' : 'database'] ?? []).some((name) => {
      const expr = this.#evaluator.field(object, name);
      const value = expr && this.#evaluator.value(expr);
      return value?.ok === true && value.value !== null && value.value !== '';
    });
  }

  /** The options about encryption; others are specific to the library. */
  options(): Readonly<Record<string, unknown>> {
    const options: Record<string, unknown> = {};
    for (const field of ['ssl', 'encrypt', 'trust'] as const) {
      for (const name of this.#described.names[field] ?? []) {
        const expr = this.#evaluator.field(this.#described.object, name);
        const value = expr === undefined || this.#failed ? undefined : this.#plain(expr, name);
        if (value !== undefined && value !== null) options[name] = value;
      }
    }
    return options;
  }

  #plain(written: Expr, name: string): unknown {
    const expr = this.#evaluator.resolve(written);
    if (expr.kind === 'object' && expr.overrides.length + expr.spreads.length === 0) {
      return Object.fromEntries([...expr.entries].map(([key, inner]) => [key, this.#plain(inner, name)]));
    }
    const value = this.#evaluator.value(expr);
    if (!value.ok) this.#fail(name, value.line, value.reason);
    return value.ok ? value.value : undefined;
  }

  #fail(name: string, line: number, reason: string): void {
    if (this.#failed) return;
    this.#failed = true;
    const { file, what, environment = '' } = this.#place;
    this.#collector.skip(
      file,
      line,
      `${what}: ${name} ${reason}`,
      false,
      environment === '' ? halfOf(this.#evaluator, this.#described) : undefined,
    );
  }
}

/** The fields that can be read, apart from the password. */
export function halfOf(evaluator: Evaluator, { kind, names, object }: Described): Suggested {
  const known = (field: Field): string | undefined => {
    const values = (names[field] ?? []).map((name) => {
      const expr = evaluator.field(object, name);
      const value = expr && evaluator.value(expr);
      return value?.ok && value.value !== null && value.value !== '' ? String(value.value) : undefined;
    });
    return values.find((value) => value !== undefined);
  };
  if (kind === 'sqlite') return { kind };
  const port = Number(known('port'));
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
  return {
    kind,
    host: known('host'),
    port: isPort ? port : undefined,
    user: known('user'),
    database: known('database'),
  };
}

/** The text of a field that names the driver or dialect; `require(...)` and `X.default` count as names. */
export function wordOf(evaluator: Evaluator, expr: Expr | undefined): string | undefined {
  if (expr === undefined) return undefined;
  const value = evaluator.value(expr);
  if (value.ok) return value.value === null ? undefined : String(value.value);
  const resolved = evaluator.resolve(expr);
  return resolved.kind === 'name' || resolved.kind === 'member' ? nameOf(resolved) : undefined;
}
