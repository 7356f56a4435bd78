import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { SMALL_YOUNG_SPACE } from '@devdb/shared/node-flags';
import { SHUTDOWN_KILL_MS } from './limits.ts';

/** How many of its last log lines are searched for the reason why it stopped. */
const LAST_LINES = 30;
const MAX_WORDS = 200;

export interface SidecarCommand {
  /** The editor's own binary, or the Node the user chose. */
  readonly nodePath: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a sidecar ended. */
export interface SidecarEnd {
  /** In words. */
  readonly reason: string;
  /** It could not be started at all: the program is missing or may not be run. */
  readonly neverRan: boolean;
}

/** A running sidecar: its pipe, and once it has stopped, the reason. */
export class SidecarProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lastLines: string[] = [];
  readonly #stopped: Promise<SidecarEnd>;

  constructor({ nodePath, script, env }: SidecarCommand, onLogLine: (line: string) => void) {
    this.#child = spawn(nodePath, [SMALL_YOUNG_SPACE, script], {
      // Makes the editor's binary run as Node; a real Node ignores it. The editor's NODE_OPTIONS must not be inherited.
      env: { ...env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: undefined },
      // Not the editor's working directory, which may be a project with programs of its own.
      cwd: dirname(process.execPath),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      this.#lastLines.push(line);
      if (this.#lastLines.length > LAST_LINES) this.#lastLines.shift();
      onLogLine(line);
    });
    this.#stopped = this.#untilStopped(nodePath);
  }

  get input(): Readable {
    return this.#child.stdout;
  }

  get output(): Writable {
    return this.#child.stdin;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when it has ended. Never rejects. */
  get stopped(): Promise<SidecarEnd> {
    return this.#stopped;
  }

  /** Ends it: closing its stdin tells it to shut down; after the grace time it is killed. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), SHUTDOWN_KILL_MS);
    await this.#stopped;
    clearTimeout(timer);
  }

  #untilStopped(nodePath: string): Promise<SidecarEnd> {
    return new Promise((resolve) => {
      this.#child.once('error', (error) => {
        resolve({ reason: `${nodePath} could not be started (${error.message})`, neverRan: true });
      });
      // `close`, not `exit`: by then the last lines of its log have been read.
      this.#child.once('close', (code, signal) => {
        const how = signal === null ? `it ended with code ${code}` : `it was killed by ${signal}`;
        const words = lastWords(this.#lastLines);
        resolve({ reason: words === '' ? how : `${how}; its last words: ${words}`, neverRan: false });
      });
    });
  }
}

/**
 * The line with the reason: an error's, else the last. What Node prints on a crash, and ordinary log lines, do not
 * help.
 */
function lastWords(lines: readonly string[]): string {
  const telling = lines.filter(
    (line) => /\S/.test(line) && !/^(Node\.js v|\s|[{}]|\{"time".*"level":"(info|debug)")/.test(line),
  );
  const words = telling.findLast((line) => /^\w*Error\b/.test(line)) ?? telling.at(-1) ?? '';
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS - 1)}…` : words;
}
