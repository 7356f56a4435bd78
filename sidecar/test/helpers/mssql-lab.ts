import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Request } from 'tedious';
import { LAB_NAMES, obtainEngine } from '../../../fixtures/labs/engines.ts';
import { notRun } from '../../../fixtures/labs/not-run.ts';
import type { ServerTarget, Session } from '../../src/engines/engine.ts';
import { HeldBytes } from '../../src/engines/held-bytes.ts';
import { configurationOf } from '../../src/engines/mssql/address.ts';
import { open } from '../../src/engines/mssql/session.ts';
import { targetOf } from './engine-target.ts';

const SQL_DIR = join(__dirname, '../../../fixtures/sql/mssql');

/**
 * A suite's own database, the engine's session on it, and a plain driver connection for checking what the engine did.
 */
export interface MssqlDatabase {
  readonly target: ServerTarget;
  readonly session: Session;
  rows(sql: string): Promise<unknown[][]>;
  drop(): Promise<void>;
}

export interface MssqlLab {
  /** Makes a database from batches. */
  database(batches: readonly string[]): Promise<MssqlDatabase>;
}

/** Undefined when this run has no SQL Server, which is then listed as not run. */
export async function mssqlLab(): Promise<MssqlLab | undefined> {
  const engine = await obtainEngine('mssql');
  if ('notRun' in engine) {
    notRun(process.env, LAB_NAMES.mssql, engine.notRun);
    return undefined;
  }
  const admin = { ...targetOf(engine.url, 1433), options: Object.fromEntries(new URL(engine.url).searchParams) };
  return {
    database: async (batches) => {
      const database = `devdb_${randomBytes(6).toString('hex')}`;
      await ask(admin, [`CREATE DATABASE ${database}`]);
      const target = { ...admin, database };
      const remove = (): Promise<unknown> =>
        ask(admin, [`ALTER DATABASE ${database} SET SINGLE_USER WITH ROLLBACK IMMEDIATE`, `DROP DATABASE ${database}`]);
      try {
        await ask(target, batches);
      } catch (error) {
        // The suite reports the failure of the batches, whether or not the database could be removed.
        await remove().catch((second: unknown) => console.error(`${database} was left on the server.`, second));
        throw error;
      }
      const session = open(target, {
        projectRoot: tmpdir(),
        bundleDir: '',
        log: () => undefined,
        held: new HeldBytes(),
      });
      return {
        target,
        session,
        rows: (sql) => ask(target, [sql]),
        drop: async () => {
          await session.end();
          await remove();
        },
      };
    },
  };
}

/** The batches of a file of fixtures/sql/mssql. */
export function batchesOf(file: string): string[] {
  return batches(readFileSync(join(SQL_DIR, file), 'utf8'));
}

/** A script's batches, which are separated by GO. */
export function batches(script: string): string[] {
  return script.split(/^GO\s*$/m).filter((batch) => batch.trim() !== '');
}

/** Runs batches one after the other with the plain driver; returns all rows. */
async function ask(target: ServerTarget, sql: readonly string[]): Promise<unknown[][]> {
  const connection = new Connection(configurationOf(target, tmpdir()));
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error === undefined ? resolve() : reject(error)));
  });
  const rows: unknown[][] = [];
  try {
    for (const batch of sql) await run(connection, batch, rows);
  } finally {
    connection.close();
  }
  return rows;
}

function run(connection: Connection, batch: string, rows: unknown[][]): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new Request(batch, (error) => (error === null || error === undefined ? resolve() : reject(error)));
    request.on('row', (cells: readonly { readonly value: unknown }[]) => rows.push(cells.map(({ value }) => value)));
    connection.execSqlBatch(request);
  });
}
