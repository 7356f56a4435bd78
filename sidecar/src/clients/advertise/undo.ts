import { createHash } from 'node:crypto';
import * as z from 'zod';

/** How to undo a change to a text byte for byte, as long as the text has no other changes. */
export const undoSchema = z.object({
  /** Of the text after the change. */
  sha256: z.string(),
  at: z.int().nonnegative(),
  length: z.int().nonnegative(),
  /** The replaced text: hardly more than a comma, since the changes are additions. */
  restore: z.string(),
});
export type Undo = z.infer<typeof undoSchema>;

/** What to remember of a change. It contains nothing of the text except what the change replaced. */
export function undoOf(before: string, after: string): Undo {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before[at] === after[at]) at += 1;
  let tail = 0;
  while (tail < most - at && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return {
    sha256: sumOf(after),
    at,
    length: after.length - at - tail,
    restore: before.slice(at, before.length - tail),
  };
}

/** The text before the change; undefined when the text has changed since. */
export function undone(text: string, undo: Undo | undefined): string | undefined {
  if (undo === undefined || sumOf(text) !== undo.sha256) return undefined;
  return text.slice(0, undo.at) + undo.restore + text.slice(undo.at + undo.length);
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
