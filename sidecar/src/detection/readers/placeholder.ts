/** A part in angle or square brackets, or in braces, that a person has to replace: `<user>`, `[YOUR-PASSWORD]`, `{{ name }}`. */
const PLACEHOLDER = /<[^<>]+>|\[[A-Z][A-Z _-]+\]|\{\{[^{}]*\}\}/;

/** Whether one of these parts of a connection still is what its example says. */
export function hasPlaceholder(...parts: readonly (string | undefined)[]): boolean {
  return parts.some((part) => part !== undefined && PLACEHOLDER.test(part));
}

export const UNFILLED = 'still has placeholders that a person has to fill in';
