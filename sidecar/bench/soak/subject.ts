import { mkdirSync } from 'node:fs';
import type { ServerKind } from '../server-database.ts';
import { serverSubject } from './server-subject.ts';
import { sqliteSubject } from './sqlite-subject.ts';

export type SubjectName = 'sqlite' | ServerKind;

export const SUBJECT_NAMES: readonly SubjectName[] = ['sqlite', 'postgres', 'mysql', 'mariadb'];

/** An engine under soak: its database, and what can only be observed from outside. */
export interface Subject {
  readonly name: string;
  readonly version: string;
  /** A statement that runs for many seconds; the mark identifies it. */
  readonly slowQuery: (mark: string) => string;
  /** Connections DevDB may keep after some idle time; for SQLite these are processes, here and below. */
  readonly mostIdleConnections: number;
  /** Connections DevDB may keep right after calls. */
  readonly mostConnections: number;
  /** Whether `running` and `drop` work on this system. */
  readonly canDrop: boolean;
  /** Connections to the database as the server counts them; NaN where this system does not report them. */
  connections(): Promise<number>;
  /** How many statements with this mark are running. */
  running(mark: string): Promise<number>;
  /** Ends all connections from the server's side. */
  drop(): Promise<void>;
  /** The counter that the soak's writes increase. */
  counted(): Promise<number>;
  remove(): Promise<void>;
}

/** Makes the project's folder and the database, in it or on a server. `sidecar` is called while one runs. */
export async function openSubject(
  name: SubjectName,
  root: string,
  sidecar: () => number,
  onNotRun: (why: string) => void,
): Promise<Subject | undefined> {
  mkdirSync(root, { recursive: true });
  return name === 'sqlite' ? sqliteSubject(root, sidecar) : serverSubject(name, root, onNotRun);
}
