/** An error in the words that its reader gets: what happened, and what to do next where that is known. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = 'hint' in error && typeof error.hint === 'string' ? ` Hint: ${error.hint}` : '';
  return `${error.message}${hint}`;
}
