import type { Engine, EngineContext, EngineKind, Session, Target } from './engine.ts';

/** The engines of this build. A driver is loaded when its first database is opened. */
export const engines = {
  sqlite: async () => (await import('./sqlite/session.ts')).sqlite,
  postgres: async () => (await import('./postgres/open.ts')).postgresEngine,
  mysql2: async () => (await import('./mysql/session.ts')).mysqlEngine,
  mssql: async () => (await import('./mssql/session.ts')).mssqlEngine,
} satisfies Partial<Record<EngineKind, () => Promise<Engine>>>;

const loaders: Partial<Record<EngineKind, () => Promise<Engine>>> = engines;

/** The kinds of database that this build can open. */
export const engineKinds: ReadonlySet<EngineKind> = new Set(
  (['sqlite', 'mysql2', 'postgres', 'mssql'] as const).filter((kind) => loaders[kind] !== undefined),
);

/** Opens one database. */
export async function openEngine(kind: EngineKind, target: Target, context: EngineContext): Promise<Session> {
  const load = loaders[kind];
  if (load === undefined) throw new Error(`This build has no engine for ${kind}.`);
  return (await load()).open(target, context);
}
