import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { Duplex } from 'node:stream';
import type { AppError } from '@devdb/shared/errors';
import { fromWire } from '@devdb/shared/wire-error';
import type { LogEvent } from '../../host/log.ts';
import { couldNotStart, type Ending } from './endings.ts';
import { CHUNK_HEAD_BYTES, FRAME_KINDS, type Frame, FrameReader, rowsPayload, textFrame } from './frames.ts';
import type { Request, Sent } from './messages.ts';
import { ownTemporaryFolder } from './temporary-folder.ts';
import { readUsage, USAGE_BYTES } from './usage-bytes.ts';

/** The child ended before it answered. */
export class ChildEnded extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super('A SQLite child ended before it answered.');
    this.ending = ending;
  }
}

/** What a running statement has used, and the current size of its process and its temporary files. */
export interface Usage {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly memoryBytes: number;
  readonly temporaryBytes: number;
}

export type OnChunk = (rows: number, bytes: Buffer) => Promise<void>;

/** `rows` is the rows as JSON, where the answer has rows; `answer` is then the rest as JSON. */
export type Reply =
  | { readonly ok: true; readonly answer: string; readonly rows?: string }
  | { readonly ok: false; readonly error: AppError };

export interface ChildOptions {
  readonly file: string;
  readonly bundleDir: string;
  /** The driver's binary. */
  readonly nativeBinding: string;
  readonly log: LogEvent;
}

interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
  readonly onChunk: OnChunk | undefined;
}

const LAST_WORDS_CHARS = 4_000;
const WATCH_FD = 3;
const CLOSE_GRACE_MS = 500;
/** A child only needs memory for one small result; a large young generation would just keep garbage longer. */
const NODE_FLAGS = ['--max-semi-space-size=1'];

/** The sidecar's side of one SQLite process, which runs one statement at a time. */
export class ChildHandle {
  readonly ended: Promise<Ending>;
  /** Resolves when it has loaded everything and waits for a request; never settles when it ends before that. */
  readonly ready: Promise<void>;
  readonly #isReady = Promise.withResolvers<void>();
  readonly #process;
  readonly #watch: Duplex;
  readonly #log: ChildOptions['log'];
  readonly #folder = ownTemporaryFolder();
  readonly #frames = new FrameReader();
  readonly #usageWaiters: ((answer: Usage | undefined) => void)[] = [];
  readonly #usageBytes: Buffer[] = [];
  #waiting: Waiting | undefined;
  #statements = 0;
  #lastWords = '';
  #ending: Ending | undefined;
  #lowered = false;
  #worn = false;
  #dying = false;
  /** The chunk the sink is taking now. */
  #chunk: Promise<void> | undefined;

  constructor({ file, bundleDir, nativeBinding, log }: ChildOptions) {
    this.#log = log;
    this.ready = this.#isReady.promise;
    // The child inherits the sidecar's environment: on the editor's binary ELECTRON_RUN_AS_NODE must stay.
    this.#process = spawn(process.execPath, [...NODE_FLAGS, join(bundleDir, 'sqlite-child.js'), file, nativeBinding], {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      // Not in a project: Windows also searches the working directory for libraries.
      cwd: dirname(process.execPath),
      windowsHide: true,
      ...(this.#folder === undefined ? {} : { env: this.#folder.env }),
    });
    this.ended = this.#listenForEnd();
    const watch = this.#process.stdio[WATCH_FD];
    // Without file descriptors for pipes there are no streams; the process's error event reports why.
    if (!(watch instanceof Duplex)) throw couldNotStart();
    this.#watch = watch;
    this.#listenToPipes();
  }

  /** It has ended, is being ended, or must not get another statement. */
  get unfit(): boolean {
    return this.#worn || this.#dying || this.#ending !== undefined;
  }

  /** It was started in advance and has not had a statement yet. */
  get isUnused(): boolean {
    return this.#statements === 0;
  }

  get lowered(): boolean {
    return this.#lowered;
  }

  /**
   * Runs one request. Rejects with ChildEnded when the process ends first, and with the sink's error when the sink
   * fails.
   */
  send(request: Sent, onChunk?: OnChunk): Promise<Reply> {
    if (this.#waiting !== undefined) throw new Error('This child runs a statement already.');
    this.#statements += 1;
    return new Promise((resolve, reject) => {
      if (this.#ending !== undefined) return reject(new ChildEnded(this.#ending));
      this.#waiting = { resolve, reject, onChunk };
      this.#process.stdin.write(textFrame(FRAME_KINDS.request, JSON.stringify(request)));
    });
  }

  /** Closes the database file; the process stays. `wroteHere`: a WAL beside the file may contain our own writes. */
  release(wroteHere: boolean): void {
    const release: Request = { op: 'release', wroteHere };
    this.#process.stdin.write(textFrame(FRAME_KINDS.request, JSON.stringify(release)));
  }

  /** What the running statement has used; undefined before it has started, and when the child ends. */
  usage(): Promise<Usage | undefined> {
    if (this.#ending !== undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#usageWaiters.push(resolve);
      this.#watch.write('?');
    });
  }

  /**
   * Lowers the process's priority. It cannot be raised again, so the process only serves slow statements from now on.
   */
  lower(): void {
    this.#lowered = true;
    const { pid } = this.#process;
    if (pid === undefined || this.unfit) return;
    try {
      setPriority(pid, constants.priority.PRIORITY_LOW);
    } catch (error) {
      // It may have just ended; where this user may not change priorities, the statement simply continues.
      this.#log('sqlite-priority', { reason: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Ends an idle process, which first closes its file; that takes a moment at most. */
  close(wroteHere: boolean): Promise<Ending> {
    this.#dying = true;
    this.release(wroteHere);
    this.#process.stdin.end();
    const late = setTimeout(() => this.#process.kill('SIGKILL'), CLOSE_GRACE_MS);
    return this.ended.finally(() => clearTimeout(late));
  }

  /** Kills the process at once, even during a statement. SQLite's journal makes that safe. */
  kill(): Promise<Ending> {
    this.#dying = true;
    this.#process.kill('SIGKILL');
    return this.ended;
  }

  #listenToPipes(): void {
    const { stdin, stdout, stderr } = this.#process;
    stdout.on('data', (piece: Buffer) => {
      this.#frames.push(piece);
      this.#takeFrames();
    });
    this.#watch.on('data', (piece: Buffer) => this.#takeUsage(piece));
    stderr.setEncoding('utf8').on('data', (text: string) => this.#note(text));
    // The process's exit already reports a pipe that broke because the process ended.
    for (const pipe of [stdin, stdout, stderr, this.#watch])
      pipe.on('error', (error) => this.#note(`${error.message}\n`));
  }

  #listenForEnd(): Promise<Ending> {
    return new Promise((resolve) => {
      const end = (exitCode: number | null, signal: NodeJS.Signals | null) => {
        if (this.#ending !== undefined) return;
        this.#ending = { exitCode, signal, lastWords: this.#lastWords };
        this.#folder?.remove();
        this.#finish(this.#ending);
        resolve(this.#ending);
      };
      this.#process.on('error', (error) => {
        this.#note(`${error.message}\n`);
        if (this.#process.pid === undefined) end(null, null);
      });
      // While a sink holds a chunk, the pipe is not read and would never close.
      this.#process.on('exit', () => {
        if (this.#chunk !== undefined) this.#process.stdout?.destroy();
      });
      // `close`, not `exit`: an answer still in the pipe counts.
      this.#process.on('close', end);
    });
  }

  #finish(ending: Ending): void {
    for (const answer of this.#usageWaiters.splice(0)) answer(undefined);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(new ChildEnded(ending));
  }

  #note(text: string): void {
    this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS_CHARS);
    if (!this.#dying) this.#log('sqlite-child', { text: text.slice(0, LAST_WORDS_CHARS) });
  }

  #takeFrames(): void {
    try {
      // While the sink takes a chunk, nothing else is processed and the pipe is not read.
      while (this.#chunk === undefined) {
        const frame = this.#frames.next();
        if (frame === undefined) return;
        this.#take(frame);
      }
    } catch (error) {
      // Its output cannot be read, so it is of no more use; the waiting request gets its end as an error.
      this.#note(`${error instanceof Error ? error.message : String(error)}\n`);
      void this.kill();
    }
  }

  #take({ kind, last, payload }: Frame): void {
    if (kind === FRAME_KINDS.ready) {
      this.#isReady.resolve();
      return;
    }
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    if (kind === FRAME_KINDS.chunk) {
      this.#takeChunk(payload, waiting);
      return;
    }
    const reply = readReply(kind, payload);
    if (last) this.#worn = true;
    this.#waiting = undefined;
    waiting.resolve(reply);
  }

  #takeChunk(payload: Buffer, { onChunk, reject }: Waiting): void {
    if (onChunk === undefined) throw new Error('A child sent rows without a request.');
    this.#process.stdout.pause();
    this.#chunk = onChunk(payload.readUInt32LE(0), payload.subarray(CHUNK_HEAD_BYTES)).then(
      () => {
        this.#chunk = undefined;
        this.#takeFrames();
        if (this.#chunk === undefined) this.#process.stdout.resume();
      },
      (error: unknown) => {
        this.#waiting = undefined;
        void this.kill();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  }

  #takeUsage(piece: Buffer): void {
    this.#usageBytes.push(piece);
    let bytes = Buffer.concat(this.#usageBytes.splice(0));
    for (; bytes.length >= USAGE_BYTES; bytes = bytes.subarray(USAGE_BYTES)) {
      const { statement, ...usage } = readUsage(bytes);
      // The number identifies a statement that has not started yet because its process is starting slowly.
      this.#usageWaiters.shift()?.(statement === this.#statements ? usage : undefined);
    }
    if (bytes.length > 0) this.#usageBytes.push(bytes);
  }
}

function readReply(kind: number, payload: Buffer): Reply {
  if (kind === FRAME_KINDS.rows) {
    const { rows, rest } = rowsPayload(payload);
    return { ok: true, answer: rest, rows };
  }
  const text = payload.toString('utf8');
  return kind === FRAME_KINDS.error ? { ok: false, error: fromWire(JSON.parse(text)) } : { ok: true, answer: text };
}
