import * as z from 'zod';
import { nameText, pathText, plain } from '../../plain-text.ts';
import { unsavedFiles } from '../code/changes.ts';
import { PLACE_ERRORS } from '../code/fields.ts';
import { defineTool } from '../define-tool.ts';

const number = z.int().min(1).optional();

export const renameSymbol = defineTool({
  name: 'rename_symbol',
  aliases: ['symbol_rename'],
  title: 'Rename a symbol',
  description:
    'Rename a variable, function, class or other name with all its uses, by meaning; saves and lists the files.',
  toolset: 'refactor',
  runsIn: 'editor',
  input: z.strictObject({
    fileUri: z.string().min(1).describe('File that has it'),
    originalName: z.string().min(1).describe('Or Class.method'),
    newName: z.string().min(1).describe('Only a name'),
    line: number.describe('1-based, if ambiguous'),
    column: number.describe('1-based too'),
    lineContent: z.string().optional().describe('Or that line'),
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    edits: z.int(),
    files: z.array(z.object({ path: z.string(), edits: z.int() })),
    unsavedFiles,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: [...PLACE_ERRORS, 'E_EDIT_FAILED'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: {
    effect: 'changes files',
    beforeRun: 'It renames a symbol in every file of the project that uses it.',
    afterTimeout: 'The language server may still be reading a large project; look at what changed, then call again.',
  },
  approval: {
    question: ({ fileUri, originalName, newName }) => ({
      ask: plain`Rename this symbol in the whole project?`,
      facts: [
        { label: plain`From`, value: nameText(originalName) },
        { label: plain`To`, value: nameText(newName) },
        { label: plain`File`, value: pathText(fileUri) },
      ],
    }),
    covers: () => 'rename_symbol',
  },
  examples: [
    { input: { fileUri: 'src/greeting.ts', originalName: 'greeting', newName: 'salute' }, gives: 'ok' },
    { input: { fileUri: 'src/shapes.ts', originalName: 'area', newName: 'size', line: 6 }, gives: 'ok' },
    { input: { fileUri: 'src/shapes.ts', originalName: 'area', newName: 'size' }, gives: 'E_AMBIGUOUS_SYMBOL' },
    { input: { fileUri: 'src/greeting.ts', originalName: 'nobody', newName: 'x' }, gives: 'E_SYMBOL_NOT_FOUND' },
    { input: { fileUri: 'src/nosuch.ts', originalName: 'a', newName: 'b' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { fileUri: '../x.ts', originalName: 'a', newName: 'b' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { fileUri: 'src/notes.txt', originalName: 'bread', newName: 'b' }, gives: 'E_NO_PROVIDER' },
    { input: { fileUri: 'src/greeting.ts', originalName: 'greeting' }, gives: 'E_INVALID_PARAMS' },
  ],
});
