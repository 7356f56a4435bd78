import { AppError } from '@devdb/shared/errors';
import type { SchemaGraph } from '@devdb/shared/protocol/schema-graph';
import type { Bindings, Engine, EngineContext, Guard, Session, Statement, Target } from '../engine.ts';
import { GRAPH, type Included } from '../overview-facts.ts';
import { withLookups } from '../overview-lookups.ts';
import { graphOf } from '../overview-outline.ts';
import type { RowEditing } from '../row-editing.ts';
import { bindNames } from './bind.ts';
import { allTables } from './catalog.ts';
import { changeRows } from './change-rows.ts';
import { Database } from './database.ts';
import { editableTable } from './editable.ts';
import { exportRows } from './export.ts';
import { facts } from './facts.ts';
import { ready } from './judge.ts';
import { literals } from './literals.ts';
import { tableIn } from './one-table.ts';
import { overview } from './overview.ts';
import { check, explain } from './plan.ts';
import { previewWrite } from './preview.ts';
import { read } from './read.ts';
import { reader } from './reader.ts';
import { rowValues } from './row-values.ts';
import { schemaText } from './schema.ts';
import { searchSchema } from './search.ts';
import { write } from './write.ts';

/** SQL Server, one connection per call. */
export const mssqlEngine: Engine = { kind: 'mssql', open, reader };

/** Opens nothing yet: the first call connects. */
export function open(target: Target, context: EngineContext): Session {
  if ('file' in target) throw new Error('SQL Server is a server, and this target is a file.');
  for (const field of [target.host, target.user, target.database]) {
    if (!field.includes('\0')) continue;
    throw new AppError('E_NO_CONNECTION', 'Host, user or database of the connection holds a NUL character.', {
      hint: 'Correct the connection.',
    });
  }
  return new MssqlSession(new Database(target, context));
}

class MssqlSession implements Session {
  readonly literals = literals;
  readonly editing: RowEditing = {
    values: rowValues,
    tableIn,
    table: (name, signal) => editableTable(this.#database, name, signal),
    change: (statements, signal) => changeRows(this.#database, statements, signal),
  };
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get guard(): Guard {
    return this.#database.guard;
  }

  async prepare(sql: string, _signal: AbortSignal, params?: Bindings): Promise<Statement> {
    const statement = ready(bindNames(sql, params));
    if (statement.effect === 'refused') return statement;
    const database = this.#database;
    return {
      effect: statement.effect,
      verb: statement.verb,
      read: (caps, signal) => read(database, statement, caps, signal),
      check: (signal) => check(database, statement, signal),
      preview: (signal) => previewWrite(database, statement, signal),
      write: (caps, expectedRows, signal) => write(database, statement, caps, expectedRows, signal),
      explain: (analyze, signal) => explain(database, statement, analyze, signal),
      export: (format, sink, signal) => exportRows(database, statement, format, sink, signal),
    };
  }

  facts(signal: AbortSignal): ReturnType<Session['facts']> {
    return facts(this.#database, signal);
  }

  async tables(signal: AbortSignal): Promise<string[]> {
    return (await allTables(this.#database, signal)).map(({ shown }) => shown);
  }

  schema(table: string, signal: AbortSignal): Promise<string> {
    return schemaText(this.#database, table, signal);
  }

  async overview(
    tables: readonly string[] | undefined,
    signal: AbortSignal,
    include: readonly Included[] = [],
  ): ReturnType<Session['overview']> {
    return withLookups(await overview(this.#database, tables, include, signal), this, signal);
  }

  async graph(tables: readonly string[] | undefined, signal: AbortSignal): Promise<SchemaGraph> {
    return graphOf(await overview(this.#database, tables, [GRAPH], signal));
  }

  search(pattern: string, kind: Parameters<Session['search']>[1], signal: AbortSignal): ReturnType<Session['search']> {
    return searchSchema(this.#database, pattern, kind, signal);
  }

  end(): Promise<void> {
    return this.#database.connections.end();
  }
}
