import type { Handler } from '@devdb/shared/tools';
import { stopSession } from '../../debug/stop.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugStop: Handler<'debug_stop', EditorContext> = async ({ sessionId }, context) => {
  const debug = await context.debug();
  const group = debug.sessionFor(context, sessionId);
  await context.change(() => stopSession(debug, group, context));
  const { id, exitCode } = group;
  return { sessionId: id, status: 'terminated', ...(exitCode === undefined ? {} : { exitCode }) };
};
