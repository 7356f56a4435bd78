/** A name behind `extends` or `implements`, with its place in the text. */
export interface Parent {
  readonly name: string;
  readonly index: number;
}

/** The head of a class or an interface: from its start to its body. */
export function headOf(text: string): string {
  const body = bodyStart(text);
  return body < 0 ? text : text.slice(0, body);
}

/** What a type says it derives from. Type arguments and the parentheses of mixins are no parents. */
export function parentsIn(head: string): readonly Parent[] {
  const blank = blanked(head);
  const clause = /\b(?:extends|implements)\b/.exec(blank);
  if (clause === null) return [];
  const from = clause.index;
  const names = [...blank.slice(from).matchAll(/(?:[\p{L}_$][\p{L}\p{N}_$]*\.)*([\p{L}_$][\p{L}\p{N}_$]*)/gu)];
  return names.flatMap(({ 0: whole, 1: name = '', index }) =>
    ['extends', 'implements'].includes(whole) ? [] : [{ name, index: from + index + whole.length - name.length }],
  );
}

/** The first brace outside type arguments and parentheses. */
function bodyStart(text: string): number {
  return blanked(text).indexOf('{');
}

/** The text with comments, type arguments and parentheses made blank; every place stays where it is. */
function blanked(text: string): string {
  const plain = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => ' '.repeat(comment.length));
  let depth = 0;
  let result = '';
  for (const [index, character] of [...plain.split('')].entries()) {
    const isArrow = character === '>' && plain[index - 1] === '=';
    if (character === '<' || character === '(') depth += 1;
    result += depth > 0 ? ' ' : character;
    if ((character === '>' && !isArrow) || character === ')') depth = Math.max(0, depth - 1);
  }
  return result;
}
