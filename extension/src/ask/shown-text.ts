import { withoutVoid } from '@devdb/shared/plain-sight';
import { withUnseenShown } from '@devdb/shared/plain-text';

/** How much of a text is shown: so much of its start and of its end. */
interface Room {
  readonly head: { readonly lines: number; readonly chars: number };
  readonly tail: { readonly lines: number; readonly chars: number };
}

const AT_FIRST: Room = { head: { lines: 14, chars: 1_400 }, tail: { lines: 8, chars: 800 } };
/** A page with all of a text that is as long as a file would take the editor's memory. */
export const ON_REQUEST: Room = { head: { lines: 10_000, chars: 200_000 }, tail: { lines: 5_000, chars: 100_000 } };

/**
 * A text as shown to a person: always both ends, since the end can change the meaning of the whole, and the middle on
 * request.
 */
export interface ShownText {
  readonly head: string;
  readonly tail: string;
  /** The part between; undefined when there is none. */
  readonly hidden: { readonly lines: number; readonly chars: number } | undefined;
}

/**
 * Cuts a long text in the middle. Runs of empty lines and spaces are replaced by words, or they could push an end out
 * of sight.
 */
export function shownText(text: string, { head: first, tail: last }: Room = AT_FIRST): ShownText {
  const packed = withoutVoid(text);
  const lines = packed.split('\n');
  if (lines.length <= first.lines + last.lines && packed.length <= first.chars + last.chars) {
    return { head: packed, tail: '', hidden: undefined };
  }
  const head = cutWhole(lines.slice(0, first.lines).join('\n').slice(0, first.chars), -1);
  const rest = packed.slice(head.length);
  const tail = cutWhole(rest.split('\n').slice(-last.lines).join('\n').slice(-last.chars), 0);
  const middle = rest.slice(0, rest.length - tail.length);
  return { head, tail, hidden: { lines: middle.split('\n').length - 1, chars: middle.length } };
}

/** HTML of a text. Characters that are invisible or change the reading order are shown by number. */
export function visibleHtml(text: string): string {
  return withUnseenShown(escapeHtml(text), (number) => `<span class="unseen">${number}</span>`);
}

/** Escapes text for HTML, also inside quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Drops half of a surrogate pair at the cut. */
function cutWhole(text: string, end: 0 | -1): string {
  const unit = text.at(end) ?? '';
  const isHalf = end === 0 ? /[\udc00-\udfff]/.test(unit) : /[\ud800-\udbff]/.test(unit);
  if (!isHalf) return text;
  return end === 0 ? text.slice(1) : text.slice(0, -1);
}
