import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EngineKind } from '@devdb/shared/engines';
import { type LabKind, notRunVariable, urlVariables } from '../../../fixtures/labs/engines/kinds.ts';
import { mysqlLab } from '../../../sidecar/test/helpers/mysql-lab.ts';
import { postgresLab } from '../../../sidecar/test/helpers/postgres-lab.ts';

/** A database of a project, and a way to it beside DevDB. */
export interface RowsLab {
  /** Its entry in .devdbrc, without the name. */
  readonly entry: Readonly<Record<string, unknown>>;
  ask(sql: string): Promise<unknown[][]>;
  remove(): Promise<void>;
}

export interface LabEngine {
  readonly name: string;
  readonly kind: EngineKind;
  /** Why this run lacks it. */
  readonly notRun: string | undefined;
  readonly open: (root: string) => Promise<RowsLab>;
}

/** Engines that a project can have side by side in one window. */
export const LAB_ENGINES: readonly LabEngine[] = [
  { name: 'sqlite', kind: 'sqlite', notRun: undefined, open: async (root) => sqliteLab(root) },
  server('postgres', 'postgres', async () => postgresLab()),
  server('mysql', 'mysql2', async () => mysqlLab('mysql')),
  server('mariadb', 'mysql2', async () => mysqlLab('mariadb')),
];

type Server = NonNullable<Awaited<ReturnType<typeof postgresLab | typeof mysqlLab>>>;

function server(name: Exclude<LabKind, 'mssql'>, kind: EngineKind, open: () => Promise<Server | undefined>): LabEngine {
  const { env } = process;
  const notRun = env[urlVariables(name).url] === undefined ? (env[notRunVariable(name)] ?? 'no URL for it') : undefined;
  return {
    name,
    kind,
    notRun,
    open: async () => {
      const lab = await open();
      if (lab === undefined) throw new Error(`There is no server for ${name} in this run.`);
      const { host, port, user, password, database } = lab.target;
      return {
        entry: { type: name, host, port, username: user, password: password?.open(), database },
        ask: (sql) => lab.ask(sql),
        remove: () => lab.remove(),
      };
    },
  };
}

function sqliteLab(root: string): RowsLab {
  const path = join('data', 'rows.db');
  const ask = async (sql: string) => {
    const database = new DatabaseSync(join(root, path));
    try {
      return database
        .prepare(sql)
        .all()
        .map((row) => Object.values(row));
    } finally {
      database.close();
    }
  };
  return { entry: { type: 'sqlite', path }, ask, remove: async () => undefined };
}
