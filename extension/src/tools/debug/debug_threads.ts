import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { threadsOf } from '../../debug/frames.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugThreads: Handler<'debug_threads', EditorContext> = async ({ sessionId }, context) => {
  const group = (await context.debug()).sessionFor(context, sessionId);
  const threads = await context.unlessEnded(threadsOf(group));
  const pausedFirst = [...threads.filter(({ paused }) => paused), ...threads.filter(({ paused }) => !paused)];
  const { kept, ...cut } = cappedList(pausedFirst, {
    bytes: bytesFor(undefined),
    more: 'Those that stand still come first.',
  });
  return { threads: [...kept], ...cut };
};
