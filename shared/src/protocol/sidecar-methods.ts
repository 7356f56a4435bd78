import * as z from 'zod';
import type { Envelope } from '../envelope.ts';
import { wireErrorSchema } from '../wire-error.ts';
import { projectSettingsSchema } from './handshake.ts';
import { method, notice } from './method.ts';

const metaSchema = z.object({ requestId: z.string(), timestamp: z.string(), duration: z.number() });

/** An answer as it arrives over the pipe. */
export const envelopeSchema: z.ZodType<Envelope> = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), type: z.literal('success'), data: z.unknown(), meta: metaSchema }),
  z.object({ ok: z.literal(false), type: z.literal('error'), error: wireErrorSchema, meta: metaSchema }),
]);

/** Runs a tool through the gate. `call` names the call in progress notices and in questions. */
export const runTool = method(
  'sidecar/runTool',
  z.strictObject({
    call: z.string().min(1),
    /** Which project of the window; the first one when left out. */
    root: z.string().optional(),
    tool: z.string(),
    input: z.unknown(),
    client: z.strictObject({ id: z.string(), name: z.string() }),
  }),
  envelopeSchema,
);

/** What a running tool says meanwhile; sent to the editor. */
export const toolProgress = notice(
  'editor/toolProgress',
  z.object({
    call: z.string(),
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
);

/** What the status bar shows. */
export const status = method(
  'sidecar/status',
  z.strictObject({}),
  z.object({
    version: z.string(),
    pid: z.int(),
    projects: z.array(z.object({ root: z.string(), port: z.int(), tools: z.array(z.string()) })),
  }),
);

/** The window's settings changed. */
export const setSettings = method(
  'sidecar/setSettings',
  z.strictObject({ root: z.string(), settings: projectSettingsSchema }),
  z.object({}),
);

/** Ends the sidecar in order: calls are cancelled, the listener closes, the registry entry goes. */
export const shutdown = method('sidecar/shutdown', z.strictObject({}), z.object({}));
