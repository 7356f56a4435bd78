import { joined, type PlainText, plain, sentenceText } from '@devdb/shared/plain-text';
import type { ProjectToolFile, ProjectToolParameter } from '@devdb/shared/tools/project-tool-file';
import * as z from 'zod';

type Hint = NonNullable<NonNullable<ProjectToolFile['mcp']['llm']>['parameter_hints']>[string];

/** A tool's input schema, made from its parameters. Strict, like every tool's. */
export function inputOf({ params = {}, mcp }: ProjectToolFile): z.ZodObject {
  const hints = new Map(Object.entries(mcp.llm?.parameter_hints ?? {}));
  const fields = Object.entries(params).map(
    ([name, parameter]) => [name, fieldOf(parameter, hints.get(name))] as const,
  );
  return z.strictObject(Object.fromEntries(fields));
}

/** The schema of a parameter's value. */
export function valueField(parameter: ProjectToolParameter): z.ZodType {
  if (parameter.enum !== undefined) return z.literal(parameter.enum);
  const { min, max } = parameter;
  switch (parameter.type) {
    case 'boolean':
      return z.boolean();
    case 'string':
      return within(z.string(), min, max);
    case 'number':
      return within(z.number(), min, max);
    case 'integer':
      return within(z.int(), min, max);
  }
}

function within<Field extends { min(bound: number): Field; max(bound: number): Field }>(
  field: Field,
  min: number | undefined,
  max: number | undefined,
): Field {
  const above = min === undefined ? field : field.min(min);
  return max === undefined ? above : above.max(max);
}

function fieldOf(parameter: ProjectToolParameter, hint: Hint | undefined): z.ZodType {
  const field = valueField(parameter);
  const text = describe(parameter, hint);
  if (parameter.default !== undefined) return field.default(parameter.default).describe(text);
  return parameter.required === false ? field.optional().describe(text) : field.describe(text);
}

function describe({ description }: ProjectToolParameter, hint: Hint | undefined): PlainText {
  const { note, examples = [] } = hint ?? {};
  const told = examples.map((example) => sentenceText(JSON.stringify(example)));
  const parts = [
    sentenceText(description),
    ...(note === undefined ? [] : [sentenceText(note)]),
    ...(told.length === 0 ? [] : [plain`e.g. ${joined(told)}`]),
  ];
  return joined(parts, plain` `);
}
