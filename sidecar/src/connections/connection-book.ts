import { AppError } from '@devdb/shared/errors';
import { DETECTION_TIMEOUT_MS, FOLDER_LOOK_INTERVAL_MS } from '@devdb/shared/limits';
import type { ToolOutput } from '@devdb/shared/tools';
import type { EngineKind, Guard, Target } from '../engines/engine.ts';
import { type DetectionResult, detect, type Found } from '../projects/detect.ts';
import type { Detector, Skipped, Source } from '../projects/detector.ts';
import { type FirstLook, firstLook, looksUnchanged, refresh, type Trace } from '../projects/trace.ts';
import {
  type About,
  noDatabase,
  notApproved,
  notInThisBuild,
  unknownId,
  unresolvedReference,
} from './connection-errors.ts';
import { reasonForTrust, type Trust } from './trust.ts';

/** One database of the project, as callers see it. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly kind: EngineKind;
  readonly target: Target;
  /** The target for people; never a password. */
  readonly shown: string;
  readonly source: Source;
  readonly isDefault: boolean;
  readonly trusted: boolean;
  readonly needsTrust: string | undefined;
  readonly supported: boolean;
  readonly guard: Guard;
  /** Environment variables that have to be given a value before it can be opened. */
  readonly missing: readonly string[];
  readonly trustHash: string;
}

export interface BookState {
  /** Best first. */
  readonly entries: readonly Entry[];
  readonly skipped: readonly Skipped[];
}

export interface BookOptions {
  readonly projectRoot: string;
  readonly detectors: readonly Detector[];
  /** The engines of this build. */
  readonly supported: ReadonlySet<EngineKind>;
  readonly trust: Trust;
  readonly now: () => number;
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void;
}

/** How the default is chosen, for people. */
export const DEFAULT_RULE =
  'The default is the first that needs no approval or has one: .devdbrc in its order, then DATABASE_URL of the development .env files, then database files in the usual places, then test environments, then other environments.';

const GUARDS: Readonly<Record<EngineKind, Guard>> = {
  sqlite: {
    strength: 'enforced',
    reason: 'SQLite opens the file read-only and refuses to write; one statement of a list of reads is run at a time.',
  },
  postgres: { strength: 'guarded', reason: 'Reads run in a read-only transaction that is rolled back.' },
  mysql2: { strength: 'guarded', reason: 'Reads run in a read-only transaction that is rolled back.' },
  mssql: { strength: 'guarded', reason: 'Reads run in a transaction that is rolled back.' },
};

interface Known {
  readonly id: string;
  /** Ids under which the same database was found too; they go on working. */
  readonly aliases: readonly string[];
  readonly found: Found;
  readonly needsTrust: string | undefined;
  readonly trustHash: string;
}

interface Book {
  readonly known: readonly Known[];
  readonly skipped: readonly Skipped[];
  readonly traces: readonly Trace[];
  readonly look: FirstLook;
  /** When all of it was looked at. */
  readonly lookedAt: number;
}

/** Which databases a project has. Looks again when a file it depends on changed, so nothing needs a restart. */
export class ConnectionBook {
  readonly #options: BookOptions;
  #book: Book | undefined;
  #running: Promise<Book> | undefined;

  constructor(options: BookOptions) {
    this.#options = options;
  }

  /** What doctor says was looked for. */
  get lookedFor(): readonly { readonly by: string; readonly files: readonly string[] }[] {
    return this.#options.detectors.map(({ name, looksFor }) => ({ by: name, files: looksFor }));
  }

  async state(signal: AbortSignal): Promise<BookState> {
    const book = await this.#current(signal, 'all');
    return { entries: this.#entries(book), skipped: book.skipped };
  }

  async list(signal: AbortSignal): Promise<ToolOutput<'list-connections'>> {
    const { entries, skipped } = await this.state(signal);
    return { connections: entries.map(toOutput), skipped: skipped.map(placed) };
  }

  /** The database with this id, or the default one, ready to be opened. Never one that still needs an approval. */
  async find(id: string | undefined, signal: AbortSignal): Promise<Entry> {
    const lately = await this.#current(signal, 'lately');
    const entry = this.#named(lately, id);
    if (entry) return this.#openable(entry, lately);
    const book = await this.#current(signal, 'all');
    const found = this.#named(book, id);
    if (found) return this.#openable(found, book);
    const about = this.#about(book);
    throw id === undefined ? noDatabase(about) : unknownId(id, about);
  }

  #named(book: Book, id: string | undefined): Entry | undefined {
    const entries = this.#entries(book);
    if (id === undefined) return entries.find((entry) => entry.isDefault);
    const known = book.known.find((one) => one.id === id) ?? book.known.find((one) => one.aliases.includes(id));
    return entries.find((entry) => entry.id === known?.id) ?? onlyOneNamed(entries, id);
  }

  /** Approves these entries, as they were shown: kept, or for this run alone. */
  async approve(entries: readonly Entry[], keep: 'kept' | 'for-run', signal: AbortSignal): Promise<void> {
    const approvals = entries
      .filter((entry) => !entry.trusted)
      .map(({ trustHash: hash, id: connection, shown: target, needsTrust: reason = '' }) => ({
        hash,
        connection,
        target,
        reason,
      }));
    if (keep === 'for-run') this.#options.trust.approveForRun(approvals);
    else if (approvals.length > 0) await this.#options.trust.approve(approvals, signal);
  }

  /** Takes approvals back; the next call of a running sidecar heeds it. */
  async revoke(entries: readonly Entry[], signal: AbortSignal): Promise<void> {
    const hashes = entries.filter((entry) => entry.needsTrust !== undefined).map((entry) => entry.trustHash);
    if (hashes.length > 0) await this.#options.trust.revoke(hashes, signal);
  }

  #openable(entry: Entry, book: Book): Entry {
    if (!entry.trusted) throw notApproved(entry, this.#options.projectRoot);
    if (!entry.supported) throw notInThisBuild(entry, this.#entries(book));
    if (entry.missing.length > 0) throw unresolvedReference(entry);
    return entry;
  }

  #about(book: Book): About {
    const { projectRoot } = this.#options;
    return { projectRoot, lookedFor: this.lookedFor, entries: this.#entries(book), skipped: book.skipped };
  }

  #entries({ known }: Book): readonly Entry[] {
    const asks = known.some((one) => one.needsTrust !== undefined);
    const approved: ReadonlySet<string> = asks ? this.#options.trust.approved() : new Set();
    const isTrusted = (one: Known): boolean => one.needsTrust === undefined || approved.has(one.trustHash);
    const chosen = known.find(isTrusted);
    return known.map((one) => this.#entry(one, isTrusted(one), one === chosen));
  }

  #entry({ id, found, needsTrust, trustHash }: Known, trusted: boolean, isDefault: boolean): Entry {
    const { name, kind, target, shown, source, unresolved = [] } = found;
    const missing = [...new Set(unresolved.flatMap(({ variables }) => variables))];
    const supported = this.#options.supported.has(kind);
    const guard = supported
      ? GUARDS[kind]
      : { ...GUARDS[kind], reason: 'The engine is not in this build: nothing is connected.' };
    return {
      id,
      name,
      kind,
      target,
      shown,
      source,
      isDefault,
      trusted,
      needsTrust,
      supported,
      guard,
      missing,
      trustHash,
    };
  }

  async #current(signal: AbortSignal, depth: 'all' | 'lately'): Promise<Book> {
    for (;;) {
      signal.throwIfAborted();
      const now = this.#options.now();
      // A run that began before this call may have passed by what changed since: its result is checked like any other.
      const joined = this.#running;
      if (joined === undefined && this.#book && this.#isCurrent(this.#book, now, depth)) return this.#book;
      this.#running ??= this.#look().finally(() => {
        this.#running = undefined;
      });
      const book = await unlessAborted(this.#running, signal);
      if (joined === undefined) return book;
    }
  }

  #isCurrent(book: Book, now: number, depth: 'all' | 'lately'): boolean {
    if (!looksUnchanged(book.look.always)) return false;
    const age = now - book.lookedAt;
    if (depth === 'lately' && age >= 0 && age < FOLDER_LOOK_INTERVAL_MS) return true;
    if (!looksUnchanged(book.look.nowAndThen)) return false;
    this.#book = { ...book, lookedAt: now };
    return true;
  }

  async #look(): Promise<Book> {
    const { now } = this.#options;
    const lookedAt = now();
    const deadline = AbortSignal.timeout(DETECTION_TIMEOUT_MS);
    try {
      const traces = this.#book && (await refresh(this.#book.traces, lookedAt, deadline));
      if (this.#book && traces) this.#book = { ...this.#book, traces, look: firstLook(traces), lookedAt };
      else this.#book = this.#toBook(await detect(this.#options, deadline), lookedAt);
      return this.#book;
    } catch (error) {
      if (!deadline.aborted) throw error;
      throw new AppError(
        'E_TIMEOUT',
        `Looking for databases took longer than ${DETECTION_TIMEOUT_MS / 1000} seconds.`,
        {
          hint: 'Check whether the project lies on a slow or unreachable network drive.',
        },
      );
    }
  }

  #toBook({ found, skipped, traces }: DetectionResult, lookedAt: number): Book {
    const known: Known[] = [];
    const same: Skipped[] = [];
    for (const one of found) {
      const needsTrust = reasonForTrust(one);
      const twin = known.findIndex((other) => isSame(other.found, one) && !(other.needsTrust && !needsTrust));
      const first = known[twin];
      if (first) {
        known[twin] = { ...first, aliases: [...first.aliases, one.id] };
        same.push({ ...one.source, reason: `the same database as ${first.id}` });
      } else {
        const id = freeId(safeId(one.id), known);
        known.push({ id, aliases: [], found: one, needsTrust, trustHash: this.#options.trust.hashOf(one) });
      }
    }
    return { known, skipped: [...skipped, ...same], traces, look: firstLook(traces), lookedAt };
  }
}

function isSame(a: Found, b: Found): boolean {
  if (a.kind !== b.kind) return false;
  if ('file' in a.target || 'file' in b.target) {
    return 'file' in a.target && 'file' in b.target && a.target.file === b.target.file;
  }
  const [one, other] = [a.target, b.target];
  return (
    one.host === other.host && one.port === other.port && one.user === other.user && one.database === other.database
  );
}

/** Ids stand in commands that people are told to run: nothing in them may mean something to a shell, or be invisible. */
function safeId(text: string): string {
  return text.replace(/["'`$\\!<>|&;*?\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '_');
}

function freeId(wanted: string, known: readonly Known[]): string {
  const taken = new Set(known.map((one) => one.id));
  let id = wanted;
  for (let copy = 2; taken.has(id); copy += 1) id = `${wanted}-${copy}`;
  return id;
}

function onlyOneNamed(entries: readonly Entry[], name: string): Entry | undefined {
  const named = entries.filter((entry) => entry.name === name);
  return named.length === 1 ? named[0] : undefined;
}

function toOutput(entry: Entry): ToolOutput<'list-connections'>['connections'][number] {
  const { id, name, kind, shown, source, isDefault, trusted, needsTrust, guard } = entry;
  return {
    id,
    name,
    type: kind,
    target: shown,
    source: { file: source.file, ...(source.line === undefined ? {} : { line: source.line }), by: source.by },
    isDefault,
    trusted,
    ...(needsTrust === undefined ? {} : { needsTrust }),
    guard: guard.strength,
    guardReason: guard.reason,
  };
}

function placed({ file, line, reason }: Skipped): ToolOutput<'list-connections'>['skipped'][number] {
  return line === undefined ? { file, reason } : { file, line, reason };
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
