/** The code that an error of the operating system or of a driver carries, or what is said where there is none. */
export function codeOf(error: unknown, otherwise = 'unknown error'): string {
  // Not instanceof: errors of Node's own modules are of another realm where code runs in a vm context.
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : otherwise;
}

/** Whether an error carries one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error));
}
