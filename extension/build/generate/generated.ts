/** A file that is made from the tools' definitions, wholly or in part. */
export interface Generated {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: string;
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
