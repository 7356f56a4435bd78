import * as z from 'zod';
import { DEBUG_WAIT_MS, MAX_DEBUG_WAIT_MS } from '../../limits.ts';

/** Fields that several tools of the debugger share, described once. */
export const sessionId = z.string().min(1).max(200).optional().describe('Default: the session you started');

export const sourcePath = z.string().min(1).max(4_096).describe('Source file, from the project root, e.g. src/app.ts');

export const line = z.int().min(1).max(10_000_000).describe('Counts from 1');

export const frameId = z.int().min(1).describe('From debug_stack or a stop');

export const variablesReference = z.int().min(1).describe('From debug_scopes, debug_list_variables or debug_evaluate');

export const brief = z.boolean().default(false).describe('Leave out source, locals and output');

export const waitMs = z.int().min(100).max(MAX_DEBUG_WAIT_MS).default(DEBUG_WAIT_MS).describe('How long to wait');

export const threadId = z.int().min(1).optional().describe('From debug_threads; default: the one that stopped last');

const text = z.string().min(1).max(10_000);
export const expression = text.describe("In the program's language, e.g. user.name");
export const condition = text.optional().describe('Stop only if this is true, e.g. i > 10');

/** The fields of a variable in answers. */
export const variableFields = {
  name: z.string(),
  value: z.string(),
  type: z.string().optional(),
  variablesReference: z.int().optional().describe('For debug_get_variable'),
  indexedVariables: z.int().optional(),
  more: z.boolean().optional().describe('Its children are not all listed'),
};

/** A result that may have children. */
export const resultFields = {
  type: z.string().optional(),
  variablesReference: z.int().optional(),
  namedVariables: z.int().optional(),
  indexedVariables: z.int().optional(),
};

/** What became of a program that ran on. */
export const outcomeFields = {
  event: z.enum(['stopped', 'terminated', 'error']),
  sessionId: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
  hint: z.string().optional(),
  file: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
  functionName: z.string().optional(),
  threadId: z.int().optional(),
  frameId: z.int().optional(),
  exitCode: z.int().optional(),
  source: z.string().optional().describe('The line with three around it'),
  locals: z.array(z.object(variableFields)).readonly().optional(),
  output: z.string().optional().describe('What was printed since the last answer, its end'),
};

export const breakpoint = z.object({
  path: z.string(),
  line: z.int(),
  requestedLine: z.int().optional(),
  condition: z.string().optional(),
  hitCondition: z.string().optional(),
  logMessage: z.string().optional(),
  enabled: z.boolean(),
  verified: z.boolean(),
  message: z.string().optional(),
});

/** A part of an answer, and how to get the rest. */
export const cutFields = { truncated: z.boolean(), rest: z.string().optional() };
