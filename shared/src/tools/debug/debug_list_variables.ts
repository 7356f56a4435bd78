import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { cutFields, sessionId, variableFields } from './fields.ts';

interface VariableNode {
  readonly name: string;
  readonly value: string;
  readonly type?: string | undefined;
  readonly variablesReference?: number | undefined;
  readonly indexedVariables?: number | undefined;
  readonly more?: boolean | undefined;
  readonly omitted?: number | undefined;
  readonly children?: readonly VariableNode[] | undefined;
}

const node: z.ZodType<VariableNode, VariableNode> = z.object({
  ...variableFields,
  omitted: z.int().optional(),
  children: z.lazy(() => z.array(node).readonly()).optional(),
});

export const debugListVariables = defineTool({
  name: 'debug_list_variables',
  aliases: ['variable_list'],
  title: 'List variables',
  description:
    'The variables where the program stands, as a tree below their scopes. Long values are cut and say so; more or omitted mean children that are not listed: debug_get_variable has them. After debug_start, at a stop.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({
    scope: z.enum(['all', 'local', 'closure', 'global']).default('all').describe('all has no globals'),
    maxDepth: z.int().min(1).max(10).default(3).describe('Levels of the tree'),
    sessionId,
  }),
  output: z.object({ variables: z.array(node), ...cutFields }),
  annotations: READ_ONLY,
  errors: ['E_NO_SESSION', 'E_NOT_PAUSED', 'E_INVALID_REFERENCE'],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { scope: 'local', maxDepth: 2 }, given: 'a paused program', gives: 'ok' },
    { input: {}, gives: 'E_NO_SESSION' },
    { input: { scope: 'mine' }, gives: 'E_INVALID_PARAMS' },
  ],
});
