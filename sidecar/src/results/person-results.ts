import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { codeOf } from '../host/error-code.ts';
import type { LogEvent } from '../host/log.ts';
import { MAX_OPEN_RESULTS, MAX_RESULT_FILE_BYTES } from './limits.ts';
import { PersonResult } from './person-result.ts';
import { ResultFolder, removeLeftResults } from './result-folder.ts';

export interface PersonResultsOptions {
  /** Where the folders of all processes are. */
  readonly parent: string;
  readonly driverDir: string;
  readonly maxBytes?: number;
  readonly log: LogEvent;
}

/** The results of one window, by the names that the editor gives them. */
export class PersonResults {
  readonly #folder: ResultFolder;
  readonly #options: PersonResultsOptions;
  readonly #open = new Map<string, PersonResult>();
  /** Their files are being made. */
  readonly #opening = new Map<string, Promise<PersonResult>>();
  #files = 0;
  #hasEnded = false;

  constructor(options: PersonResultsOptions) {
    this.#options = options;
    this.#folder = new ResultFolder(options.parent, options.driverDir);
  }

  /** Removes what processes that were killed have left. Nothing depends on it, so a failure is only logged. */
  removeLeft(): void {
    const { parent, driverDir, log } = this.#options;
    try {
      const count = removeLeftResults(parent, driverDir);
      if (count > 0) log('left-results-removed', { count });
    } catch (error) {
      log('left-results-not-removed', { code: codeOf(error) });
    }
  }

  /** Makes the files of a new result. `onRows` is called when it has more rows. */
  async create(name: string, onRows: () => void): Promise<PersonResult> {
    if (this.#hasEnded) throw new AppError('E_CANCELLED', 'DevDB is ending.');
    if (this.#open.has(name) || this.#opening.has(name))
      throw new AppError('E_ALREADY_EXISTS', 'There is a result with this name already.');
    if (this.#open.size + this.#opening.size >= MAX_OPEN_RESULTS) {
      throw new AppError('E_NOT_SUPPORTED', `${MAX_OPEN_RESULTS} results are open already.`, {
        hint: 'Close the tabs of some results first.',
      });
    }
    const opening = this.#create(onRows);
    this.#opening.set(name, opening);
    try {
      const result = await opening;
      this.#open.set(name, result);
      return result;
    } finally {
      this.#opening.delete(name);
    }
  }

  async #create(onRows: () => void): Promise<PersonResult> {
    const dir = this.#folder.make();
    this.#files += 1;
    const maxBytes = this.#options.maxBytes ?? MAX_RESULT_FILE_BYTES;
    const path = join(dir, String(this.#files));
    return PersonResult.create({ path, maxBytes, bundleDir: this.#options.driverDir, onRows });
  }

  find(name: string): PersonResult {
    const found = this.#open.get(name);
    if (found !== undefined) return found;
    throw new AppError('E_INVALID_REFERENCE', 'The rows of this result are not there any more.', {
      hint: 'Run the statement again.',
    });
  }

  /** Ends the statement where it still runs, and removes the rows. Nothing happens when it is not there. */
  async close(name: string): Promise<void> {
    // A tab may be closed before its first file is there. A failure reaches the caller that opens it.
    await this.#opening.get(name)?.catch(() => undefined);
    const found = this.#open.get(name);
    this.#open.delete(name);
    await found?.close();
  }

  /** Closes all of them and removes the folder. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const closing = await Promise.allSettled(
      [...this.#open.keys(), ...this.#opening.keys()].map((name) => this.close(name)),
    );
    this.#folder.remove();
    for (const one of closing) if (one.status === 'rejected') throw one.reason;
  }
}
