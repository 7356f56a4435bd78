import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { frameFacts, framesOf, pausedThread } from '../../debug/frames.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugStack: Handler<'debug_stack', EditorContext> = async ({ threadId, levels, sessionId }, context) => {
  const debug = await context.debug();
  const group = debug.sessionFor(context, sessionId);
  const thread = await context.unlessEnded(pausedThread(group, threadId));
  const { frames, total } = await context.unlessEnded(framesOf(thread, levels));
  const facts = frames.map((frame) => frameFacts(debug, context.root, thread.member, frame));
  const { kept, ...cut } = cappedList(facts, { bytes: bytesFor(undefined), more: 'Pass fewer levels.' });
  const isLonger = total !== undefined && total > facts.length;
  return {
    frames: [...kept],
    threadId: group.threadNumber(thread.member, thread.threadId),
    ...(total === undefined ? {} : { totalFrames: total }),
    ...(isLonger && !cut.truncated ? { truncated: true, rest: 'Pass more levels.' } : cut),
  };
};
