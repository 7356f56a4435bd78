import * as z from 'zod';
import { ANSWERS, questionSchema } from './ask.ts';
import { method, notice } from './method.ts';
import { plainField } from './plain-field.ts';
import { progressOfCallSchema } from './progress.ts';

/** Runs a tool that needs the editor's own API. `call` names it in progress notices; the gate parses the output. */
export const runEditorTool = method(
  'editor/runTool',
  z.strictObject({
    call: z.string().min(1),
    root: z.string(),
    tool: z.string(),
    input: z.unknown(),
    client: z.strictObject({ id: z.string(), name: z.string() }),
    /** Nobody has to be asked any more. Else the editor refuses with E_CONFIRMATION_REQUIRED what no earlier yes covers. */
    approved: z.boolean(),
  }),
  z.unknown(),
);

/** Answered by an editor that is not stuck. */
export const pingEditor = method('editor/ping', z.strictObject({}), z.object({}));

/** What a tool that runs in the editor says meanwhile; sent to the sidecar. */
export const editorToolProgress = notice('sidecar/editorToolProgress', progressOfCallSchema);

/** Puts a question to the person at the editor. A dialog that is closed is no. */
export const askPerson = method('editor/ask', questionSchema.strict(), z.object({ answer: z.enum(ANSWERS) }));

/** What a person at the editor should be told: an error is shown, information is only written into the log. */
export const notifyPerson = notice(
  'editor/notify',
  z.strictObject({
    level: z.enum(['info', 'error']),
    message: plainField,
    /** What it is about: told once per window under the same key, however often it happens. */
    once: z.string().optional(),
  }),
);

/** Something that `sidecar/status` tells of this project is different now. */
export const projectChanged = notice('editor/projectChanged', z.strictObject({ root: z.string() }));
