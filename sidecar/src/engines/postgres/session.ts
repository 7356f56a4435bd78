import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import type {
  Bindings,
  Caps,
  EngineContext,
  ExportSink,
  Guard,
  ReadOutcome,
  ServerTarget,
  Session,
  Statement,
  WriteOutcome,
  WritePreview,
} from '../engine.ts';
import { bindNames, type PostgresStatement } from './bindings.ts';
import { allRelations, shownName } from './catalog.ts';
import { askCatalog, type Catalog } from './catalog-query.ts';
import { judgeBound } from './classify.ts';
import { Connections } from './connections.ts';
import { explain } from './explain.ts';
import { exportRows } from './export.ts';
import { NOT_CONNECTED, readGuard } from './guard.ts';
import { withNearNames } from './near.ts';
import { overview } from './overview.ts';
import { previewWrite } from './preview.ts';
import { ReachBook } from './reach.ts';
import { read } from './read.ts';
import { schemaText } from './schema-text.ts';
import { searchSchema } from './search.ts';
import { loadGrammar } from './sql-tree.ts';
import { TypeBook } from './type-book.ts';
import { check, write } from './write.ts';

/** One Postgres database. */
export class PostgresSession implements Session {
  readonly #connections: Connections;
  readonly #types = new TypeBook();
  readonly #reach = new ReachBook();
  #guard = NOT_CONNECTED;

  constructor(target: ServerTarget, context: EngineContext) {
    this.#connections = new Connections(target, context, async (connection) => {
      this.#guard = await readGuard(connection);
    });
  }

  /** Known from the first connection on, and anew with each: a role's rights change. */
  get guard(): Guard {
    return this.#guard;
  }

  async classify(sql: string, params?: Bindings): Promise<Statement> {
    await loadGrammar();
    return judgeBound(bindNames(sql, params)).statement;
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

  read(sql: string, caps: Caps, signal: AbortSignal, params?: Bindings): Promise<ReadOutcome> {
    return this.#bound(sql, params, signal, async (bound) => {
      // What the grammar does not know is not sent as a read; a slip in it is the server's to tell.
      if (judgeBound(bound).node === undefined) await check(this.#connections, this.#reach, bound, signal);
      return read(this.#connections, this.#types, this.#reach, bound, caps, signal);
    });
  }

  check(sql: string, signal: AbortSignal, params?: Bindings): Promise<void> {
    return this.#bound(sql, params, signal, (bound) => check(this.#connections, this.#reach, bound, signal));
  }

  previewWrite(sql: string, signal: AbortSignal, params?: Bindings): Promise<WritePreview> {
    return this.#bound(sql, params, signal, (bound) => previewWrite(this.#connections, this.#reach, bound, signal));
  }

  write(
    sql: string,
    caps: Caps,
    expectedRows: number | undefined,
    signal: AbortSignal,
    params?: Bindings,
  ): Promise<WriteOutcome> {
    return this.#bound(sql, params, signal, (bound) =>
      write(this.#connections, this.#types, bound, caps, expectedRows, signal),
    );
  }

  tables(signal: AbortSignal): Promise<string[]> {
    return this.#ask(signal, async (catalog) => (await allRelations(catalog)).map(shownName));
  }

  schema(table: string, signal: AbortSignal): Promise<string> {
    return this.#ask(signal, (catalog) => schemaText(catalog, table));
  }

  overview(tables: readonly string[] | undefined, signal: AbortSignal): Promise<ToolOutput<'get-overview'>> {
    return this.#ask(signal, (catalog) => overview(catalog, tables));
  }

  search(
    pattern: string,
    kind: ToolInput<'search-schema'>['kind'],
    signal: AbortSignal,
  ): Promise<ToolOutput<'search-schema'>> {
    return this.#ask(signal, (catalog) => searchSchema(catalog, pattern, kind));
  }

  explain(sql: string, analyze: boolean, signal: AbortSignal): Promise<ToolOutput<'explain-query'>> {
    return this.#about(sql, signal, () => explain(this.#connections, this.#reach, sql, analyze, signal));
  }

  exportRows(sql: string, format: 'csv' | 'jsonl', sink: ExportSink, signal: AbortSignal): Promise<void> {
    return this.#about(sql, signal, () => exportRows(this.#connections, this.#reach, sql, format, sink, signal));
  }

  end(): Promise<void> {
    return this.#connections.end();
  }

  async #ask<T>(signal: AbortSignal, work: (catalog: Catalog) => Promise<T>): Promise<T> {
    await loadGrammar();
    return askCatalog(this.#connections, signal, work);
  }

  #about<T>(sql: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#bound(sql, undefined, signal, work);
  }

  /** Work on a statement: its errors come back with names that may have been meant. */
  async #bound<T>(
    sql: string,
    params: Bindings | undefined,
    signal: AbortSignal,
    work: (statement: PostgresStatement) => Promise<T>,
  ): Promise<T> {
    await loadGrammar();
    const statement = bindNames(sql, params);
    try {
      return await work(statement);
    } catch (error) {
      throw await withNearNames(error, statement, this.#connections, signal);
    }
  }
}
