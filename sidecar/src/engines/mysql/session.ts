import type { SchemaGraph } from '@devdb/shared/protocol/schema-graph';
import type { ToolOutput } from '@devdb/shared/tools';
import type { SCHEMA_KINDS } from '@devdb/shared/tools/database/search-schema';
import { type BoundStatement, unbound } from '../bound-statement.ts';
import type {
  Bindings,
  Engine,
  EngineContext,
  Guard,
  PreparedStatement,
  ServerTarget,
  Session,
  Statement,
  Target,
} from '../engine.ts';
import { GRAPH, type Included } from '../overview-facts.ts';
import { withLookups } from '../overview-lookups.ts';
import { graphOf } from '../overview-outline.ts';
import type { RowEditing } from '../row-editing.ts';
import { bindNames } from './bind.ts';
import { Catalog } from './catalog.ts';
import { changeRows } from './change-rows.ts';
import { editableTable } from './editable.ts';
import { failureOf } from './errors.ts';
import { explainError, type LookUp } from './explain-error.ts';
import { exportRows } from './export.ts';
import { NOT_CONNECTED, readGuard } from './guard.ts';
import { type ReadyStatement, ready } from './judge.ts';
import { literals } from './literals.ts';
import { tableIn } from './one-table.ts';
import { overview } from './overview.ts';
import { explain } from './plan.ts';
import { Connections } from './pool.ts';
import { effectOf, type InCatalog, type Reading, RecentReads, read } from './read.ts';
import { reader } from './reader.ts';
import { rowValues } from './row-values.ts';
import { schemaText } from './schema.ts';
import { searchSchema } from './search.ts';
import { check, type PreviewTools, previewWrite, write } from './write.ts';

/** MySQL and MariaDB. */
export const mysqlEngine: Engine = { kind: 'mysql2', open, reader };

function open(target: Target, context: EngineContext): Session {
  if ('file' in target) throw new Error('MySQL is a server, and this target is a file.');
  return new MysqlSession(target, context);
}

const NO_STATEMENT = unbound('');

class MysqlSession implements Session {
  readonly literals = literals;
  readonly editing: RowEditing = {
    values: rowValues,
    tableIn,
    table: (name, signal) =>
      this.#told(NO_STATEMENT, signal, () => this.#inCatalog((catalog) => editableTable(catalog, name), signal)),
    change: (statements, signal) =>
      this.#told(NO_STATEMENT, signal, () => changeRows(this.#connections, statements, signal)),
  };
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
      recent: new RecentReads(),
      inCatalog: this.#inCatalog,
    };
  }

  get guard(): Guard {
    return this.#connections.withLeftovers(this.#guard);
  }

  async prepare(sql: string, signal: AbortSignal, params?: Bindings): Promise<Statement> {
    const statement = ready(bindNames(sql, params));
    if (statement.effect === 'refused') return statement;
    const effect = await this.#told(statement, signal, () => effectOf(statement, this.#reading, signal));
    return this.#prepared(statement, effect);
  }

  facts(signal: AbortSignal): Promise<ToolOutput<'get-database-type'>> {
    return this.#told(NO_STATEMENT, signal, () =>
      this.#connections.use(signal, async ({ version: { product, number } }) => ({
        type: 'mysql2',
        product,
        version: number,
      })),
    );
  }

  tables(signal: AbortSignal): Promise<string[]> {
    return this.#told(NO_STATEMENT, signal, () =>
      this.#inCatalog(async (catalog) => (await catalog.tables()).map(({ shown }) => shown), signal),
    );
  }

  schema(table: string, signal: AbortSignal): Promise<string> {
    return this.#told(NO_STATEMENT, signal, () => this.#inCatalog((catalog) => schemaText(catalog, table), signal));
  }

  async overview(
    tables: readonly string[] | undefined,
    signal: AbortSignal,
    include?: readonly Included[],
  ): Promise<ToolOutput<'get-overview'>> {
    const found = await this.#told(NO_STATEMENT, signal, () =>
      this.#inCatalog((catalog) => overview(catalog, tables, include), signal),
    );
    return withLookups(found, this, signal);
  }

  async graph(tables: readonly string[] | undefined, signal: AbortSignal): Promise<SchemaGraph> {
    return this.#told(NO_STATEMENT, signal, () =>
      this.#inCatalog(async (catalog) => graphOf(await overview(catalog, tables, [GRAPH])), signal),
    );
  }

  search(
    pattern: string,
    kind: (typeof SCHEMA_KINDS)[number] | undefined,
    signal: AbortSignal,
  ): Promise<ToolOutput<'search-schema'>> {
    return this.#told(NO_STATEMENT, signal, () =>
      this.#inCatalog((catalog) => searchSchema(catalog, pattern, kind), signal),
    );
  }

  end(): Promise<void> {
    return this.#connections.end();
  }

  #prepared(statement: ReadyStatement, effect: PreparedStatement['effect']): PreparedStatement {
    const reading = this.#reading;
    const { connections } = reading;
    const told = <T>(signal: AbortSignal, call: () => Promise<T>) => this.#told(statement, signal, call);
    const tools: PreviewTools = { connections, catalog: this.#inCatalog };
    return {
      effect,
      verb: statement.verb,
      read: (caps, signal) => told(signal, () => read(statement, caps, reading, signal)),
      check: (signal) => told(signal, () => check(statement, connections, signal)),
      preview: (signal) => told(signal, () => previewWrite(statement, tools, signal)),
      write: (caps, expectedRows, signal) =>
        told(signal, () => write(statement, caps, expectedRows, connections, signal)),
      explain: (analyze, signal) => told(signal, () => explain(statement, analyze, reading, signal)),
      export: (format, sink, signal) => told(signal, () => exportRows(statement, format, sink, reading, signal)),
    };
  }

  /** Work on the catalogue over a guarded connection. */
  readonly #inCatalog: InCatalog = (use, signal) =>
    this.#connections.use(signal, async (connection) => use(await Catalog.open(connection)));

  /** Runs a call, and explains the driver's errors. */
  async #told<T>(statement: BoundStatement, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw await explainError(error, statement, this.#lookUp(signal));
    }
  }

  #lookUp(signal: AbortSignal): LookUp {
    return async (use) => {
      try {
        return await this.#inCatalog(use, signal);
      } catch (error) {
        // Without the lookup the server's own message stands alone.
        this.#log('mysql-lookup-failed', { errno: failureOf(error).errno });
        return undefined;
      }
    };
  }
}
