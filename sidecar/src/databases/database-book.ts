import { unlessAborted } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import { DETECTION_TIMEOUT_MS } from '@devdb/shared/limits';
import { nameText } from '@devdb/shared/plain-text';
import type { ToolOutput } from '@devdb/shared/tools';
import type { DetectionResult } from '../detection/detect.ts';
import type { Detection, Detector, Pinned, Skipped } from '../detection/detector.ts';
import type { ProcessEnv } from '../detection/project-view.ts';
import { type FirstLook, firstLook, looksUnchanged, refresh, type Trace } from '../detection/trace.ts';
import { reasonOf } from '../engines/abort-reason.ts';
import type { EngineKind, ServerTarget } from '../engines/engine.ts';
import type { Secret } from '../host/secret.ts';
import {
  type About,
  NotApproved,
  noDatabase,
  notApproved,
  notInThisBuild,
  unknownId,
  unknownPin,
  unresolvedReference,
} from './database-errors.ts';
import { type Entry, type GuardOf, placed, toEntry, toOutput } from './entry.ts';
import type { EditorKept } from './kept-databases.ts';
import { gather, type Known } from './known.ts';
import { CONTAINERS_FRESH_MS, FOLDER_LOOK_INTERVAL_MS } from './limits.ts';
import { PasswordCommands } from './password-command.ts';
import type { Trust } from './trust.ts';

export interface BookState {
  /** Best first. */
  readonly entries: readonly Entry[];
  readonly skipped: readonly Skipped[];
}

export interface BookOptions {
  readonly projectRoot: string;
  readonly detectors: readonly Detector[];
  /** The engines this build supports. */
  readonly supported: ReadonlySet<EngineKind>;
  readonly trust: Trust;
  readonly now: () => number;
  /** Runs the detectors; `given` are databases known without the project's files. */
  readonly look: (given: Detection, signal: AbortSignal) => Promise<DetectionResult>;
  /** The process's environment variables, which a password command runs with. */
  readonly env?: ProcessEnv | undefined;
  /** What the editor stores for the project; undefined for a project without an editor. */
  readonly kept?: EditorKept | undefined;
}

/** Asks a person whether a database may be connected to; resolves to whether they agreed. */
export type AskApproval = (entry: Entry) => Promise<boolean>;

/** The rule for choosing the default, as shown to people. */
export const DEFAULT_RULE =
  'The default is what .devdbrc pins, else the first that needs no approval or has one: .devdbrc in its order, then what was added in VS Code, then DATABASE_URL of the development .env files, then what the application itself is set up to use, then services of compose files, then a container that a script starts, then database files in the usual places, unless the settings name a database that could not be read; then other environments. A database for test runs is never the default.';

/** Detectors of what the user configured for DevDB itself. */
const OWN_SOURCES: ReadonlySet<string> = new Set(['devdbrc', 'editor']);

/** The reason stored with an approval of a database that can be opened without one. */
const BY_NAME = 'a person approved sending its password in clear text';

/** Longer than the detection process's own limit, which still gives a result: for files that cannot even be checked. */
const LOOK_TIMEOUT_MS = 2 * DETECTION_TIMEOUT_MS;

interface Book {
  readonly known: readonly Known[];
  readonly skipped: readonly Skipped[];
  readonly pinned: Pinned | undefined;
  readonly traces: readonly Trace[];
  readonly look: FirstLook;
  /** When all files were last checked. */
  readonly lookedAt: number;
  /** When a port that a running container told has to be asked for again. */
  readonly freshUntil: number;
}

/** The databases of a project. Detects again when a file it depends on changed, so nothing needs a restart. */
export class DatabaseBook {
  readonly #options: BookOptions;
  readonly #passwords: PasswordCommands;
  #book: Book | undefined;
  #shown: { readonly known: readonly Known[]; readonly entries: readonly Entry[] } | undefined;
  #running: Promise<Book> | undefined;

  constructor(options: BookOptions) {
    this.#options = options;
    const { projectRoot, env, now } = options;
    this.#passwords = new PasswordCommands({ projectRoot, env, now });
  }

  /** What was looked for, for doctor's report. */
  get lookedFor(): readonly { readonly by: string; readonly files: readonly string[] }[] {
    const { detectors, kept } = this.#options;
    const files = detectors.map(({ name, looksFor }) => ({ by: name, files: looksFor }));
    return kept === undefined ? files : [...files, kept.lookedFor];
  }

  async state(signal: AbortSignal): Promise<BookState> {
    const book = await this.#current(signal, 'all');
    return { entries: this.#entries(book), skipped: book.skipped };
  }

  /** `guardOf` knows the guard of open databases. */
  async list(signal: AbortSignal, guardOf?: GuardOf): Promise<ToolOutput<'list-connections'>> {
    const { entries, skipped } = await this.state(signal);
    return { connections: entries.map((entry) => toOutput(entry, guardOf?.(entry))), skipped: skipped.map(placed) };
  }

  /**
   * The database with this id, or the default, ready to open. Never one that still needs approval: a person is asked
   * for it, where one can be.
   */
  async find(id: string | undefined, signal: AbortSignal, askApproval?: AskApproval): Promise<Entry> {
    try {
      return await this.#find(id, signal);
    } catch (error) {
      if (!(error instanceof NotApproved) || askApproval === undefined) throw error;
      if (!(await askApproval(error.entry))) throw error.declined();
      await this.approve([error.entry], 'kept', signal);
      return await this.#find(error.entry.id, signal);
    }
  }

  async #find(id: string | undefined, signal: AbortSignal): Promise<Entry> {
    signal.throwIfAborted();
    const lately = this.#unchanged('lately') ?? (await this.#current(signal, 'lately'));
    const entry = this.#named(lately, id);
    if (entry) return await this.#openable(entry, lately, signal);
    const book = await this.#current(signal, 'all');
    const found = this.#named(book, id);
    if (found) return await this.#openable(found, book, signal);
    const about = this.#about(book);
    if (id !== undefined) throw unknownId(id, about);
    const pinned = book.pinned && this.#named(book, book.pinned.id);
    if (pinned) throw notApproved(pinned, this.#options.projectRoot);
    throw book.pinned ? unknownPin(book.pinned, about) : noDatabase(about);
  }

  #named(book: Book, id: string | undefined): Entry | undefined {
    const entries = this.#entries(book);
    if (id === undefined) return entries.find((entry) => entry.isDefault);
    const known = knownAs(book.known, id);
    return entries.find((entry) => entry.id === known?.id);
  }

  /** Approves these entries as they were shown: permanently, or for this run alone. */
  async approve(entries: readonly Entry[], keep: 'kept' | 'for-run', signal: AbortSignal): Promise<void> {
    const approvals = entries
      .filter((entry) => !entry.approved)
      .map(({ trustHash: hash, id: connection, shown: target, needsTrust: reason = BY_NAME }) => ({
        hash,
        connection,
        target,
        reason,
      }));
    if (keep === 'for-run') this.#options.trust.approveForRun(approvals);
    else if (approvals.length > 0) await this.#options.trust.approve(approvals, signal);
  }

  /** Revokes approvals; takes effect with the next call, in running sidecars too. */
  async revoke(entries: readonly Entry[], signal: AbortSignal): Promise<void> {
    const hashes = entries.filter((entry) => entry.approved).map((entry) => entry.trustHash);
    if (hashes.length > 0) await this.#options.trust.revoke(hashes, signal);
  }

  #openable(entry: Entry, book: Book, signal: AbortSignal): Entry | Promise<Entry> {
    if (!entry.trusted) throw notApproved(entry, this.#options.projectRoot);
    if (!entry.supported) throw notInThisBuild(entry, this.#entries(book));
    if (entry.missing.length > 0) throw unresolvedReference(entry);
    const { target } = entry;
    return 'file' in target ? entry : this.#withPassword(entry, target, signal);
  }

  async #withPassword(entry: Entry, target: ServerTarget, signal: AbortSignal): Promise<Entry> {
    const { passwordCommand, approved } = entry;
    const password =
      passwordCommand === undefined
        ? this.#passwordOf(entry, target)
        : await this.#passwords.password({ ...entry, passwordCommand }, signal);
    return { ...entry, target: { ...target, password, approved } };
  }

  /** An entry of the user's own without a password gets the one they entered for it, if any. */
  #passwordOf({ kind, source }: Entry, target: ServerTarget): Secret | undefined {
    if (target.password !== undefined || !OWN_SOURCES.has(source.by)) return target.password;
    return this.#options.kept?.passwordFor(kind, target);
  }

  #about(book: Book): About {
    const { projectRoot } = this.#options;
    return { projectRoot, entries: this.#entries(book), skipped: book.skipped };
  }

  #entries({ known, pinned }: Book): readonly Entry[] {
    const asks = known.some(({ needsTrust, found }) => needsTrust !== undefined || !('file' in found.target));
    // Nothing but the files decides then, and each call comes here.
    if (!asks && this.#shown?.known === known) return this.#shown.entries;
    const kept: ReadonlySet<string> = asks ? this.#options.trust.approved() : new Set();
    const isApproved = ({ found, trustHash }: Known): boolean => found.typedIn === true || kept.has(trustHash);
    const isTrusted = (one: Known): boolean => one.needsTrust === undefined || isApproved(one);
    const mayBeDefault = (one: Known): boolean => isTrusted(one) && one.found.neverDefault === undefined;
    // A pinned database is never replaced by another, even while it still needs approval.
    const wanted = pinned === undefined ? known.find(mayBeDefault) : knownAs(known, pinned.id);
    const chosen = wanted && isTrusted(wanted) ? wanted : undefined;
    const entries = known.map((one) => {
      const supported = this.#options.supported.has(one.found.kind);
      return toEntry(one, { trusted: isTrusted(one), approved: isApproved(one), isDefault: one === chosen, supported });
    });
    this.#shown = { known, entries };
    return entries;
  }

  /** What was known last, where a look at the files shows that it still holds. */
  #unchanged(depth: 'all' | 'lately'): Book | undefined {
    if (this.#running !== undefined || this.#book === undefined) return undefined;
    return this.#isCurrent(this.#book, this.#options.now(), depth) ? this.#book : undefined;
  }

  async #current(signal: AbortSignal, depth: 'all' | 'lately'): Promise<Book> {
    for (;;) {
      signal.throwIfAborted();
      const known = this.#unchanged(depth);
      if (known !== undefined) return known;
      // A run that began before this call may have missed a later change, so its result is checked like any other.
      const joined = this.#running;
      this.#running ??= this.#look().finally(() => {
        this.#running = undefined;
      });
      const book = await unlessAborted(this.#running, signal, reasonOf);
      if (joined === undefined) return book;
    }
  }

  #isCurrent(book: Book, now: number, depth: 'all' | 'lately'): boolean {
    if (this.#isStale(book, now) || !looksUnchanged(book.look.always)) return false;
    const age = now - book.lookedAt;
    if (depth === 'lately' && age >= 0 && age < FOLDER_LOOK_INTERVAL_MS) return true;
    if (!looksUnchanged(book.look.nowAndThen)) return false;
    this.#book = { ...book, lookedAt: now };
    return true;
  }

  /** What changes without a file of the project. */
  #isStale({ freshUntil }: Book, now: number): boolean {
    return this.#options.kept?.stale === true || now >= freshUntil;
  }

  async #look(): Promise<Book> {
    const { now } = this.#options;
    const lookedAt = now();
    const deadline = AbortSignal.timeout(LOOK_TIMEOUT_MS);
    try {
      const before = this.#book && this.#isStale(this.#book, lookedAt) ? undefined : this.#book;
      const traces = before && (await refresh(before.traces, lookedAt, deadline));
      if (before && traces) this.#book = { ...before, traces, look: firstLook(traces), lookedAt };
      else this.#book = this.#toBook(await this.#detect(deadline), lookedAt);
      return this.#book;
    } catch (error) {
      if (!deadline.aborted) throw error;
      throw new AppError('E_TIMEOUT', `Looking for databases took longer than ${LOOK_TIMEOUT_MS / 1000} seconds.`, {
        hint: 'Check whether the project is on a slow or unreachable network drive.',
      });
    }
  }

  async #detect(deadline: AbortSignal): Promise<DetectionResult> {
    const { kept, projectRoot, look } = this.#options;
    const given = await kept?.detect(projectRoot, deadline);
    return await look(given ?? { found: [], skipped: [] }, deadline);
  }

  #toBook({ found, skipped, pinned, traces, askedContainers }: DetectionResult, lookedAt: number): Book {
    const { known, same } = gather(found, (one) => this.#options.trust.hashOf(one));
    const all = [...skipped, ...same, ...mistakenPin(known, pinned)];
    const freshUntil = askedContainers === true ? lookedAt + CONTAINERS_FRESH_MS : Infinity;
    return { known, skipped: all, pinned, traces, look: firstLook(traces), lookedAt, freshUntil };
  }
}

/** The database with this id, with this alias, or with this name where only one has it. */
function knownAs(known: readonly Known[], id: string): Known | undefined {
  const named = known.filter(({ found: { name } }) => name === id || nameText(name) === id);
  return (
    known.find((one) => one.id === id) ??
    known.find(({ aliases }) => aliases.includes(id)) ??
    (named.length === 1 ? named[0] : undefined)
  );
}

function mistakenPin(known: readonly Known[], pinned: Pinned | undefined): Skipped[] {
  if (pinned === undefined || knownAs(known, pinned.id)) return [];
  const { file, line } = pinned;
  return [{ file, line, reason: 'pins a default that was not found', mistake: true }];
}
