// The extension has parsed these answers.

/** The order that an answer names. */
export function orderOf(answer: unknown): { readonly number: number; readonly rows: number } | undefined {
  if (typeof answer !== 'object' || answer === null || !('order' in answer) || !('rows' in answer)) return undefined;
  return { number: Number(answer.order), rows: Number(answer.rows) };
}

/** What was copied, in a sentence. */
export function copiedText(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null || !('rows' in answer)) return '';
  const rows = Number(answer.rows);
  const text = `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} copied`;
  return 'isCut' in answer && answer.isCut === true ? `${text}: the clipboard takes no more, export the rest` : text;
}
