import Database from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import type { Target } from '../../src/engines/engine.ts';
import type { EngineUnderTest } from './engines-under-test.ts';

/** Changes a row on a connection of its own and leaves the transaction open; the answer lets go of it. */
export async function holdRow(
  kind: EngineUnderTest['kind'],
  target: Target,
  sql: string,
): Promise<() => Promise<void>> {
  if ('file' in target) return holdFile(target.file, sql);
  const { host, port, user, database } = target;
  const password = target.password?.open();
  if (kind === 'postgres') {
    const client = new pg.Client({ host, port, user, database, password });
    await client.connect();
    await client.query('BEGIN');
    await client.query(sql);
    return () => client.end();
  }
  if (kind !== 'mysql2') throw new Error(`No holder of rows for ${kind}.`);
  const connection = await createConnection({
    host,
    port,
    user,
    database,
    ...(password === undefined ? {} : { password }),
  });
  await connection.query('BEGIN');
  await connection.query(sql);
  return () => connection.end();
}

async function holdFile(file: string, sql: string): Promise<() => Promise<void>> {
  const db = new Database(file);
  db.exec('BEGIN IMMEDIATE');
  db.exec(sql);
  return async () => {
    db.close();
  };
}
