import { AppError } from '@devdb/shared/errors';
import type {
  Bindings,
  Caps,
  Engine,
  EngineContext,
  ExportSink,
  Guard,
  ReadOutcome,
  Session,
  Statement,
  Target,
  WriteOutcome,
  WritePreview,
} from '../engine.ts';
import { bindNames } from './bindings.ts';
import { allTables } from './catalog.ts';
import { classifyBound } from './classify.ts';
import { Database } from './database.ts';
import { exportRows } from './export.ts';
import { facts } from './facts.ts';
import { overview } from './overview.ts';
import { previewWrite } from './preview.ts';
import { read } from './read.ts';
import { schemaText } from './schema-text.ts';
import { searchSchema } from './search.ts';
import { check, explain } from './show-plan.ts';
import { write } from './write.ts';

/** SQL Server, one connection for each call. */
export const mssqlEngine: Engine = { kind: 'mssql', open };

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
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get guard(): Guard {
    return this.#database.guard;
  }

  classify(sql: string, params?: Bindings): Statement {
    return classifyBound(bindNames(sql, params));
  }

  facts(signal: AbortSignal): ReturnType<Session['facts']> {
    return facts(this.#database, signal);
  }

  async read(sql: string, caps: Caps, signal: AbortSignal, params?: Bindings): Promise<ReadOutcome> {
    return read(this.#database, bindNames(sql, params), caps, signal);
  }

  async check(sql: string, signal: AbortSignal, params?: Bindings): Promise<void> {
    await check(this.#database, bindNames(sql, params), signal);
  }

  async previewWrite(sql: string, signal: AbortSignal, params?: Bindings): Promise<WritePreview> {
    return previewWrite(this.#database, bindNames(sql, params), signal);
  }

  async write(
    sql: string,
    caps: Caps,
    expectedRows: number | undefined,
    signal: AbortSignal,
    params?: Bindings,
  ): Promise<WriteOutcome> {
    return write(this.#database, bindNames(sql, params), caps, expectedRows, signal);
  }

  async tables(signal: AbortSignal): Promise<string[]> {
    return (await allTables(this.#database, signal)).map(({ shown }) => shown);
  }

  schema(table: string, signal: AbortSignal): Promise<string> {
    return schemaText(this.#database, table, signal);
  }

  overview(tables: readonly string[] | undefined, signal: AbortSignal): ReturnType<Session['overview']> {
    return overview(this.#database, tables, signal);
  }

  search(pattern: string, kind: Parameters<Session['search']>[1], signal: AbortSignal): ReturnType<Session['search']> {
    return searchSchema(this.#database, pattern, kind, signal);
  }

  async explain(sql: string, analyze: boolean, signal: AbortSignal): ReturnType<Session['explain']> {
    return explain(this.#database, sql, analyze, signal);
  }

  exportRows(sql: string, format: 'csv' | 'jsonl', sink: ExportSink, signal: AbortSignal): Promise<void> {
    return exportRows(this.#database, sql, format, sink, signal);
  }

  end(): Promise<void> {
    return this.#database.connections.end();
  }
}
