import * as z from 'zod';
import { cutFields } from '../debug/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { event, eventKinds, recordedSession, session } from './fields.ts';

export const dapTimeline = defineTool({
  name: 'dap_timeline',
  title: 'Timeline',
  description: 'What happened in a debug session, in order, with times.',
  toolset: 'trace',
  runsIn: 'editor',
  input: z.strictObject({
    sessionId: recordedSession,
    eventTypes: z.array(eventKinds).min(1).max(9).optional().describe('Only of these'),
    window: z.int().min(1).max(1_000).default(100).describe('Most events'),
    granularity: z
      .enum(['all', 'milestones', 'summary'])
      .default('all')
      .describe('milestones: all but output; summary: output in runs'),
    fromEnd: z.boolean().default(false).describe('The last ones'),
  }),
  output: z.object({ timeline: z.array(event), eventCount: z.int(), durationMs: z.number(), session, ...cutFields }),
  annotations: READ_ONLY,
  errors: ['E_NO_SESSION', 'E_SESSION_NOT_FOUND'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: {}, given: 'a paused program', gives: 'ok' },
    { input: { sessionId: 'no-such' }, gives: 'E_SESSION_NOT_FOUND' },
    { input: { granularity: 'some' }, gives: 'E_INVALID_PARAMS' },
  ],
});
