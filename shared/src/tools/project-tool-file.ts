import * as z from 'zod';
import {
  MAX_PROJECT_TOOL_FILE_BYTES,
  MAX_PROJECT_TOOL_NAME_CHARS,
  MAX_PROJECT_TOOL_PARAMS,
  MAX_QUERY_TIMEOUT_MS,
} from '../limits.ts';
import { isPlainLines } from '../plain-text.ts';

/** Where a project keeps its custom tools, and how their file names end. */
export const PROJECT_TOOLS_FOLDER = '.devdb/tools';
export const PROJECT_TOOL_ENDING = '.meta.yaml';

const PARAMETER_TYPES = ['string', 'number', 'integer', 'boolean'] as const;

const MAX_TEXT_CHARS = 1_000;
const MAX_CHOICES = 100;
const MAX_EXAMPLES = 10;

// Shown to models and people, so invisible characters are refused.
const text = z
  .string()
  .min(1)
  .max(MAX_TEXT_CHARS)
  .refine((it) => isPlainLines(it.replaceAll(/\r\n|\t/g, ' ')), 'holds hidden characters');
const value = z.union([z.string(), z.number(), z.boolean()]);

const parameterName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'a name of letters, digits and _ that begins with a letter');

const parameter = z
  .strictObject({
    type: z.enum(PARAMETER_TYPES).describe('What the caller passes, and the type it is bound as'),
    description: text.describe('For the model: what the value means, where it comes from'),
    required: z.boolean().optional().describe('true unless there is a default. A value left out is bound as NULL.'),
    default: value.optional().describe('Bound when the caller leaves the parameter out'),
    enum: z.array(value).min(1).max(MAX_CHOICES).optional().describe('The only values accepted'),
    min: z.number().optional().describe('Smallest number, or fewest characters of a string'),
    max: z.number().optional().describe('Largest number, or most characters of a string'),
  })
  .describe('A value that the statement takes as :name');

const hint = z.strictObject({
  examples: z.array(value).max(MAX_EXAMPLES).optional().describe('Values as a caller would pass them'),
  note: text.optional().describe('What to mind'),
});

const mcp = z.strictObject({
  enabled: z.boolean().optional().describe('false switches the tool off on every door'),
  tool: z
    .string()
    .max(MAX_PROJECT_TOOL_NAME_CHARS)
    .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'letters, digits, _ and -, a letter first')
    .optional()
    .describe("The tool's name; without it the alias with _ for each point"),
  description: text.describe('For the model: what the tool returns'),
  timeout: z
    .int()
    .min(1)
    .max(MAX_QUERY_TIMEOUT_MS)
    .optional()
    .describe('Milliseconds after which the statement is stopped on the server; 30000 by default'),
  llm: z
    .strictObject({
      when_to_use: text.optional().describe('For the model: when to call it, and when not'),
      parameter_hints: z.record(parameterName, hint).optional().describe('Examples and notes, by parameter'),
    })
    .optional(),
});

/** The content of a custom tool's file. */
export const projectToolFile = z
  .strictObject({
    alias: z
      .string()
      .max(MAX_PROJECT_TOOL_NAME_CHARS)
      .regex(/^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+$/, 'thing.action, e.g. customer.orders')
      .describe('thing.action, e.g. customer.orders'),
    params: z
      .record(parameterName, parameter)
      .refine((all) => Object.keys(all).length <= MAX_PROJECT_TOOL_PARAMS, `at most ${MAX_PROJECT_TOOL_PARAMS}`)
      .optional()
      .describe('What a caller passes, by name'),
    sql: z
      .string()
      .min(1)
      .max(MAX_PROJECT_TOOL_FILE_BYTES)
      .describe('One statement. Values come in as :name and are bound, never written into the text.'),
    connection: z
      .string()
      .min(1)
      .optional()
      .describe('Which database, by its id from list-connections; the default database without it'),
    mcp,
  })
  .describe("One of this project's own tools, for agents that work with DevDB");

export type ProjectToolFile = z.output<typeof projectToolFile>;
export type ProjectToolParameter = z.output<typeof parameter>;
