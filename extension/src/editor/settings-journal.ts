import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import * as z from 'zod';
import { codeOf } from './error-code.ts';

const HELD = 'held.json';
const LEFT = /^left-.*\.json$/;
const LOOK_AGAIN_MS = 100;
/** Borrowing takes seconds. If a dead process's pid is in use again, waiting still ends. */
const ABANDONED_MS = 5 * 60_000;

/** Where a setting was changed, its old value (omitted: none), and its value meanwhile. */
const borrowedSchema = z.strictObject({
  key: z.string(),
  folder: z.string(),
  level: z.enum(['folder', 'workspace', 'user']),
  value: z.unknown().optional(),
  meanwhile: z.unknown(),
});
const heldSchema = z.strictObject({
  pid: z.int(),
  /** Distinguishes processes that reused a pid. */
  owner: z.string(),
  at: z.number(),
  settings: z.array(borrowedSchema),
});
type Held = z.infer<typeof heldSchema>;

/** Not readable: treated as if nothing had been borrowed. */
const UNREADABLE: Held = { pid: 0, owner: '', at: 0, settings: [] };

export type Borrowed = z.infer<typeof borrowedSchema>;

/**
 * Records which settings are temporarily changed, in a file that every window on this machine sees, since user settings
 * belong to all of them. The file is also the lock: no two windows change settings at once. What a dead window left
 * changed is kept until it can be restored.
 */
export class SettingsJournal {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #pid: number;
  readonly #owner = randomUUID();

  constructor(folder: string, pid: number = process.pid, now: () => number = Date.now) {
    this.#folder = folder;
    this.#pid = pid;
    this.#now = now;
  }

  /** Waits until no other window has changed settings. */
  async take(signal: AbortSignal): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    while (!this.#tryTake()) await after(LOOK_AGAIN_MS, undefined, { signal });
  }

  /** Records what is about to be changed. It is on disk when this returns. */
  note(settings: readonly Borrowed[]): void {
    const file = this.#draft(settings);
    renameSync(file, this.#held);
  }

  /** Everything was restored. */
  release(): void {
    rmSync(this.#held, { force: true });
  }

  /** Something could not be restored; a later attempt follows. */
  leave(): void {
    renameSync(this.#held, this.#newLeft());
  }

  /** What ended windows did not restore, by the file that records it. */
  leftovers(): ReadonlyMap<string, readonly Borrowed[]> {
    this.#abandonDead();
    const files = this.#files().filter((name) => LEFT.test(name));
    return new Map(
      files.map((name) => [join(this.#folder, name), this.#read(join(this.#folder, name))?.settings ?? []]),
    );
  }

  /** Keeps only these in a file of leftovers. */
  keep(file: string, settings: readonly Borrowed[]): void {
    if (settings.length === 0) rmSync(file, { force: true });
    else renameSync(this.#draft(settings), file);
  }

  get #held(): string {
    return join(this.#folder, HELD);
  }

  #tryTake(): boolean {
    this.#abandonDead();
    const draft = this.#draft([]);
    try {
      // Unlike a rename, a link never replaces another window's file.
      linkSync(draft, this.#held);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }

  #abandonDead(): void {
    const held = this.#read(this.#held);
    if (held === undefined || this.#isInUse(held)) return;
    const left = this.#newLeft();
    try {
      renameSync(this.#held, left);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      throw error;
    }
    // Another window was faster, and the file moved away is its own.
    if (this.#read(left)?.owner !== held.owner) renameSync(left, this.#held);
  }

  #isInUse({ pid, owner, at }: Held): boolean {
    if (this.#now() - at > ABANDONED_MS) return false;
    return pid === this.#pid ? owner === this.#owner : isAlive(pid);
  }

  #draft(settings: readonly Borrowed[]): string {
    const file = join(this.#folder, `draft-${randomUUID()}`);
    writeFileSync(file, JSON.stringify({ pid: this.#pid, owner: this.#owner, at: this.#now(), settings }), {
      mode: 0o600,
      flush: true,
    });
    return file;
  }

  #read(file: string): Held | undefined {
    try {
      return heldSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? UNREADABLE;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      return UNREADABLE;
    }
  }

  #newLeft(): string {
    return join(this.#folder, `left-${randomUUID()}.json`);
  }

  #files(): string[] {
    try {
      return readdirSync(this.#folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
