import { withoutVoid } from '@devdb/shared/plain-sight';
import { withUnseenShown } from '@devdb/shared/plain-text';

const HEAD_LINES = 14;
const TAIL_LINES = 8;
const HEAD_CHARS = 1_400;
const TAIL_CHARS = 800;

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
export function shownText(text: string): ShownText {
  const packed = withoutVoid(text);
  const lines = packed.split('\n');
  if (lines.length <= HEAD_LINES + TAIL_LINES && packed.length <= HEAD_CHARS + TAIL_CHARS) {
    return { head: packed, tail: '', hidden: undefined };
  }
  const head = cutWhole(lines.slice(0, HEAD_LINES).join('\n').slice(0, HEAD_CHARS), -1);
  const rest = packed.slice(head.length);
  const tail = cutWhole(rest.split('\n').slice(-TAIL_LINES).join('\n').slice(-TAIL_CHARS), 0);
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
