/** JSON of another process; undefined when it is not JSON, which is an answer of its own: the caller says what it means. */
export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
