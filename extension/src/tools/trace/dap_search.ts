import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { matching } from '../../debug/patterns.ts';
import { printed } from '../../debug/recording.ts';
import { allRecordings, recordingOf } from '../../debug/recordings.ts';
import type { EditorContext } from '../editor-context.ts';

export const dapSearch: Handler<'dap_search', EditorContext> = async (input, context) => {
  const { pattern, sessionId, category, contextLines, limit, caseSensitive } = input;
  const debug = await context.debug();
  const { root } = context;
  const recordings = sessionId === undefined ? allRecordings(debug, root) : [recordingOf(debug, root, sessionId)];
  const matches = [...recordings, undefined].flatMap((recording) => {
    const events = recording === undefined ? [] : printed(recording, category);
    const texts = events.map(({ text }) => text);
    // Also where there is nothing to search: a wrong pattern is reported.
    return matching(texts, pattern, caseSensitive).map((place) => ({
      sessionId: recording?.session.sessionId ?? '',
      at: events[place]?.at ?? 0,
      text: texts[place] ?? '',
      before: texts.slice(Math.max(0, place - contextLines), place),
      after: texts.slice(place + 1, place + 1 + contextLines),
    }));
  });
  const budget = { limit, bytes: bytesFor(undefined), more: 'Narrow the pattern, or name a session.' };
  const { kept, ...cut } = cappedList(matches, budget);
  return { matches: [...kept], totalMatches: matches.length, sessionsSearched: recordings.length, ...cut };
};
