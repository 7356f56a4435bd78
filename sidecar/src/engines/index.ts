import { ENGINE_KINDS } from '@devdb/shared/engines';
import type { Engine, EngineContext, EngineKind, Session, Target } from './engine.ts';
import type { SqlReader } from './sql-reader.ts';

/** The engines of this build. A driver is loaded when its first database is opened. */
const ENGINES = {
  sqlite: async () => (await import('./sqlite/session.ts')).sqlite,
  postgres: async () => (await import('./postgres/open.ts')).postgresEngine,
  mysql2: async () => (await import('./mysql/session.ts')).mysqlEngine,
  mssql: async () => (await import('./mssql/session.ts')).mssqlEngine,
} satisfies Record<EngineKind, () => Promise<Engine>>;

/** The engines this build has. */
export const engineKinds: ReadonlySet<EngineKind> = new Set(ENGINE_KINDS);

/** Opens one database. */
export async function openEngine(kind: EngineKind, target: Target, context: EngineContext): Promise<Session> {
  const engine = await ENGINES[kind]();
  return engine.open(target, context);
}

/** How the engine reads a text. */
export async function readerOf(kind: EngineKind): Promise<SqlReader> {
  return (await ENGINES[kind]()).reader;
}
