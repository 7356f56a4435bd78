import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The one converter from zod to JSON Schema: input side, so that fields with a default are not listed as required. */
export function inputJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _unused, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => withoutSafeBounds(jsonSchema),
  });
  return rest;
}

/** Every integer has the bounds of JavaScript's own; a model that reads them learns nothing. */
function withoutSafeBounds(schema: { minimum?: number | undefined; maximum?: number | undefined }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
