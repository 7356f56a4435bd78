/** The words of a command line, or why it cannot be run without a shell. */
export function readCommandWords(text: string): { readonly words: readonly string[] } | { readonly reason: string } {
  const { words, end } = shellWords(text, /[|&;<>`$]/);
  if (end === 'operator')
    return { reason: 'is run without a shell, where | & ; < > ` and $ mean nothing: put it into a script' };
  if (end === 'quote') return { reason: 'has a quote that is not closed' };
  return words[0] === undefined || words[0] === '' ? { reason: 'names no program' } : { words };
}

/** The words up to an operator of the shell outside quotes, and what ended them. */
export function shellWords(
  text: string,
  operators: RegExp,
): { readonly words: readonly string[]; readonly end: 'text' | 'quote' | 'operator' } {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  const all = (): string[] => (word === undefined ? words : [...words, word]);
  for (const char of text) {
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (operators.test(char)) return { words: all(), end: 'operator' };
    else word = (word ?? '') + char;
  }
  return { words: all(), end: quote === undefined ? 'text' : 'quote' };
}
