import { CONNECTION_WAIT_MS } from '@devdb/shared/limits';
import type { ToolOutput } from '@devdb/shared/tools';
import type { SCHEMA_KINDS } from '@devdb/shared/tools/search-schema';
import type {
  Caps,
  Engine,
  EngineContext,
  ExportSink,
  Guard,
  ReadOutcome,
  ServerTarget,
  Session,
  Statement,
  Target,
  WriteOutcome,
  WritePreview,
} from '../engine.ts';
import { Catalog } from './catalog.ts';
import { Connections } from './connections.ts';
import { explain } from './explain.ts';
import { explainError, type LookUp } from './explain-error.ts';
import { exportRows } from './export.ts';
import { failureOf } from './failures.ts';
import { NOT_CONNECTED, readGuard } from './guard.ts';
import { overview } from './overview.ts';
import { classify, hidesNothing, type InCatalog, type Reading, read } from './read.ts';
import { schemaText } from './schema-text.ts';
import { searchSchema } from './search.ts';
import { ViewBook } from './views.ts';
import { check, type PreviewTools, previewWrite, write } from './write.ts';

/** MySQL and MariaDB. */
export const mysqlEngine: Engine = { kind: 'mysql2', open };

function open(target: Target, context: EngineContext): Session {
  if ('file' in target) throw new Error('MySQL is a server, and this target is a file.');
  return new MysqlSession(target, context);
}

class MysqlSession implements Session {
  readonly #connections: Connections;
  readonly #log: EngineContext['log'];
  readonly #reading: Reading;
  #guard: Guard = NOT_CONNECTED;

  constructor(target: ServerTarget, context: EngineContext) {
    this.#log = context.log;
    this.#connections = new Connections(target, context, async (connection) => {
      this.#guard = await readGuard(connection);
    });
    this.#reading = {
      connections: this.#connections,
      views: new ViewBook(() => performance.now()),
      inCatalog: this.#inCatalog,
    };
  }

  get guard(): Guard {
    return this.#guard;
  }

  classify(sql: string): Promise<Statement> {
    const signal = AbortSignal.timeout(CONNECTION_WAIT_MS);
    return this.#told(sql, signal, () => classify(sql, this.#reading, signal));
  }

  facts(signal: AbortSignal): Promise<ToolOutput<'get-database-type'>> {
    return this.#told('', signal, () =>
      this.#connections.use(signal, async ({ version: { product, number } }) => ({
        type: 'mysql2',
        product,
        version: number,
      })),
    );
  }

  read(sql: string, caps: Caps, signal: AbortSignal): Promise<ReadOutcome> {
    return this.#told(sql, signal, () => read(sql, caps, this.#reading, signal));
  }

  check(sql: string, signal: AbortSignal): Promise<void> {
    return this.#told(sql, signal, () => check(sql, this.#connections, signal));
  }

  previewWrite(sql: string, signal: AbortSignal): Promise<WritePreview> {
    const tools: PreviewTools = {
      connections: this.#connections,
      catalog: this.#inCatalog,
      hidesNothing: (text, until) => hidesNothing(text, this.#reading, until),
    };
    return this.#told(sql, signal, () => previewWrite(sql, tools, signal));
  }

  write(sql: string, caps: Caps, expectedRows: number | undefined, signal: AbortSignal): Promise<WriteOutcome> {
    return this.#told(sql, signal, () => write(sql, caps, expectedRows, this.#connections, signal));
  }

  tables(signal: AbortSignal): Promise<string[]> {
    return this.#told('', signal, () =>
      this.#inCatalog(async (catalog) => (await catalog.tables()).map(({ shown }) => shown), signal),
    );
  }

  schema(table: string, signal: AbortSignal): Promise<string> {
    return this.#told('', signal, () => this.#inCatalog((catalog) => schemaText(catalog, table), signal));
  }

  overview(tables: readonly string[] | undefined, signal: AbortSignal): Promise<ToolOutput<'get-overview'>> {
    return this.#told('', signal, () => this.#inCatalog((catalog) => overview(catalog, tables), signal));
  }

  search(
    pattern: string,
    kind: (typeof SCHEMA_KINDS)[number] | undefined,
    signal: AbortSignal,
  ): Promise<ToolOutput<'search-schema'>> {
    return this.#told('', signal, () => this.#inCatalog((catalog) => searchSchema(catalog, pattern, kind), signal));
  }

  explain(sql: string, analyze: boolean, signal: AbortSignal): Promise<ToolOutput<'explain-query'>> {
    return this.#told(sql, signal, () => explain(sql, analyze, this.#reading, signal));
  }

  exportRows(sql: string, format: 'csv' | 'jsonl', sink: ExportSink, signal: AbortSignal): Promise<void> {
    return this.#told(sql, signal, () => exportRows(sql, format, sink, this.#reading, signal));
  }

  end(): Promise<void> {
    return this.#connections.end();
  }

  /** Work on the catalogue of a guarded connection. */
  readonly #inCatalog: InCatalog = (use, signal) =>
    this.#connections.use(signal, async (connection) => use(await Catalog.open(connection)));

  /** Runs a call, and turns the driver's errors into words. */
  async #told<T>(sql: string, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw await explainError(error, sql, this.#lookUp(signal));
    }
  }

  #lookUp(signal: AbortSignal): LookUp {
    return async (use) => {
      try {
        return await this.#inCatalog(use, signal);
      } catch (error) {
        // The server's own sentence stands without the help.
        this.#log('mysql-lookup-failed', { errno: failureOf(error).errno });
        return undefined;
      }
    };
  }
}
