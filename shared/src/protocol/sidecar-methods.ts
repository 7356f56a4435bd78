import * as z from 'zod';
import { once } from '../once.ts';
import { projectOutcomeSchema, windowProjectSchema } from './handshake.ts';
import { method, notice } from './method.ts';
import { progressOfCallSchema } from './progress.ts';
import { SETUP_CLIENTS } from './setup-clients.ts';

/**
 * Runs a tool through the gate. `call` names the call in progress notices and in questions. The answer is the text that
 * a model reads, made in the sidecar: a large one costs the editor no tree of rows.
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

/** What a running tool says meanwhile; sent to the editor. */
export const toolProgress = notice('editor/toolProgress', progressOfCallSchema);

/** Says again which folders are open and how: what is new is opened, what is gone ends, what stays goes on running. */
export const setProjects = method(
  'sidecar/setProjects',
  // The first is the one that tools without a root mean.
  () => z.strictObject({ projects: z.array(windowProjectSchema()) }),
  // In the order of the question.
  () => z.object({ projects: z.array(projectOutcomeSchema()) }),
);

/** The default database, or why there is none, in a sentence. */
const databaseStateSchema = once(() =>
  z.union([z.object({ name: z.string(), engine: z.string() }), z.object({ problem: z.string() })]),
);
export type DatabaseState = z.infer<ReturnType<typeof databaseStateSchema>>;

/** What the status bar shows. Looking for databases may take a moment. */
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
  () => z.object({ text: z.string() }),
);

/** Ends the sidecar in order: calls are cancelled, the listener closes, the registry entry goes. */
export const shutdown = method(
  'sidecar/shutdown',
  () => z.strictObject({}),
  () => z.object({}),
);
