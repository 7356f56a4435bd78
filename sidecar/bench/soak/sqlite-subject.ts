import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SQLITE_MAX_CHILDREN } from '../../src/engines/sqlite/limits.ts';
import { CAN_WATCH_PROCESSES, processTree } from '../measure.ts';
import type { Subject } from './subject.ts';
import { SERIES, TABLES } from './tables.ts';

/** SQLite: its connections are the sidecar's child processes, and dropping one means killing it. */
export function sqliteSubject(root: string, sidecar: () => number): Subject {
  const file = join(root, 'soak.db');
  const using = <T>(work: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(file);
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  const version = using((database) => {
    database.exec(`PRAGMA journal_mode = WAL; ${TABLES} INSERT INTO items ${SERIES};`);
    return String(database.prepare('SELECT sqlite_version() AS version').get()?.['version']);
  });
  const children = () => processTree(sidecar()).filter(({ pid }) => pid !== sidecar());
  const busy = () => children().filter(({ state }) => state === 'R');
  return {
    name: 'SQLite',
    version,
    slowQuery: (mark) =>
      `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 500000000) SELECT count(*), '${mark}' FROM c`,
    mostIdleConnections: 1,
    mostConnections: SQLITE_MAX_CHILDREN,
    canDrop: CAN_WATCH_PROCESSES,
    connections: async () => (CAN_WATCH_PROCESSES ? children().length : Number.NaN),
    running: async () => busy().length,
    drop: async () => {
      for (const { pid } of busy()) killIfThere(pid);
    },
    counted: async () => using((database) => Number(database.prepare('SELECT n FROM counter').get()?.['n'])),
    remove: async () => undefined,
  };
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It may have ended since it was listed.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
