import { chmodSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '@devdb/shared/errors';

/** The folder of DevDB's files: one per user, readable by that user only. */
export interface Home {
  readonly dir: string;
  /** `{projectRoot: port}` of the projects open now. */
  readonly registry: string;
  readonly ports: string;
  readonly lock: string;
  readonly token: string;
  readonly trust: string;
  readonly launcher: string;
  readonly versions: string;
  readonly logs: string;
  /** Rows that persons scroll through, in a folder of each process. */
  readonly results: string;
  /** What agents did in projects whose windows are closed, without values. */
  readonly activity: string;
  /** What a person ran, a file for each project. */
  readonly history: string;
}

/** The paths of a home; does not touch the disk. */
export function homeAt(dir: string): Home {
  return {
    dir,
    registry: join(dir, 'mcp.json'),
    ports: join(dir, 'ports.json'),
    lock: join(dir, 'lock'),
    token: join(dir, 'token'),
    trust: join(dir, 'trust.json'),
    launcher: join(dir, 'bin', 'devdb-mcp.cjs'),
    versions: join(dir, 'versions'),
    logs: join(dir, 'logs'),
    results: join(dir, 'spool'),
    activity: join(dir, 'activity'),
    history: join(dir, 'history'),
  };
}

/** `DEVDB_HOME` (a relative one is relative to the working directory), else `~/.devdb`. */
export function homeFromEnv(env: Readonly<Record<string, string | undefined>>): Home {
  return homeAt(resolve(env['DEVDB_HOME'] || join(homedir(), '.devdb')));
}

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Makes the folder with its mode, and corrects a wider one. */
export function ensureHome({ dir }: Home): void {
  try {
    mkdirSync(dir, { recursive: true, mode: FOLDER_MODE });
    chmodSync(dir, FOLDER_MODE);
  } catch (cause) {
    throw new AppError(
      'E_INTERNAL',
      `DevDB cannot use ${dir} as its folder: ${cause instanceof Error ? cause.message : String(cause)}.`,
      {
        hint: 'It must be a folder you own and can write to; DEVDB_HOME can name another.',
        cause,
      },
    );
  }
}
