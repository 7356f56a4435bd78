import { type PlainLines, sureLines, withUnseenShown } from './plain-text.ts';

/** So many may stand in a row. */
const EMPTY_LINES = 3;
/** A dialog must stay readable; of a longer text both ends are shown, since an end can change all of it. */
const MAX_CHARS = 4_000;
const MAX_LINES = 80;
/** Four blanks are code to those who read Markdown: nothing in it is a heading, a link or the end of the block. */
const FRAME = '    | ';

/** The text with runs of nothing told in words. A line at a time: patterns over line ends take long on hostile texts. */
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

/** A statement as a block of lines that each begin with a bar, so that none of them can be taken for one of ours. */
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

/** Half of a character that takes two code units is left out. */
function wholeChars(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
