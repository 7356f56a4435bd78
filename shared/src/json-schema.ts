import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The one converter from zod to JSON Schema: input side, so that fields with a default are not listed as required. */
export function inputJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _unused, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return rest;
}
