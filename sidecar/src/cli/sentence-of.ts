import { type PlainText, plain, sentenceText } from '@devdb/shared/plain-text';

/** An error as its reader sees it: what happened, and what to do next where that is known. */
export function sentenceOf(error: unknown): PlainText {
  if (!(error instanceof Error)) return sentenceText(String(error));
  const hint = 'hint' in error && typeof error.hint === 'string' ? plain` Hint: ${sentenceText(error.hint)}` : plain``;
  return plain`${sentenceText(error.message)}${hint}`;
}
