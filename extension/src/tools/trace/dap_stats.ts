import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { grouped, hourOf, printed } from '../../debug/recording.ts';
import { allRecordings, recordingOf } from '../../debug/recordings.ts';
import type { EditorContext } from '../editor-context.ts';

export const dapStats: Handler<'dap_stats', EditorContext> = async ({ sessionId, groupBy }, context) => {
  const debug = await context.debug();
  const { root } = context;
  const one = recordingOf(debug, root, sessionId);
  const recordings = groupBy === 'session' && sessionId === undefined ? allRecordings(debug, root) : [one];
  const groups = recordings.flatMap((recording) => {
    const { sessionId: id, sessionName } = recording.session;
    return grouped(printed(recording), ({ detail, file, time }) => {
      if (groupBy === 'session') return `${id} (${sessionName})`;
      if (groupBy === 'hour') return hourOf(time);
      return (groupBy === 'source' ? file : detail) ?? 'unknown';
    });
  });
  const { kept, ...cut } = cappedList(groups, { bytes: bytesFor(undefined), more: 'Group by category.' });
  return { distribution: [...kept], totalEvents: groups.reduce((sum, { events }) => sum + events, 0), ...cut };
};
