import type { EngineKind } from './engine.ts';
import type { SqlReader } from './sql-reader.ts';

/** The readers without their engines: for a thread that has no driver. */
const READERS = {
  sqlite: async () => (await import('./sqlite/reader.ts')).reader,
  postgres: async () => (await import('./postgres/reader.ts')).reader,
  mysql2: async () => (await import('./mysql/reader.ts')).reader,
  mssql: async () => (await import('./mssql/reader.ts')).reader,
} satisfies Record<EngineKind, () => Promise<SqlReader>>;

/** How an engine reads a text; loads no driver. */
export function readerAlone(kind: EngineKind): Promise<SqlReader> {
  return READERS[kind]();
}
