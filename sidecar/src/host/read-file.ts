import { codeOf, hasCode } from './error-code.ts';
import { readForeignSync } from './foreign-file.ts';

/** No file of the home comes near it; the settings files of clients may hold a history. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The file's text, undefined when there is no such file. Every other failure is the caller's to report. */
export function readIfThere(file: string): string | undefined {
  try {
    return readForeignSync(file, MAX_FILE_BYTES).toString('utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** A file of the home that is there and of no use to who reads it. */
export class UnreadableFile extends Error {
  /** What to do next. */
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnreadableFile';
    this.hint = hint;
  }
}

/** The text of a file of the home, undefined when there is none. */
export function readOfHome(file: string): string | undefined {
  try {
    return readIfThere(file);
  } catch (error) {
    const hint = 'It must be a file that this user can read. Fix that, or move it away: DevDB creates a new one.';
    throw new UnreadableFile(`${file} cannot be read (${codeOf(error, String(error))}).`, hint, error);
  }
}
