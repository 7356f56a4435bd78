import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import type { Caps, Session } from '../../src/engines/engine.ts';
import { BUSY_TIMEOUT_MS } from '../../src/engines/sqlite/limits.ts';
import { open } from '../../src/engines/sqlite/session.ts';
import { engineContext } from './engine-target.ts';
import { sqliteBundle } from './sqlite-bundle.ts';
import { readOf } from './statements.ts';

export const CAPS: Caps = { rows: 500, bytes: 32 * 1024, cellBytes: 4 * 1024 };

/** Counts for ever and returns no row. */
export const ENDLESS = 'WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT max(i) FROM c';

export interface SqliteLab {
  /** A temporary folder for databases. */
  readonly dir: string;
  readonly bundleDir: string;
  /** What the engine logged. */
  readonly logged: { readonly event: string; readonly facts: Readonly<Record<string, unknown>> }[];
  /** A session that ends with the lab. */
  session(file: string): Session;
  end(): Promise<void>;
}

/** The engine with its bundled children, and a folder for databases. */
export async function sqliteLab(): Promise<SqliteLab> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-engine-')));
  const dir = join(root, 'data');
  mkdirSync(dir);
  const bundleDir = await sqliteBundle(join(root, 'bundle'));
  const sessions: Session[] = [];
  const logged: SqliteLab['logged'] = [];
  return {
    dir,
    bundleDir,
    logged,
    session(file) {
      const session = open(
        { file },
        { ...engineContext(dir, bundleDir), log: (event, facts) => logged.push({ event, facts }) },
      );
      sessions.push(session);
      return session;
    },
    async end() {
      await Promise.all(sessions.map((session) => session.end()));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A deadline that only a broken test reaches. */
export const soon = (): AbortSignal => AbortSignal.timeout(60_000);

/** The rows of a read. */
export async function rowsRead(session: Session, sql: string, caps: Caps = CAPS) {
  const outcome = await readOf(session, sql, caps, soon());
  if (outcome.kind !== 'rows') throw new Error(`Taken for a write: ${sql}`);
  return outcome.rows;
}

/** The same, which asks again where a lock was held for the whole time that a statement waits for one. */
export async function rowsReadWhenFree(session: Session, sql: string) {
  for (;;) {
    const began = performance.now();
    try {
      return await rowsRead(session, sql);
    } catch (error) {
      const isLocked = error instanceof AppError && error.message.startsWith('The database is locked');
      if (!isLocked || performance.now() - began < BUSY_TIMEOUT_MS) throw error;
    }
  }
}
