import * as z from 'zod';
import { pathText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { fileUri } from './fields.ts';

export const renameFile = defineTool({
  name: 'rename_file',
  title: 'Rename or move a file',
  description:
    "Rename or move a file or folder and the imports that point at it, where the language's extension can; saves and lists what changed. Use it instead of mv. Makes folders.",
  toolset: 'refactor',
  runsIn: 'editor',
  input: z.strictObject({
    oldUri: fileUri,
    newUri: fileUri.describe('Where it goes'),
    updateImports: z.boolean().default(true).describe('Change imports too'),
    overwrite: z.boolean().default(false).describe('Replace what is there'),
  }),
  output: z.object({
    from: z.string().describe('Path from the project root'),
    to: z.string(),
    importsUpdated: z.boolean(),
    changedFiles: z.array(z.string()).describe('Other files that were changed and saved'),
    unsavedFiles: z
      .array(z.string())
      .optional()
      .describe('Changed files that are not saved: they had unsaved text of the user, or saving failed'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  errors: ['E_FILE_NOT_FOUND', 'E_ALREADY_EXISTS', 'E_OUTSIDE_PROJECT', 'E_EDIT_FAILED'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: {
    effect: 'changes files',
    beforeRun: 'It renames a file and changes the imports that point at it.',
    afterTimeout: 'A large project may need longer; look at what changed before calling again.',
  },
  approval: {
    isFinal: ({ overwrite }) => overwrite,
    question: ({ oldUri, newUri, updateImports, overwrite }) => ({
      ask: plain`Rename this file?`,
      facts: [
        { label: plain`From`, value: pathText(oldUri) },
        { label: plain`To`, value: pathText(newUri) },
        {
          label: plain`Imports`,
          value: updateImports ? plain`Imports that point at it are changed too.` : plain`Left as they are.`,
        },
        ...(overwrite ? [{ label: plain`Overwrites`, value: plain`A file at the new path is replaced.` }] : []),
      ],
    }),
    covers: () => 'rename_file',
  },
  examples: [
    { input: { oldUri: 'src/greeting.ts', newUri: 'src/words/greeting.ts' }, gives: 'ok' },
    { input: { oldUri: 'src/nosuch.ts', newUri: 'src/other.ts' }, gives: 'E_FILE_NOT_FOUND' },
    { input: { oldUri: 'src/greeting.ts', newUri: 'src/main.ts' }, gives: 'E_ALREADY_EXISTS' },
    { input: { oldUri: 'src/greeting.ts', newUri: '../greeting.ts' }, gives: 'E_OUTSIDE_PROJECT' },
    { input: { oldUri: 'src/greeting.ts' }, gives: 'E_INVALID_PARAMS' },
  ],
});
