import { mkdirSync } from 'node:fs';
import { callDetailsSchema } from '@devdb/shared/protocol/activity-methods';
import { type CallRecord, callRecord } from '@devdb/shared/protocol/call-record';
import * as z from 'zod';
import type { Activity, KeptCall } from '../dispatch/activity/activity.ts';
import { EARLIER_CALLS_DAYS, MAX_EARLIER_CALLS } from '../dispatch/limits.ts';
import { atomicWrite, jsonOf } from '../host/files.ts';
import { FOLDER_MODE, type Home } from '../host/home.ts';
import type { Log } from '../host/log.ts';
import { readIfThere } from '../host/read-file.ts';
import { projectFile, removeOldFiles } from './project-file.ts';

const DAY_MS = 24 * 60 * 60_000;

const record = z.custom<CallRecord>((raw) => callRecord().fits(raw), 'a call');
const parse = jsonOf(z.array(z.object({ record, details: callDetailsSchema() })));

export interface EarlierCallsParts {
  readonly activity: Activity;
  readonly home: Pick<Home, 'activity'>;
  readonly log: Log;
}

/**
 * Carries the activity over a reload of the window: the last calls of each project go into a file of the home when the
 * sidecar ends, without any value, and the next one takes them from there.
 */
export class EarlierCalls {
  readonly #parts: EarlierCallsParts;
  readonly #restored = new Set<string>();

  constructor(parts: EarlierCallsParts) {
    this.#parts = parts;
  }

  /** Takes back the calls of a project that the last window on it left. */
  restore(root: string): void {
    if (this.#restored.has(root)) return;
    this.#restored.add(root);
    const { activity, log } = this.#parts;
    const file = this.#fileOf(root);
    try {
      const text = readIfThere(file);
      if (text === undefined) return;
      activity.restore(parse(text).filter(({ record }) => record.root === root && isRecent(record.startedAt)));
    } catch (error) {
      // What agents did before is no reason not to show what they do now.
      log('warn', 'activity-not-restored', { file, error });
    }
  }

  /** Leaves the calls for the next window, and removes what was left for too long. */
  save(): void {
    const { activity, home, log } = this.#parts;
    try {
      const roots = [...new Set(activity.list().map(({ root }) => root))];
      for (const root of roots) this.restore(root);
      if (roots.length > 0) mkdirSync(home.activity, { recursive: true, mode: FOLDER_MODE });
      const calls = activity.whole(false).filter(({ record }) => hasEnded(record));
      for (const root of roots) this.#write(root, calls);
      removeOldFiles(home.activity, EARLIER_CALLS_DAYS);
    } catch (error) {
      log('warn', 'activity-not-kept', { error });
    }
  }

  #write(root: string, calls: readonly KeptCall[]): void {
    const own = calls.filter(({ record }) => record.root === root);
    atomicWrite(this.#fileOf(root), JSON.stringify(own.slice(-MAX_EARLIER_CALLS)));
  }

  #fileOf(root: string): string {
    return projectFile(this.#parts.home.activity, root);
  }
}

function hasEnded({ state }: KeptCall['record']): boolean {
  return state !== 'running' && state !== 'asking';
}

function isRecent(startedAt: string): boolean {
  return Date.now() - Date.parse(startedAt) <= EARLIER_CALLS_DAYS * DAY_MS;
}
