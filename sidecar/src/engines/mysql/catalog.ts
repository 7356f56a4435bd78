import knex, { type Knex } from 'knex';
import { isOperator } from '../operators.ts';
import { unknownTable } from '../unknown-names.ts';
import { closedViews } from './closed-views.ts';
import type { ServerConnection } from './connection.ts';
import { shownName } from './quote.ts';
import { type NamedView, ServerObjects } from './server-objects.ts';
import { beginCatalog } from './session-state.ts';
import { isName, tokenize } from './tokenize.ts';

export type CatalogRow = Readonly<Record<string, string | null>>;

export interface TableFacts {
  readonly schema: string;
  readonly name: string;
  /** `name` in the connection's database, else `schema.name`. */
  readonly shown: string;
  readonly kind: 'table' | 'view' | 'sequence';
  /** A system-versioned table: changing it may create partitions, which no ROLLBACK removes. */
  readonly isVersioned: boolean;
  readonly engine: string | undefined;
  readonly rows: number | undefined;
  readonly comment: string;
}

/** The server's own databases: not listed, but read when named. */
const SYSTEM_SCHEMAS = ['information_schema', 'mysql', 'performance_schema', 'sys'] as const;

/** The catalogue of one server, read over a connection in the guarded state. */
export class Catalog {
  readonly #connection: ServerConnection;
  readonly #builder: Knex;
  /** The connection's database; empty when it has none. */
  readonly ownSchema: string;
  #tables: readonly TableFacts[] | undefined;
  #closed: Promise<readonly NamedView[]> | undefined;

  private constructor(connection: ServerConnection, ownSchema: string) {
    this.#connection = connection;
    this.#builder = knex({ client: 'mysql2' });
    this.ownSchema = ownSchema;
  }

  static async open(connection: ServerConnection): Promise<Catalog> {
    await beginCatalog(connection);
    let ownSchema = '';
    await connection.run('SELECT DATABASE()', {
      row: ([name]) => {
        ownSchema = name?.toString('utf8') ?? '';
      },
    });
    return new Catalog(connection, ownSchema);
  }

  get connection(): ServerConnection {
    return this.#connection;
  }

  /** Queries a view of information_schema; the result's columns have the requested names. */
  async ask(view: string, shape: (query: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<CatalogRow[]> {
    const { sql, bindings } = shape(this.#builder.withSchema('information_schema').from(view)).toSQL().toNative();
    return this.query(
      sql,
      bindings.map((value) => (typeof value === 'number' ? value : String(value))),
    );
  }

  /** The rows of a statement of our own, as texts. */
  async query(sql: string, values: readonly (string | number)[] = []): Promise<CatalogRow[]> {
    const rows: CatalogRow[] = [];
    let names: readonly string[] = [];
    await this.#connection.run(
      sql,
      {
        columns: (fields) => {
          names = fields.map(({ name }) => name);
        },
        row: (cells) => {
          rows.push(Object.fromEntries(cells.map((cell, at) => [names[at] ?? '', cell?.toString('utf8') ?? null])));
        },
      },
      values,
    );
    return rows;
  }

  /** Databases whose tables are not listed: the server's own, except the one the connection uses. */
  get leftOutSchemas(): readonly string[] {
    return SYSTEM_SCHEMAS.filter((schema) => schema !== this.ownSchema.toLowerCase());
  }

  /** Views that are never opened. */
  closedViews(): Promise<readonly NamedView[]> {
    const { version } = this.#connection;
    this.#closed ??= closedViews(new ServerObjects(this.#connection), version, this.leftOutSchemas);
    return this.#closed;
  }

  /** Queries a view of information_schema for which a server may open views. */
  async askWithoutClosed(
    view: 'TABLES' | 'COLUMNS',
    shape: (query: Knex.QueryBuilder) => Knex.QueryBuilder,
  ): Promise<CatalogRow[]> {
    const closed = await this.closedViews();
    return this.ask(view, (query) => {
      // The server compares names before it opens any view.
      for (const { schema, name } of closed)
        query.whereNot((one) => one.where({ TABLE_SCHEMA: schema, TABLE_NAME: name }));
      return shape(query);
    });
  }

  /** All tables and views this user may see, the connection's database first. */
  async tables(): Promise<readonly TableFacts[]> {
    this.#tables ??= await this.#readTables((query) => query.whereNotIn('TABLE_SCHEMA', [...this.leftOutSchemas]));
    return this.#tables;
  }

  /** Finds a table or view by its name, with or without its database's. E_UNKNOWN_TABLE suggests similar names. */
  async find(wanted: string): Promise<TableFacts> {
    for (const { schema, name } of this.#meanings(wanted)) {
      const found = await this.#readTables((query) => query.where({ TABLE_SCHEMA: schema, TABLE_NAME: name }));
      // The server ignores case; a name with exactly the requested case comes first.
      const table = found.find((one) => one.name === name && one.schema === schema) ?? found[0];
      if (table !== undefined) return table;
    }
    throw unknownTable(wanted, await this.#shownNames());
  }

  async #shownNames(): Promise<string[]> {
    return (await this.tables()).map(({ shown }) => shown);
  }

  #meanings(wanted: string): { readonly schema: string; readonly name: string }[] {
    const meanings = [{ schema: this.ownSchema, name: wanted }];
    const read = tokenize(wanted, { ansiQuotes: true, backslashEscapes: false });
    const [first, point, second, ...rest] = read.ok ? read.tokens : [];
    if (isName(first) && point === undefined) meanings.push({ schema: this.ownSchema, name: first.value });
    if (isName(first) && isOperator(point, '.') && isName(second) && rest.length === 0) {
      meanings.push({ schema: first.value, name: second.value });
    }
    // A name may contain characters that need quotes in a statement.
    const at = wanted.indexOf('.');
    if (at > 0) meanings.push({ schema: wanted.slice(0, at), name: wanted.slice(at + 1) });
    return meanings;
  }

  async #readTables(narrow: (query: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<TableFacts[]> {
    const open = await this.askWithoutClosed('TABLES', (query) =>
      narrow(
        query.select({
          schema: 'TABLE_SCHEMA',
          name: 'TABLE_NAME',
          type: 'TABLE_TYPE',
          engine: 'ENGINE',
          rows: 'TABLE_ROWS',
          comment: 'TABLE_COMMENT',
        }),
      ),
    );
    const rows = [...open, ...(await this.#readClosed(narrow))];
    return rows
      .map((row) => tableFacts(row, this.ownSchema))
      .sort((a, b) => Number(b.schema === this.ownSchema) - Number(a.schema === this.ownSchema) || byName(a, b));
  }

  /** Finds the views that are never opened; this query does not open them. */
  async #readClosed(narrow: (query: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<CatalogRow[]> {
    const closed = await this.closedViews();
    if (closed.length === 0) return [];
    const rows = await this.ask('TABLES', (query) =>
      narrow(query.select({ schema: 'TABLE_SCHEMA', name: 'TABLE_NAME', type: 'TABLE_TYPE' })),
    );
    return rows
      .filter(({ schema, name }) => closed.some((one) => one.schema === schema && one.name === name))
      .map((row) => ({ ...row, engine: null, rows: null, comment: CLOSED }));
  }
}

/** Why a view's columns are not shown. */
const CLOSED = 'not looked into: it calls functions whose effects DevDB cannot see, or is not shown to this user';

function byName(a: TableFacts, b: TableFacts): number {
  if (a.shown === b.shown) return 0;
  return a.shown < b.shown ? -1 : 1;
}

function tableFacts(row: CatalogRow, ownSchema: string): TableFacts {
  const { schema, name, type, engine, rows, comment } = row;
  const kind = type === 'SEQUENCE' ? 'sequence' : (type ?? '').includes('VIEW') ? 'view' : 'table';
  return {
    schema: schema ?? '',
    name: name ?? '',
    shown: shownName(schema ?? '', name ?? '', ownSchema),
    kind,
    isVersioned: type === 'SYSTEM VERSIONED',
    engine: engine ?? undefined,
    rows: rows === null || rows === undefined ? undefined : Number(rows),
    // A broken view has the error in its comment; an intact one has VIEW.
    comment: kind === 'view' && comment === 'VIEW' ? '' : (comment ?? ''),
  };
}
