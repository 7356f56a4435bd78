import { method, notice } from './method.ts';
import { progressOfCallSchema } from './progress.ts';
import { anything, exactly, fields, listOf, oneOf, plainLine, text } from './shapes.ts';

/** Runs a tool that needs the editor's API. `call` identifies it in progress notices; the gate parses the output. */
export const runEditorTool = method(
  'editor/runTool',
  async () => (await import('./editor-call-schema.ts')).editorCallSchema(),
  () => anything,
);

/** Answered by an editor that is not stuck. */
export const pingEditor = method(
  'editor/ping',
  () => exactly({}),
  () => fields({}),
);

/** Progress of a tool that runs in the editor; sent to the sidecar. */
export const editorToolProgress = notice('sidecar/editorToolProgress', progressOfCallSchema);

/** Asks the person at the editor. Closing the dialog means no. */
export const askPerson = method(
  'editor/ask',
  async () => (await import('./ask.ts')).questionSchema().strict(),
  async () => (await import('./ask.ts')).answerSchema(),
);

/** Which files of a project the window shows, by absolute path. */
export const lookAtWindow = method(
  'editor/lookAtWindow',
  () => exactly({ root: text }),
  () => fields({ activeFile: text, openFiles: listOf(text) }),
);

/** The sidecar asks the editor for its stored databases; passwords cross the pipe and are written nowhere. */
export const keptDatabases = method(
  'editor/keptDatabases',
  () => exactly({ root: text }),
  async () => (await import('./connection-methods.ts')).keptConnectionsSchema(),
);

/** A message to the editor's user: an error is shown, information is only logged. */
export const notifyPerson = notice('editor/notify', () =>
  exactly(
    {
      level: oneOf(['info', 'error']),
      message: plainLine,
    },
    {
      /** The subject: shown once per window for the same key, however often it happens. */
      once: text,
    },
  ),
);

/** Something that `sidecar/status` reports of this project has changed. */
export const projectChanged = notice('editor/projectChanged', () => exactly({ root: text }));
