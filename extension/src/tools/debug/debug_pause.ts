import { DEBUG_WAIT_MS } from '@devdb/shared/limits';
import type { Handler } from '@devdb/shared/tools';
import { outcomeOf } from '../../debug/outcome.ts';
import { pauseProgram } from '../../debug/run-on.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugPause: Handler<'debug_pause', EditorContext> = async ({ sessionId, brief }, context) => {
  const { root, signal, progress } = context;
  const debug = await context.debug();
  const group = debug.sessionFor(context, sessionId);
  const wait = { signal, progress, timeoutMs: DEBUG_WAIT_MS };
  const moment = await context.change(() => pauseProgram(debug, group, wait));
  return context.unlessEnded(outcomeOf(debug, group, moment, { root, brief }));
};
