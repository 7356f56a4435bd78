/** The words of a command line, or why it cannot be run without a shell. */
export function readCommandWords(text: string): { readonly words: readonly string[] } | { readonly reason: string } {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
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
    } else if (/[|&;<>`$]/.test(char)) {
      return { reason: 'is run without a shell, where | & ; < > ` and $ mean nothing: put it into a script' };
    } else word = (word ?? '') + char;
  }
  if (quote !== undefined) return { reason: 'has a quote that is not closed' };
  if (word !== undefined) words.push(word);
  return words[0] === undefined || words[0] === '' ? { reason: 'names no program' } : { words };
}
