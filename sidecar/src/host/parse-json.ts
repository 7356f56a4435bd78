/** JSON from another process; undefined when it is not JSON. The caller decides what that means. */
export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
