/** So many may stand in a row. */
const EMPTY_LINES = 3;
/** What cannot be seen, or turns the order of others around, or moves a terminal's cursor. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\u115f\u1160\u3164\uffa0\u2800]|\p{Variation_Selector}|(?![ \t])\p{Zs}/gu;

/** The text with each character that cannot be seen put as `show` has it, by its number: U+202E. */
export function withUnseenShown(text: string, show: (number: string) => string): string {
  return text.replace(UNSEEN, (char) => {
    if (char === '\n' || char === '\t') return char;
    return show(`U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`);
  });
}

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
