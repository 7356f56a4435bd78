import { codeOf, hasCode } from './error-code.ts';
import { readForeignSync } from './foreign-file.ts';

/** Far above any file of the home; clients' settings files may contain a history. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** The file's text, undefined when there is no such file. The caller reports any other failure. */
export function readIfThere(file: string): string | undefined {
  try {
    return readForeignSync(file, MAX_FILE_BYTES).toString('utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** A file of the home that exists but is of no use to its reader. */
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
