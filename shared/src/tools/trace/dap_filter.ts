import * as z from 'zod';
import { cutFields } from '../debug/fields.ts';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { event, eventKinds, recordedSession, session } from './fields.ts';

const ms = z.number().min(0).max(1_000_000_000).optional();

export const dapFilter = defineTool({
  name: 'dap_filter',
  title: 'Filter events',
  description: 'The events of a debug session that fit all of the filters, in order.',
  toolset: 'trace',
  runsIn: 'editor',
  input: z.strictObject({
    sessionId: recordedSession,
    filters: z
      .strictObject({
        kinds: z.array(eventKinds).min(1).max(9).optional(),
        detail: z.string().min(1).max(1_000).optional().describe('E.g. stderr'),
        text: z.string().min(1).max(1_000).optional().describe('E.g. error'),
        threadId: z.int().min(0).max(1_000_000_000).optional(),
        fromMs: ms,
        toMs: ms,
      })
      .describe('All of them hold'),
    limit: z.int().min(1).max(1_000).default(100).describe('Most events'),
  }),
  output: z.object({ events: z.array(event), totalFiltered: z.int(), totalInSession: z.int(), session, ...cutFields }),
  annotations: READ_ONLY,
  errors: ['E_NO_SESSION', 'E_SESSION_NOT_FOUND'],
  timeoutMs: 30_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { filters: { kinds: ['stopped'] } }, given: 'a paused program', gives: 'ok' },
    { input: { filters: {}, sessionId: 'no-such' }, gives: 'E_SESSION_NOT_FOUND' },
    { input: { filters: { kind: 'x' } }, gives: 'E_INVALID_PARAMS' },
  ],
});
