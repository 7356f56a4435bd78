import { runInNewContext } from 'node:vm';
import { AppError } from '@devdb/shared/errors';
import * as z from 'zod';

/** A pattern comes from a caller and may be made to take for ever; this long it may hold the editor up. */
const PATTERN_MS = 200;
const MATCHES = 'texts.flatMap((text, at) => (pattern.test(text) ? [at] : []))';
const numbers = z.array(z.int());

/** Which of the texts the pattern matches, by their places. */
export function matching(texts: readonly string[], source: string, caseSensitive: boolean): number[] {
  const pattern = patternOf(source, caseSensitive ? '' : 'i');
  try {
    return numbers.parse([...Object(runInNewContext(MATCHES, { texts, pattern }, { timeout: PATTERN_MS }))]);
  } catch (cause) {
    if (Object(cause).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause;
    throw invalid(source, `it takes longer than ${PATTERN_MS} ms`, cause);
  }
}

function patternOf(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (cause) {
    throw invalid(source, cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function invalid(source: string, why: string, cause: unknown): AppError {
  return new AppError('E_INVALID_REGEX', `The pattern ${JSON.stringify(source)} cannot be used: ${why}.`, {
    hint: 'Pass a simpler regular expression of JavaScript; escape ( [ . with a backslash to find them as they are.',
    cause,
  });
}
