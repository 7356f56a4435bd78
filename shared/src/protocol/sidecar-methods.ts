import * as z from 'zod';
import { once } from '../once.ts';
import { projectOutcomeSchema, windowProjectSchema } from './handshake.ts';
import { method, notice } from './method.ts';
import { progressOfCallSchema } from './progress.ts';
import { SETUP_CLIENTS } from './setup-clients.ts';
import { suggestedConnectionSchema } from './suggested-connection.ts';

/**
 * Runs a tool through the gate. `call` identifies the call in progress notices and questions. The answer is the text
 * for the model, made in the sidecar, so that a large one costs the editor no tree of rows.
 */
export const runTool = method(
  'sidecar/runTool',
  () =>
    z.strictObject({
      call: z.string().min(1),
      /** Which project of the window; the first one when left out. */
      root: z.string().optional(),
      tool: z.string(),
      input: z.unknown(),
      client: z.strictObject({ id: z.string(), name: z.string() }),
      /** The editor has just asked its user about this very call, who said yes. */
      confirmed: z.boolean().optional(),
    }),
  () => z.object({ ok: z.boolean(), text: z.string() }),
);

/** Progress of a running tool; sent to the editor. */
export const toolProgress = notice('editor/toolProgress', progressOfCallSchema);

/** Sends the open folders and their settings again: new ones are opened, missing ones end, the rest keep running. */
export const setProjects = method(
  'sidecar/setProjects',
  // Tools without a root mean the first one.
  () => z.strictObject({ projects: z.array(windowProjectSchema()) }),
  // In the order of the request.
  () => z.object({ projects: z.array(projectOutcomeSchema()) }),
);

/** The default database, or a sentence on why there is none. */
const databaseStateSchema = once(() =>
  z.union([z.object({ name: z.string(), engine: z.string() }), z.object({ problem: z.string() })]),
);
export type DatabaseState = z.infer<ReturnType<typeof databaseStateSchema>>;

/** The status bar's content. Detecting databases may take a moment. */
export const status = method(
  'sidecar/status',
  () => z.strictObject({}),
  () =>
    z.object({
      version: z.string(),
      pid: z.int(),
      projects: z.array(
        z.object({ root: z.string(), port: z.int(), tools: z.array(z.string()), database: databaseStateSchema() }),
      ),
    }),
);
export type SidecarStatus = z.infer<typeof status.result>;

/** The text that `devdb setup <client>` prints. */
export const setupText = method(
  'sidecar/setupText',
  () => z.strictObject({ client: z.enum(SETUP_CLIENTS) }),
  () => z.object({ text: z.string() }),
);

/** The report of `devdb doctor` for one of the window's projects; the first one when left out. */
export const doctorText = method(
  'sidecar/doctorText',
  () => z.strictObject({ root: z.string().optional() }),
  () =>
    z.object({
      text: z.string(),
      /** Where there is no default database: what a person can add. */
      suggestion: z
        .object({ file: z.string(), line: z.int().optional(), connection: suggestedConnectionSchema() })
        .optional(),
    }),
);
export type DoctorText = z.infer<typeof doctorText.result>;

/** Ends the sidecar in order: calls are cancelled, the listener closes, the registry entry is removed. */
export const shutdown = method(
  'sidecar/shutdown',
  () => z.strictObject({}),
  () => z.object({}),
);
