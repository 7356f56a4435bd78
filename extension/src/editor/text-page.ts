import { bytesFor, cappedText } from '@devdb/shared/capped';

/** A part of a text, and how to get the next. */
export interface TextPage {
  readonly text: string;
  readonly truncated: boolean;
  readonly rest?: string;
}

/** As much of a text from a character on as an answer takes; `how` names the call that gives the rest. */
export function textPage(whole: string, from: number, limit: number | undefined, how: string): TextPage {
  const start = isInsidePair(whole, from) ? from - 1 : from;
  const { kept } = cappedText(whole.slice(start), { bytes: limit ?? bytesFor(undefined), more: '' });
  const end = start + kept.length;
  if (end >= whole.length) return { text: kept, truncated: false };
  const rest = `Characters ${start} to ${end} of ${whole.length} are shown. ${how} with offset ${end} gives the next.`;
  return { text: kept, truncated: true, rest };
}

/** Between the two halves of one character. */
function isInsidePair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(at - 1, 0), at + 1)) && at > 0;
}
