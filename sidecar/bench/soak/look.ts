import { readdirSync, readlinkSync } from 'node:fs';
import { hasCode } from '../../src/host/error-code.ts';
import { CAN_WATCH_PROCESSES, processTree } from '../measure.ts';
import type { Rest } from './verdict.ts';

/** Logs, and the copy of the bundle with its code cache: both have their own limits. */
const OF_THE_HOME = /^(logs|versions)(\/|$)/;
/** SQLite's own files beside the database, present while a connection is open. */
const BESIDE_DATABASE = /\.db-(wal|shm|journal)$/;

/** What an idle process holds, and which files are in these folders. */
export function lookAtRest(pid: number, connections: number, folders: readonly string[]): Rest {
  return {
    openFiles: openFiles(pid),
    children: CAN_WATCH_PROCESSES ? processTree(pid).length - 1 : Number.NaN,
    connections,
    files: folders.flatMap(filesBelow),
  };
}

/** Resident memory of one process, without its children. */
export function residentBytes(pid: number): number {
  if (!CAN_WATCH_PROCESSES) return Number.NaN;
  return processTree(pid).find((one) => one.pid === pid)?.residentBytes ?? Number.NaN;
}

function openFiles(pid: number): number {
  if (!CAN_WATCH_PROCESSES) return Number.NaN;
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => isOpen(`${folder}/${name}`)).length;
}

function isOpen(file: string): boolean {
  try {
    readlinkSync(file);
    return true;
  } catch (error) {
    // Closed between being listed and being read.
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !OF_THE_HOME.test(file) && !BESIDE_DATABASE.test(file))
    .map((file) => `${folder}/${file}`);
}
