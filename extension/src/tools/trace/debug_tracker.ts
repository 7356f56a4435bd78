import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { adapterFacts, allRecordings, recordingOf } from '../../debug/recordings.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugTracker: Handler<'debug_tracker', EditorContext> = async ({ sessionId }, context) => {
  const debug = await context.debug();
  const recordings =
    sessionId === undefined ? allRecordings(debug, context.root) : [recordingOf(debug, context.root, sessionId)];
  const facts = recordings.toReversed().flatMap(({ session }) => {
    const group = debug.recorded(session.sessionId);
    return group === undefined ? [] : [{ ...session, ...adapterFacts(group) }];
  });
  const { kept, ...cut } = cappedList(facts, { bytes: bytesFor(undefined), more: 'Pass a sessionId.' });
  return { sessions: [...kept], ...cut };
};
