import { appendFile, chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './error-code.ts';
import { FILE_MODE, FOLDER_MODE } from './home.ts';
import { LOG_FLUSH_MS, MAX_LOG_FILE_BYTES, MAX_LOG_FILES, MAX_LOG_QUEUE_BYTES } from './limits.ts';

export interface LogFileParts {
  readonly file: string;
  /** Called once when the file cannot be written; lines are dropped from then on until it can. */
  readonly onFailure: (error: unknown) => void;
  readonly maxBytes?: number;
  readonly maxFiles?: number;
  readonly maxQueueBytes?: number;
}

/**
 * Appends lines without making the caller wait, and rotates by size: `x.log`, `x.log.1`, `x.log.2`. Several processes
 * share one file: each batch is appended by path, so that all of them follow a rotation.
 */
export class LogFile {
  readonly #parts: Required<LogFileParts>;
  #queue: string[] = [];
  #queuedBytes = 0;
  #dropped = 0;
  #failing = false;
  #later: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(parts: LogFileParts) {
    const limits = { maxBytes: MAX_LOG_FILE_BYTES, maxFiles: MAX_LOG_FILES, maxQueueBytes: MAX_LOG_QUEUE_BYTES };
    this.#parts = { ...limits, ...parts };
  }

  /** Takes a line including its newline. */
  write(line: string): void {
    if (this.#queuedBytes + line.length > this.#parts.maxQueueBytes) {
      this.#dropped += 1;
      return;
    }
    this.#queue.push(line);
    this.#queuedBytes += line.length;
    this.#later ??= setTimeout(() => this.#flush(), LOG_FLUSH_MS).unref();
  }

  #flush(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    if (this.#queue.length > 0) this.#writing ??= this.#drain();
  }

  /** Resolves when everything taken so far is written or given up. */
  async close(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      try {
        await this.#append(batch);
        this.#failing = false;
      } catch (error) {
        if (!this.#failing) this.#parts.onFailure(error);
        this.#failing = true;
      }
    }
    this.#writing = undefined;
  }

  #takeBatch(): string {
    if (this.#dropped > 0)
      this.#queue.push(`${JSON.stringify({ level: 'warn', event: 'lines-dropped', lines: this.#dropped })}\n`);
    const batch = this.#queue.join('');
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#dropped = 0;
    return batch;
  }

  async #append(batch: string): Promise<void> {
    const { file, maxBytes } = this.#parts;
    await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
    const size = await sizeOf(file);
    if (size !== undefined && size > 0 && size + batch.length > maxBytes) await this.#rotate();
    await appendFile(file, batch, { mode: FILE_MODE });
    if (size === undefined) await chmod(file, FILE_MODE);
  }

  async #rotate(): Promise<void> {
    const { file, maxFiles } = this.#parts;
    const names = [file, ...Array.from({ length: maxFiles - 1 }, (_, at) => `${file}.${at + 1}`)];
    for (let at = names.length - 1; at > 0; at -= 1) await renameIfThere(names[at - 1], names[at]);
    if (names.length === 1) await rm(file, { force: true });
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Another process may be rotating the same files. */
async function renameIfThere(from: string | undefined, to: string | undefined): Promise<void> {
  if (from === undefined || to === undefined) return;
  try {
    await rename(from, to);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}
