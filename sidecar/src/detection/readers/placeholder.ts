/**
 * A part that a person has to replace: in angle or square brackets, in braces, or called theirs: `<user>`, `[db_name]`,
 * `{{ name }}`, `YOUR_HOST`. An IPv6 address in brackets has colons.
 */
const PLACEHOLDER = /<[^<>]+>|\[[A-Za-z][A-Za-z _-]+\]|\{\{[^{}]*\}\}|(?<![A-Za-z])YOUR[_-][A-Z]/;

/** Whether one of these parts of a connection still is what its example says. */
export function hasPlaceholder(...parts: readonly (string | undefined)[]): boolean {
  return parts.some((part) => part !== undefined && PLACEHOLDER.test(part));
}

/** Whether an account and its database are called as in the example of Doctrine's settings. */
export function isExample(user: string, password: string | undefined, database: string): boolean {
  return user === 'db_user' && password === 'db_password' && database === 'db_name';
}

export const UNFILLED = 'still has placeholders that a person has to fill in';
