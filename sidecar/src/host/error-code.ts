/** Whether an error of the operating system or of a driver carries one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  // Not instanceof: errors of Node's own modules are of another realm where code runs in a vm context.
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return typeof error.code === 'string' && codes.includes(error.code);
}
