import type { RawCell, ServerConnection } from './connection.ts';
import { failureOf } from './errors.ts';
import type { Call } from './judge-tokens.ts';
import type { NamedObject } from './named-objects.ts';
import { quoteName } from './quote.ts';
import { isMariadb, isMysql } from './server-version.ts';

/**
 * What a name refers to. `missing`: nothing this user sees. `foreign`: rows from elsewhere, defined by the table
 * itself. `every-view`: a list that the server makes by opening all views. In a view without a text, this user may not
 * see the text.
 */
export type Found = { readonly kind: 'missing' | 'table' | 'foreign' | 'every-view' } | View;

export interface View {
  readonly kind: 'view';
  readonly schema: string;
  readonly text: string | undefined;
}

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

export type NamedView = View & TableName;

/** A stored function, with the sql_mode it is read in. Without a text this user may not see it. */
export interface Routine {
  readonly schema: string | undefined;
  readonly sqlMode: string;
  readonly text: string | undefined;
}

type Row = readonly (string | null)[];
type Rows = readonly Row[];

const WRONG_OBJECT = 1347;
const NO_SUCH_OBJECT = new Set([1046, 1049, 1051, 1146]);
const NO_SUCH_ROUTINE = new Set([1046, 1049, 1305]);
/** Up to this many names are looked up one by one, which is cheaper than one query of MySQL's information_schema. */
const FEW = 8;

/** Engines that store rows on this server. Others fetch them from another server, or run what their definition says. */
const LOCAL_ENGINES = new Set(
  `ARIA ARCHIVE BLACKHOLE COLUMNSTORE CSV INNODB MEMORY MRG_MYISAM MYISAM MYROCKS NDB NDBCLUSTER NDBINFO PARTITION
   PERFORMANCE_SCHEMA ROCKSDB SEQUENCE TOKUDB`.split(/\s+/),
);

/**
 * What the server knows about names, asked on the connection that runs the statement and right before it. The server
 * resolves each name itself, so its own rules for case, accents and characters apply. None of the queries opens a view:
 * when MariaDB opens one it runs functions in it, even for DESCRIBE and SHOW CREATE VIEW.
 */
export class ServerObjects {
  readonly #connection: ServerConnection;
  readonly #routines = new Map<string, Routine | undefined>();
  #sqlMode: Promise<string> | undefined;
  #loadables: Promise<Rows> | undefined;

  constructor(connection: ServerConnection) {
    this.#connection = connection;
  }

  /** The sql_mode in which statements of this session are read. */
  sqlMode(): Promise<string> {
    this.#sqlMode ??= this.#rows('SELECT @@sql_mode').then(([row]) => row?.[0] ?? '');
    return this.#sqlMode;
  }

  /** What these names refer to, and names that the server may take for the same. */
  async tables(named: readonly NamedObject[]): Promise<readonly Found[]> {
    const { version, hasForeignEngines } = this.#connection;
    const [ofServer, others] = partition(named, ({ schema }) => isOfServer(schema));
    const found = ofServer.map((one) => this.#ofServer(one.name));
    if (isMariadb(version) || hasForeignEngines || others.length > FEW)
      return [...found, ...(await this.#listed(others))];
    for (const one of others) found.push(...(await this.#shown(one)));
    return found;
  }

  /** A stored function; undefined when there is none that this user may call. */
  async routine(call: Call): Promise<Routine | undefined> {
    const key = JSON.stringify([call.schema, call.name]);
    if (!this.#routines.has(key)) this.#routines.set(key, await this.#routine(call));
    return this.#routines.get(key);
  }

  async #routine({ schema, name }: Call): Promise<Routine | undefined> {
    try {
      const [row] = await this.#rows(`SHOW CREATE FUNCTION ${qualified(schema, name)}`);
      return { schema, sqlMode: row?.[1] ?? '', text: row?.[2] ?? undefined };
    } catch (error) {
      if (NO_SUCH_ROUTINE.has(failureOf(error).errno ?? 0)) return undefined;
      throw error;
    }
  }

  /** Whether MariaDB has a package of this name: its functions are called like those of a schema. */
  async isPackage(name: string): Promise<boolean> {
    if (!isMariadb(this.#connection.version, FIRST_PACKAGES)) return false;
    const rows = await this.#rows(
      `SELECT 1 FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ${text(this.#connection.database)} AND ROUTINE_NAME = ${text(name)}
        AND ROUTINE_TYPE LIKE 'PACKAGE%' LIMIT 1`,
    );
    return rows.length > 0;
  }

  /** Whether a loadable function has one of these names, as far as this user can see. */
  async isLoadable(names: readonly string[]): Promise<boolean> {
    const list = names.map(text).join(', ');
    this.#loadables ??= this.#rowsOrNone('SELECT 1 FROM mysql.func LIMIT 1');
    const hasAny = (await this.#loadables).length > 0;
    const asked = hasAny ? [`SELECT 1 FROM mysql.func WHERE name IN (${list}) LIMIT 1`] : [];
    // Functions of components are not listed there.
    if (isMysql(this.#connection.version, 80_000)) {
      asked.push(`SELECT 1 FROM performance_schema.user_defined_functions WHERE UDF_NAME IN (${list}) LIMIT 1`);
    }
    for (const sql of asked) if ((await this.#rowsOrNone(sql)).length > 0) return true;
    return false;
  }

  /** All views this user sees. */
  async views(): Promise<readonly NamedView[]> {
    const rows = await this.#rows(
      'SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS LIMIT 100000',
    );
    return rows.map(([schema, name, definition]) => ({ ...viewOf(schema ?? '', definition), name: name ?? '' }));
  }

  /** The names of all tables and views this user sees. */
  async names(): Promise<readonly TableName[]> {
    const rows = await this.#rows('SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES LIMIT 1000000');
    return rows.map(([schema, name]) => ({ schema: schema ?? '', name: name ?? '' }));
  }

  /** For MySQL, where the answer for a table is only that it is not a view. */
  async #shown(named: NamedObject): Promise<readonly Found[]> {
    const { schema, name } = named;
    try {
      const [row] = await this.#rows(`SHOW CREATE VIEW ${qualified(schema, name)}`);
      const ownSchema = schema ?? this.#connection.database;
      return [isOfServer(ownSchema) ? { kind: 'table' } : await this.#view(ownSchema, row?.[0] ?? name)];
    } catch (error) {
      const { errno = 0 } = failureOf(error);
      if (errno === WRONG_OBJECT) return [{ kind: 'table' }];
      if (NO_SUCH_OBJECT.has(errno)) return named.isOwn ? [] : [{ kind: 'missing' }];
      // Either no right to see it, or a name that no table can have.
      if (errno > 0) return this.#listed([named]);
      throw error;
    }
  }

  async #listed(named: readonly NamedObject[]): Promise<readonly Found[]> {
    if (named.length === 0) return [];
    const rows = await this.#rows(
      bySchema(named)
        .map(
          ([schema, names]) => `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ENGINE, ${schema === undefined ? 1 : 0}
            FROM information_schema.TABLES WHERE TABLE_SCHEMA = ${text(schema ?? this.#connection.database)} AND TABLE_NAME IN (${names.map(text).join(', ')})`,
        )
        .join(' UNION ALL ')
        .concat(' LIMIT 100000'),
    );
    const isWanted = this.#connection.namesAreExact ? exactly(named) : () => true;
    const found: Found[] = [];
    for (const row of rows) if (isWanted(row)) found.push(await this.#of(row));
    // For callers that need every name explained: the ones not listed are missing.
    const listed = new Set(rows.filter(isWanted).map(([, name]) => name?.toLowerCase()));
    const missing = named.filter(({ name, isOwn }) => !isOwn && !listed.has(asServerHasIt(name).toLowerCase()));
    return [...found, ...missing.map((): Found => ({ kind: 'missing' }))];
  }

  async #of([schema, name, type, engine]: Row): Promise<Found> {
    if (type === 'SYSTEM VIEW') return this.#ofServer(name ?? '');
    if (type?.includes('VIEW') !== true) return { kind: isLocalEngine(engine ?? '') ? 'table' : 'foreign' };
    return this.#view(schema ?? '', name ?? '');
  }

  /** Unlike in SHOW CREATE VIEW, every table in this text is qualified with its schema. */
  async #view(schema: string, name: string): Promise<Found> {
    const [row] = await this.#rows(
      `SELECT VIEW_DEFINITION FROM information_schema.VIEWS
        WHERE TABLE_SCHEMA = ${text(schema)} AND TABLE_NAME = ${text(name)} LIMIT 1`,
    );
    return viewOf(schema, row?.[0]);
  }

  #ofServer(name: string): Found {
    const opens = isMariadb(this.#connection.version) && OPENING.has(name.toUpperCase());
    return { kind: opens ? 'every-view' : 'table' };
  }

  /** For queries an ordinary user may not be allowed. */
  async #rowsOrNone(sql: string): Promise<Rows> {
    try {
      return await this.#rows(sql);
    } catch (error) {
      if (failureOf(error).errno === undefined) throw error;
      return [];
    }
  }

  async #rows(sql: string): Promise<Rows> {
    const rows: Row[] = [];
    await this.#connection.run(sql, {
      row: (cells: readonly RawCell[]) => {
        rows.push(cells.map((cell) => cell?.toString('utf8') ?? null));
      },
    });
    return rows;
  }
}

const FIRST_PACKAGES = 100_305;
/** Lists of MariaDB's information_schema for which it opens views, and runs functions in them. */
const OPENING = new Set(['TABLES', 'COLUMNS', 'VIEWS']);

/** No user can create a view in these two. */
function isOfServer(schema: string | undefined): boolean {
  return schema?.toLowerCase() === 'information_schema' || schema === 'performance_schema';
}

/** Whether a row of information_schema.TABLES matches one of these names. The server's own lists always may. */
function exactly(named: readonly NamedObject[]) {
  return ([schema, name, type, , isCurrent]: Row): boolean =>
    type === 'SYSTEM VIEW' ||
    named.some(
      (one) =>
        asServerHasIt(one.name) === name &&
        (one.schema === undefined ? isCurrent === '1' : asServerHasIt(one.schema) === schema),
    );
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

/** Whether an engine's tables are stored on this server. */
export function isLocalEngine(engine: string): boolean {
  return LOCAL_ENGINES.has(engine.toUpperCase());
}

function viewOf(schema: string, definition: string | null | undefined): View {
  return { kind: 'view', schema, text: definition === '' ? undefined : (definition ?? undefined) };
}

function qualified(schema: string | undefined, name: string): string {
  return schema === undefined ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`;
}

/** MySQL's own names have no characters beyond three bytes: it replaces them with `?`, also in a statement's names. */
function asServerHasIt(name: string): string {
  return name.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, '?');
}

/** A text that reads the same under every sql_mode. */
function text(name: string): string {
  if (/^[\w$]+$/.test(name)) return `'${name}'`;
  const known = Buffer.from(asServerHasIt(name), 'utf8').toString('hex');
  return known === '' ? "''" : `CONVERT(0x${known} USING utf8mb4)`;
}

function bySchema(named: readonly NamedObject[]): [schema: string | undefined, names: readonly string[]][] {
  const grouped = Map.groupBy(named, ({ schema }) => schema);
  return [...grouped].map(([schema, all]) => [schema, all.map(({ name }) => name)]);
}
