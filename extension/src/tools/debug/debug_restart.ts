import type { Handler } from '@devdb/shared/tools';
import { restartSession } from '../../debug/stop.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugRestart: Handler<'debug_restart', EditorContext> = async ({ sessionId }, context) => {
  const debug = await context.debug();
  const group = debug.sessionFor(context, sessionId);
  await context.change(() => restartSession(debug, group, context));
  return { sessionId: group.id, restarted: true };
};
