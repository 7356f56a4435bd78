import { AppError } from '@devdb/shared/errors';
import type { ToolDefinition } from '@devdb/shared/tools';

/** Whether a call's change was made. */
export type Applied = boolean | 'unknown';

/** Whether a call may change something in the editor; its errors then say whether it did. */
export function isEditorChange({ runsIn, annotations }: ToolDefinition): boolean {
  return runsIn === 'editor' && !annotations.readOnlyHint;
}

/** The error, with what happened to the change added. */
export function withApplied(error: unknown, applied: Applied): unknown {
  return withDetail(error, applied, (message) => withSentence(message, applied));
}

/** Sentences that bridges know by heart have no full stop. They stay as they are: that they refuse tells the same. */
function withSentence(message: string, applied: Applied): string {
  if (/[.!?]$/.test(message)) return `${message} ${SENTENCES[`${applied}`]}`;
  return applied === false ? message : `${message}. ${SENTENCES[`${applied}`]}`;
}

/** The error of a call that ended before its tool ran. */
export function notBegun(error: unknown): unknown {
  return withDetail(error, false, (message) => message);
}

function withDetail(error: unknown, applied: Applied, say: (message: string) => string): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, hint, details, cause } = error;
  return new AppError(code, say(message), { hint, details: { ...details, applied }, cause });
}

const SENTENCES = {
  true: 'The change was made before that.',
  false: 'Nothing was changed.',
  unknown: 'Whether the change was made is not known: look before you call again.',
} as const satisfies Record<`${Applied}`, string>;
