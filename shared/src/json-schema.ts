import * as z from 'zod';

export type JsonSchema = Record<string, unknown>;

/** The input of a tool as a model reads it. */
export function inputJsonSchema(schema: z.ZodType): JsonSchema {
  return converted(schema, withoutObviousBounds);
}

/** The content of a file as an editor checks it: with every bound. */
export function fileJsonSchema(schema: z.ZodType): JsonSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...converted(schema, () => undefined) };
}

type Reduce = (schema: z.core.JSONSchema.BaseSchema) => void;

/** The one converter from zod to JSON Schema: input side, so that fields with a default are not listed as required. */
function converted(schema: z.ZodType, reduce: Reduce): JsonSchema {
  const { $schema: _unused, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-7',
    override: ({ jsonSchema }) => {
      withoutSafeBounds(jsonSchema);
      reduce(jsonSchema);
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

/**
 * That something must not be empty, and lengths that no honest input reaches, are checked on arrival: every model that
 * is offered the tool would read them.
 */
function withoutObviousBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minLength === 1) delete schema.minLength;
  if (schema.maxLength !== undefined && schema.maxLength >= ENDLESS_CHARS) delete schema.maxLength;
  if (schema.minItems === 1) delete schema.minItems;
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
}

const ENDLESS_CHARS = 10_000;

function isEmpty(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
}
