import type { SchemaGraph } from '@devdb/shared/protocol/schema-graph';
import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import type { Bindings, EngineContext, Guard, PreparedStatement, ServerTarget, Session, Statement } from '../engine.ts';
import { GRAPH, type Included } from '../overview-facts.ts';
import { withLookups } from '../overview-lookups.ts';
import { graphOf } from '../overview-outline.ts';
import type { RowEditing } from '../row-editing.ts';
import { bindNames } from './bind.ts';
import { allRelations, shownName } from './catalog.ts';
import { askCatalog, type Catalog } from './catalog-query.ts';
import { changeRows } from './change-rows.ts';
import type { Database } from './database.ts';
import { editableTable } from './editable.ts';
import { withNearNames } from './explain-error.ts';
import { exportRows } from './export.ts';
import { NOT_CONNECTED, readGuard } from './guard.ts';
import { type ReadyStatement, ready } from './judge.ts';
import { literals } from './literals.ts';
import { tableIn } from './one-table.ts';
import { overview } from './overview.ts';
import { explain } from './plan.ts';
import { Connections } from './pool.ts';
import { previewWrite } from './preview.ts';
import { ReachBook } from './reach.ts';
import { read } from './read.ts';
import { rowValues } from './row-values.ts';
import { schemaText } from './schema.ts';
import { searchSchema } from './search.ts';
import { loadGrammar } from './sql-tree.ts';
import { TypeBook } from './type-book.ts';
import { check, write } from './write.ts';

/** One Postgres database. */
export class PostgresSession implements Session {
  readonly literals = literals;
  readonly editing: RowEditing = {
    values: rowValues,
    tableIn,
    table: (name, signal) => this.#ask(signal, (catalog) => editableTable(catalog, name)),
    change: (statements, signal) => changeRows(this.#database, statements, signal),
  };
  readonly #connections: Connections;
  readonly #database: Database;
  #guard = NOT_CONNECTED;

  constructor(target: ServerTarget, context: EngineContext) {
    this.#connections = new Connections(target, context, async (connection) => {
      this.#guard = await readGuard(connection);
    });
    this.#database = { connections: this.#connections, types: new TypeBook(), reach: new ReachBook() };
  }

  /** Known since the first connection and updated with each new one, since a role's rights change. */
  get guard(): Guard {
    return this.#connections.withLeftovers(this.#guard);
  }

  async prepare(sql: string, signal: AbortSignal, params?: Bindings): Promise<Statement> {
    await loadGrammar();
    const statement = ready(bindNames(sql, params));
    if (statement.effect === 'refused') return statement;
    const prepared = this.#prepared(statement);
    // Text our grammar cannot parse is a mistake, which the server explains best, or newer syntax of the server.
    if (statement.node === undefined) await prepared.check(signal);
    return prepared;
  }

  facts(signal: AbortSignal): Promise<ToolOutput<'get-database-type'>> {
    return this.#connections.use(signal, async (connection, progress) => {
      progress.reached = 'read';
      let version = '';
      await connection.run('SHOW server_version', 'statement', {
        row: ([text]) => {
          version = text ?? '';
        },
      });
      return { type: 'postgres', product: 'PostgreSQL', version };
    });
  }

  tables(signal: AbortSignal): Promise<string[]> {
    return this.#ask(signal, async (catalog) => (await allRelations(catalog)).map(shownName));
  }

  schema(table: string, signal: AbortSignal): Promise<string> {
    return this.#ask(signal, (catalog) => schemaText(catalog, table));
  }

  async overview(
    tables: readonly string[] | undefined,
    signal: AbortSignal,
    include?: readonly Included[],
  ): Promise<ToolOutput<'get-overview'>> {
    return withLookups(await this.#ask(signal, (catalog) => overview(catalog, tables, include)), this, signal);
  }

  async graph(tables: readonly string[] | undefined, signal: AbortSignal): Promise<SchemaGraph> {
    return graphOf(await this.#ask(signal, (catalog) => overview(catalog, tables, [GRAPH])));
  }

  search(
    pattern: string,
    kind: ToolInput<'search-schema'>['kind'],
    signal: AbortSignal,
  ): Promise<ToolOutput<'search-schema'>> {
    return this.#ask(signal, (catalog) => searchSchema(catalog, pattern, kind));
  }

  end(): Promise<void> {
    return this.#connections.end();
  }

  async #ask<T>(signal: AbortSignal, work: (catalog: Catalog) => Promise<T>): Promise<T> {
    await loadGrammar();
    return askCatalog(this.#connections, signal, work);
  }

  #prepared(statement: ReadyStatement): PreparedStatement {
    const database = this.#database;
    const told = <T>(signal: AbortSignal, call: () => Promise<T>) => this.#told(statement, signal, call);
    return {
      effect: statement.effect,
      verb: statement.verb,
      read: (caps, signal) => told(signal, () => read(database, statement, caps, signal)),
      check: (signal) => told(signal, () => check(database, statement, signal)),
      preview: (signal) => told(signal, () => previewWrite(database, statement, signal)),
      write: (caps, expectedRows, signal) => told(signal, () => write(database, statement, caps, expectedRows, signal)),
      explain: (analyze, signal) => told(signal, () => explain(database, statement, analyze, signal)),
      export: (format, sink, signal) => told(signal, () => exportRows(database, statement, format, sink, signal)),
    };
  }

  /** Work on a statement: its errors get suggestions of similar names. */
  async #told<T>({ node }: ReadyStatement, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await withNearNames(error, node, this.#connections, signal);
    }
  }
}
