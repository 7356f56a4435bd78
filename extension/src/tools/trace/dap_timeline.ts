import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { eventFacts, filtered, inRuns } from '../../debug/recording.ts';
import { recordingOf } from '../../debug/recordings.ts';
import type { EditorContext } from '../editor-context.ts';

export const dapTimeline: Handler<'dap_timeline', EditorContext> = async (input, context) => {
  const recording = recordingOf(await context.debug(), context.root, input.sessionId);
  const { eventTypes, window, granularity, fromEnd } = input;
  const chosen = filtered(recording, { kinds: eventTypes });
  const shown = granularity === 'milestones' ? chosen.filter(({ kind }) => kind !== 'output') : chosen;
  const events = granularity === 'summary' ? inRuns(shown) : shown;
  const facts = (fromEnd ? events.slice(-window) : events).map((event) => eventFacts(recording, event));
  const budget = { limit: window, bytes: bytesFor(undefined), more: 'Pass fromEnd, eventTypes or a granularity.' };
  const { kept, ...cut } = cappedList(facts, budget);
  const { session } = recording;
  return { timeline: [...kept], eventCount: events.length, durationMs: session.durationMs, session, ...cut };
};
