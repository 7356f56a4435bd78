import { mkdirSync } from 'node:fs';
import type { ServerKind } from '../server-database.ts';
import { serverSubject } from './server-subject.ts';
import { sqliteSubject } from './sqlite-subject.ts';

export type SubjectName = 'sqlite' | ServerKind;

export const SUBJECT_NAMES: readonly SubjectName[] = ['sqlite', 'postgres', 'mysql', 'mariadb'];

/** An engine under soak: its database, and what only a look from outside tells. */
export interface Subject {
  readonly name: string;
  readonly version: string;
  /** A statement that runs for many seconds; the mark tells it from others. */
  readonly slowQuery: (mark: string) => string;
  /** Connections that DevDB may keep after a while with nothing to do; for SQLite processes, here and below. */
  readonly mostIdleConnections: number;
  /** Connections that DevDB may keep right after calls. */
  readonly mostConnections: number;
  /** Whether `running` and `drop` can be had on this system. */
  readonly canDrop: boolean;
  /** Connections to the database as the server counts them; NaN where this system does not tell. */
  connections(): Promise<number>;
  /** How many marked statements run. */
  running(mark: string): Promise<number>;
  /** Ends all connections from the server's side. */
  drop(): Promise<void>;
  /** The number that the soak's writes count up. */
  counted(): Promise<number>;
  remove(): Promise<void>;
}

/** Makes the project's folder and the database, in it or on a server. `sidecar` is asked for when one runs. */
export async function openSubject(
  name: SubjectName,
  root: string,
  sidecar: () => number,
  onNotRun: (why: string) => void,
): Promise<Subject | undefined> {
  mkdirSync(root, { recursive: true });
  return name === 'sqlite' ? sqliteSubject(root, sidecar) : serverSubject(name, root, onNotRun);
}
