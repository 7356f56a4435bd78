import * as z from 'zod';
import { finalChangeSchema } from '../final-change-schema.ts';
import { ANSWERS, questionSchema } from './ask.ts';
import { method, notice } from './method.ts';
import { plainField } from './plain-field.ts';
import { progressOfCallSchema } from './progress.ts';

/** Runs a tool that needs the editor's API. `call` identifies it in progress notices; the gate parses the output. */
export const runEditorTool = method(
  'editor/runTool',
  () =>
    z.strictObject({
      call: z.string().min(1),
      root: z.string(),
      tool: z.string(),
      input: z.unknown(),
      client: z.strictObject({ id: z.string(), name: z.string() }),
      /** Nobody has to be asked. Else the editor refuses with E_CONFIRMATION_REQUIRED what no earlier yes covers. */
      approved: z.boolean(),
      /** What the user has agreed to after the editor refused it. */
      agreed: finalChangeSchema().optional(),
    }),
  () => z.unknown(),
);

/** Answered by an editor that is not stuck. */
export const pingEditor = method(
  'editor/ping',
  () => z.strictObject({}),
  () => z.object({}),
);

/** Progress of a tool that runs in the editor; sent to the sidecar. */
export const editorToolProgress = notice('sidecar/editorToolProgress', progressOfCallSchema);

/** Asks the person at the editor. Closing the dialog means no. */
export const askPerson = method(
  'editor/ask',
  () => questionSchema().strict(),
  () => z.object({ answer: z.enum(ANSWERS) }),
);

/** Which files of a project the window shows, by absolute path. */
export const lookAtWindow = method(
  'editor/lookAtWindow',
  () => z.strictObject({ root: z.string() }),
  () => z.object({ activeFile: z.string(), openFiles: z.array(z.string()) }),
);

/** A message to the editor's user: an error is shown, information is only logged. */
export const notifyPerson = notice('editor/notify', () =>
  z.strictObject({
    level: z.enum(['info', 'error']),
    message: plainField(),
    /** The subject: shown once per window for the same key, however often it happens. */
    once: z.string().optional(),
  }),
);

/** Something that `sidecar/status` reports of this project has changed. */
export const projectChanged = notice('editor/projectChanged', () => z.strictObject({ root: z.string() }));
