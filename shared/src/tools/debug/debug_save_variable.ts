import * as z from 'zod';
import { pathText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { expression, sessionId } from './fields.ts';
import { RUNS_CODE } from './words.ts';

export const debugSaveVariable = defineTool({
  name: 'debug_save_variable',
  title: 'Save a variable to a file',
  description:
    'Evaluate an expression where the program stands and write its children to a new JSON Lines file of the project, streamed: for collections too large to page through. After debug_start, at a stop.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({
    outputPath: z.string().min(1).max(4_096).describe('New file inside the project, e.g. out/items.jsonl'),
    expression,
    pageSize: z.int().min(1).max(10_000).default(500).describe('Items asked for at once'),
    maxItems: z.int().min(1).max(1_000_000_000).optional().describe('Most items to write'),
    context: z.enum(['repl', 'watch', 'hover']).default('watch').describe('How it is meant'),
    sessionId,
  }),
  output: z.object({
    outputPath: z.string(),
    bytes: z.int(),
    counts: z.object({ indexed: z.int(), named: z.int() }),
    truncatedByLimit: z.boolean(),
  }),
  annotations: RUNS_CODE,
  errors: [
    'E_NO_SESSION',
    'E_NOT_PAUSED',
    'E_INVALID_REFERENCE',
    'E_EVALUATE_FAILED',
    'E_NOT_EXPANDABLE',
    'E_OUTSIDE_PROJECT',
    'E_INVALID_PATH',
    'E_FILE_NOT_FOUND',
    'E_ALREADY_EXISTS',
  ],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: {
    effect: 'runs code in the debugged program, writes a file',
    beforeRun: 'It runs code in the debugged program and writes what it gives to a file.',
    afterTimeout: 'The file was removed: pass maxItems, or a larger time-out.',
  },
  approval: {
    question: ({ expression, outputPath }) => ({
      ask: plain`Evaluate this in the debugged program and write it to a file?`,
      statement: expression,
      facts: [{ label: plain`File`, value: pathText(outputPath) }],
    }),
    covers: ({ expression }) => expression,
    inOwnSession: true,
  },
  examples: [
    { input: { outputPath: 'out/list.jsonl', expression: 'list' }, given: 'a paused program', gives: 'ok' },
    { input: { outputPath: 'out/i.jsonl', expression: 'i' }, given: 'a paused program', gives: 'E_NOT_EXPANDABLE' },
    {
      input: { outputPath: 'out/x.jsonl', expression: 'nosuch' },
      given: 'a paused program',
      gives: 'E_EVALUATE_FAILED',
    },
    { input: { outputPath: '../x.jsonl', expression: 'list' }, given: 'a paused program', gives: 'E_OUTSIDE_PROJECT' },
    { input: { outputPath: 'src/loop.js', expression: 'list' }, given: 'a paused program', gives: 'E_INVALID_PATH' },
    { input: { outputPath: 'none/x.jsonl', expression: 'list' }, given: 'a paused program', gives: 'E_FILE_NOT_FOUND' },
    { input: { outputPath: 'out/x.jsonl', expression: 'x' }, given: 'a debugger', gives: 'E_NO_SESSION' },
    { input: { expression: 'x' }, gives: 'E_INVALID_PARAMS' },
  ],
});
