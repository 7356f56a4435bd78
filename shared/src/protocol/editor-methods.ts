import * as z from 'zod';
import { ANSWERS, questionSchema } from './ask.ts';
import { method } from './method.ts';

/** Runs a tool that needs the editor's own API. Input is parsed by the gate before and output after. */
export const runEditorTool = method(
  'editor/runTool',
  z.strictObject({ root: z.string(), tool: z.string(), input: z.unknown() }),
  z.unknown(),
);

/** Puts a question to the person at the editor. A dialog that is closed is no. */
export const askPerson = method('editor/ask', questionSchema.strict(), z.object({ answer: z.enum(ANSWERS) }));
