import * as z from 'zod';

/** Fields of the tools that look back at what a session did, described once. */
export const recordedSession = z.string().min(1).max(200).optional().describe('Default: the latest');

export const outputCategory = z.string().min(1).max(100).default('all').describe('E.g. stdout, stderr, console');

export const count = z.int().min(1).max(1_000).default(20).describe('Most to return');

export const session = z.object({
  sessionId: z.string(),
  sessionName: z.string(),
  adapterType: z.string(),
  live: z.boolean(),
  startedAt: z.string(),
  durationMs: z.number(),
  exitCode: z.int().optional(),
  dropped: z.int().describe('Events that made room for later ones'),
});

/** Something that happened, with the milliseconds since the start of its session. */
export const event = z.object({
  at: z.int(),
  ms: z.number(),
  kind: z.string(),
  text: z.string(),
  detail: z.string().optional(),
  threadId: z.int().optional(),
  file: z.string().optional(),
  line: z.int().optional(),
});

export const eventKinds = z.enum([
  'started',
  'output',
  'stopped',
  'continued',
  'exception',
  'breakpoint',
  'failed',
  'exited',
  'ended',
]);

export const counts = z.record(z.string(), z.int());
