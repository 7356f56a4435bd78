import { hasCode } from '../../host/error-code.ts';
import { readForeignSync, UnfitFile } from '../../host/foreign-file.ts';

/** Git's answer cannot be known without running Git. The message is the reason. */
export class Undecided extends Error {}

/** A small text file of a repository, one character per byte; undefined when there is none. */
export function readGitText(file: string, maxBytes: number): string | undefined {
  return readGitFile(file, maxBytes)?.toString('latin1');
}

/** A file of a repository; undefined when there is none. */
export function readGitFile(file: string, maxBytes: number): Buffer | undefined {
  try {
    return readForeignSync(file, maxBytes, 'not through a link');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    const reason = error instanceof UnfitFile ? `it ${error.message}` : 'it cannot be read';
    throw new Undecided(`${file} is not understood: ${reason}`, { cause: error });
  }
}
