import { type PlainLines, sureLines, withUnseenShown } from './plain-text.ts';

/** This many may follow each other. */
const EMPTY_LINES = 3;
/**
 * A dialog must stay readable. Of a longer text both ends are shown, since the end can change the meaning of the whole.
 */
const MAX_CHARS = 4_000;
const MAX_LINES = 80;
/** Markdown takes four leading spaces for code, where nothing is a heading, a link or the end of the block. */
const FRAME = '    | ';

/**
 * The text with long runs of blanks or empty lines replaced by words. Line by line: patterns across line ends are slow
 * on hostile texts.
 */
export function withoutVoid(text: string): string {
  const lines: string[] = [];
  let empty = 0;
  const tell = () => {
    lines.push(...(empty > EMPTY_LINES ? [`[${empty} empty lines]`] : Array.from({ length: empty }, () => '')));
    empty = 0;
  };
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    if (line.trim() === '') {
      empty += 1;
      continue;
    }
    tell();
    lines.push(line.replace(/[^\S\n]{60,}/g, (run) => ` [${run.length} blanks] `));
  }
  tell();
  return lines.join('\n');
}

/** A statement as a block of lines that each begin with a bar, so that none can be mistaken for one of ours. */
export function framed(statement: string): PlainLines {
  const packed = withUnseenShown(withoutVoid(statement).replaceAll('\t', '    '), (number) => `[${number}]`);
  const lines = bothEnds(packed).split('\n');
  const half = MAX_LINES / 2;
  const left = lines.length - MAX_LINES;
  const shown =
    left > 0 ? [...lines.slice(0, half), `[... ${left} lines are not shown ...]`, ...lines.slice(-half)] : lines;
  return sureLines(shown.map((line) => `${FRAME}${line}`.trimEnd()).join('\n'));
}

function bothEnds(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const half = MAX_CHARS / 2;
  const [head, tail] = [wholeChars(text.slice(0, half)), wholeChars(text.slice(-half))];
  return `${head}\n[... ${text.length - head.length - tail.length} characters are not shown ...]\n${tail}`;
}

/** Drops half of a surrogate pair at either end. */
function wholeChars(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
