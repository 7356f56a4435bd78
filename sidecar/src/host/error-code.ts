/** The code of an operating system's or driver's error, or `otherwise` when it has none. */
export function codeOf(error: unknown, otherwise = 'unknown error'): string {
  // Not instanceof: in a vm context, errors of Node's own modules come from another realm.
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : otherwise;
}

/** Whether an error carries one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error));
}
