import { type PlainText, plain } from './plain-text.ts';

/** The database engines, as tools name them. What is known of one by its name stands in `ENGINES`. */
export const ENGINE_KINDS = ['sqlite', 'mysql2', 'postgres', 'mssql'] as const;
export type EngineKind = (typeof ENGINE_KINDS)[number];

/** The engines that have a server. */
export type ServerKind = Exclude<EngineKind, 'sqlite'>;

/** The servers that a person can choose, as `.devdbrc` names them. */
export const SERVER_TYPES = ['postgres', 'mysql', 'mariadb', 'mssql'] as const;
export type ServerType = (typeof SERVER_TYPES)[number];

/** The engine of each server, and what people call it. */
export const SERVERS = {
  postgres: { kind: 'postgres', title: plain`PostgreSQL` },
  mysql: { kind: 'mysql2', title: plain`MySQL` },
  mariadb: { kind: 'mysql2', title: plain`MariaDB` },
  mssql: { kind: 'mssql', title: plain`SQL Server` },
} as const satisfies Record<ServerType, { readonly kind: ServerKind; readonly title: PlainText }>;

interface EngineFacts {
  /** As `.devdbrc` names it, where no more is known than the engine. */
  readonly type: ServerType | 'sqlite';
  /** Where its servers listen by default. */
  readonly port: number | undefined;
  /** What stands around a name in a statement; the closing one is doubled inside. */
  readonly quotes: readonly [open: string, close: string];
  /** Whether get-tables puts a schema in front of names. */
  readonly hasSchemas: boolean;
}

export const ENGINES = {
  sqlite: { type: 'sqlite', port: undefined, quotes: ['"', '"'], hasSchemas: false },
  mysql2: { type: 'mysql', port: 3306, quotes: ['`', '`'], hasSchemas: true },
  postgres: { type: 'postgres', port: 5432, quotes: ['"', '"'], hasSchemas: true },
  mssql: { type: 'mssql', port: 1433, quotes: ['[', ']'], hasSchemas: true },
} as const satisfies Record<EngineKind, EngineFacts>;
