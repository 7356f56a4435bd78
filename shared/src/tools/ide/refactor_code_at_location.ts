import * as z from 'zod';
import { nameText, pathText, plain } from '../../plain-text.ts';
import { changedFiles, unsavedFiles } from '../code/changes.ts';
import { defineTool } from '../define-tool.ts';
import { pathInProject, zeroCharacter, zeroLine } from './code-fields.ts';

const end = z.int().min(0).optional();

export const refactorCodeAtLocation = defineTool({
  name: 'refactor_code_at_location',
  title: 'Refactor code at a position',
  description:
    'Rename the symbol at a 0-based position, or extract the code there into a function or variable; saves what changed.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z
    .strictObject({
      pathInProject,
      line: zeroLine,
      character: zeroCharacter,
      refactorType: z.enum(['rename', 'extract_function', 'extract_variable']).describe('What to do there'),
      options: z
        .strictObject({
          newName: z.string().min(1).optional().describe('Needed to rename'),
          endLine: end.describe('Where the code to extract ends'),
          endCharacter: end.describe('0-based, behind it'),
        })
        .default({})
        .describe('Name and extent'),
    })
    .refine(({ refactorType, options }) => refactorType !== 'rename' || options.newName !== undefined, {
      path: ['options', 'newName'],
      message: 'rename needs it',
    }),
  output: z.object({ success: z.literal(true), message: z.string(), changedFiles, unsavedFiles }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [
    'E_FILE_NOT_FOUND',
    'E_OUTSIDE_PROJECT',
    'E_SYMBOL_NOT_FOUND',
    'E_NO_PROVIDER',
    'E_NOT_FOUND',
    'E_EDIT_FAILED',
  ],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: { effect: 'changes files', beforeRun: 'It refactors code in files of the project.' },
  approval: {
    question: ({ pathInProject, line, refactorType, options }) => ({
      ask: plain`Refactor this code?`,
      facts: [
        { label: plain`What`, value: nameText(refactorType) },
        { label: plain`File`, value: pathText(pathInProject) },
        { label: plain`Line`, value: plain`${line + 1}` },
        ...(options.newName === undefined ? [] : [{ label: plain`Name`, value: nameText(options.newName) }]),
      ],
    }),
    covers: () => 'refactor_code_at_location',
  },
  examples: [
    {
      input: {
        pathInProject: 'src/greeting.ts',
        line: 0,
        character: 18,
        refactorType: 'rename',
        options: { newName: 'salute' },
      },
      gives: 'ok',
    },
    {
      input: {
        pathInProject: 'src/greeting.ts',
        line: 1,
        character: 9,
        refactorType: 'extract_function',
        options: { newName: 'sentence', endLine: 1, endCharacter: 25 },
      },
      gives: 'ok',
    },
    {
      input: { pathInProject: 'src/greeting.ts', line: 900, character: 0, refactorType: 'extract_variable' },
      gives: 'E_SYMBOL_NOT_FOUND',
    },
    {
      input: { pathInProject: 'src/greeting.ts', line: 0, character: 18, refactorType: 'rename' },
      gives: 'E_INVALID_PARAMS',
    },
  ],
});
