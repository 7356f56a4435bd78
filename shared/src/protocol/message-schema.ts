/** What a value lacks, and where in it. */
export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Reads a value that came over the pipe. Every schema of zod does; what is read while the editor starts has the schemas
 * of `shapes.ts`: loading zod and building its schemas took nearly half of what the extension spends at start.
 */
export interface MessageSchema<Value> {
  safeParse(
    raw: unknown,
    options?: { readonly jitless?: boolean },
  ):
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };
}

/** The values that a schema reads. */
export type ValueOf<Schema> = Schema extends MessageSchema<infer Value> ? Value : never;
