import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { eventFacts, filtered } from '../../debug/recording.ts';
import { recordingOf } from '../../debug/recordings.ts';
import type { EditorContext } from '../editor-context.ts';

export const dapFilter: Handler<'dap_filter', EditorContext> = async (input, context) => {
  const recording = recordingOf(await context.debug(), context.root, input.sessionId);
  const found = filtered(recording, input.filters);
  const facts = found.map((event) => eventFacts(recording, event));
  const budget = {
    limit: input.limit,
    bytes: bytesFor(undefined),
    more: 'Narrow the filters, e.g. by fromMs and toMs.',
  };
  const { kept, ...cut } = cappedList(facts, budget);
  return {
    events: [...kept],
    totalFiltered: found.length,
    totalInSession: recording.events.length,
    session: recording.session,
    ...cut,
  };
};
