import { once } from '../once.ts';
import { projectOutcomeSchema, windowProjectSchema } from './handshake.ts';
import type { ValueOf } from './message-schema.ts';
import { method, notice, type ResultOf } from './method.ts';
import { progressOfCallSchema } from './progress.ts';
import { SETUP_CLIENTS } from './setup-clients.ts';
import { anything, either, exactly, fields, filledText, flag, listOf, oneOf, text, whole } from './shapes.ts';

/**
 * Runs a tool through the gate. `call` identifies the call in progress notices and questions. The answer is the text
 * for the model, made in the sidecar, so that a large one costs the editor no tree of rows.
 */
export const runTool = method(
  'sidecar/runTool',
  () =>
    exactly(
      { call: filledText, tool: text, input: anything, client: exactly({ id: text, name: text }) },
      {
        /** Which project of the window; the first one when left out. */
        root: text,
        /** The editor has just asked its user about this very call, who said yes. */
        confirmed: flag,
      },
    ),
  () => fields({ ok: flag, text }),
);

/** Progress of a running tool; sent to the editor. */
export const toolProgress = notice('editor/toolProgress', progressOfCallSchema);

/** Sends the open folders and their settings again: new ones are opened, missing ones end, the rest keep running. */
export const setProjects = method(
  'sidecar/setProjects',
  // Tools without a root mean the first one.
  () => exactly({ projects: listOf(windowProjectSchema()) }),
  // In the order of the request.
  () => fields({ projects: listOf(projectOutcomeSchema()) }),
);

/** The default database, or a sentence on why there is none. */
const databaseStateSchema = once(() => either(fields({ name: text, engine: text }), fields({ problem: text })));
export type DatabaseState = ValueOf<ReturnType<typeof databaseStateSchema>>;

/** The status bar's content. Detecting databases may take a moment. */
export const status = method(
  'sidecar/status',
  () => exactly({}),
  () =>
    fields({
      version: text,
      pid: whole,
      projects: listOf(fields({ root: text, port: whole, tools: listOf(text), database: databaseStateSchema() })),
    }),
);
export type SidecarStatus = ResultOf<typeof status>;

/** The text that `devdb setup <client>` prints. */
export const setupText = method(
  'sidecar/setupText',
  () => exactly({ client: oneOf(SETUP_CLIENTS) }),
  () => fields({ text }),
);

/** Ends the sidecar in order: calls are cancelled, the listener closes, the registry entry is removed. */
export const shutdown = method(
  'sidecar/shutdown',
  () => exactly({}),
  () => fields({}),
);
