/** A file generated wholly or in part from the tools' definitions. */
export interface Generated {
  /** Relative to the repository's root. */
  readonly file: string;
  readonly text: string;
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
