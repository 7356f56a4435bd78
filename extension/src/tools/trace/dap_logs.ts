import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { eventFacts, printed } from '../../debug/recording.ts';
import { recordingOf } from '../../debug/recordings.ts';
import type { EditorContext } from '../editor-context.ts';

export const dapLogs: Handler<'dap_logs', EditorContext> = async (input, context) => {
  const recording = recordingOf(await context.debug(), context.root, input.sessionId);
  const { count, category, search = '', since = 0, reverse } = input;
  const total = printed(recording);
  const matched = printed(recording, category).filter(({ at, text }) => at > since && text.includes(search));
  const newestFirst = matched.slice(-count).toReversed();
  // What has no room is the oldest of it.
  const { kept, ...cut } = cappedList(
    newestFirst.map((event) => eventFacts(recording, event)),
    { bytes: bytesFor(undefined), more: 'Pass a smaller count, a category or search.' },
  );
  return {
    logs: reverse ? [...kept] : kept.toReversed(),
    matched: matched.length,
    total: total.length,
    session: recording.session,
    ...cut,
  };
};
