import type { Cursor } from './cursor.ts';

const MAX_ARGUMENTS = 60;

/** Skips `as Type` and `satisfies Type`. */
export function skipType(cursor: Cursor): void {
  const began = cursor.line;
  while (!cursor.atEnd) {
    if (/^([,;)\]}:]|\|\||\?\?|&&|=)$/.test(cursor.mark())) return;
    if (cursor.line !== began && cursor.beginsLine && cursor.token?.column === 0) return;
    cursor.skip();
  }
}

/** Skips `<A, B>` when a call follows; false when it is a comparison. */
export function skipTypeArguments(cursor: Cursor): boolean {
  let depth = 0;
  for (let ahead = 0; ahead < MAX_ARGUMENTS; ahead += 1) {
    const mark = cursor.mark(ahead);
    if (/^[;=()]$/.test(mark)) return false;
    if (mark === '<') depth += 1;
    if (mark === '>') depth -= 1;
    if (depth > 0) continue;
    if (cursor.mark(ahead + 1) !== '(') return false;
    cursor.at += ahead + 1;
    return true;
  }
  return false;
}
