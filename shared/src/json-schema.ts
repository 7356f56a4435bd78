import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The one converter from zod to JSON Schema: input side, so that fields with a default are not listed as required. */
export function inputJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _unused, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      withoutSafeBounds(jsonSchema);
      // An empty schema reads like a forgotten one.
      if (isEmpty(jsonSchema.additionalProperties)) jsonSchema.additionalProperties = true;
      if (isEmpty(jsonSchema.items)) delete jsonSchema.items;
    },
  });
  return rest;
}

/** Every integer has the bounds of JavaScript's own; a model that reads them learns nothing. */
function withoutSafeBounds(schema: { minimum?: number | undefined; maximum?: number | undefined }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function isEmpty(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
}
