import type { Handler } from '@devdb/shared/tools';
import { outcomeOf } from '../../debug/outcome.ts';
import { runOn } from '../../debug/run-on.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugStepInto: Handler<'debug_step_into', EditorContext> = async (input, context) => {
  const { root, signal, progress } = context;
  const { sessionId, timeoutMs, brief } = input;
  const debug = await context.debug();
  const group = debug.sessionFor(context, sessionId);
  const moment = await context.change(() => runOn(debug, group, 'into', { signal, progress, timeoutMs }));
  return context.unlessEnded(outcomeOf(debug, group, moment, { root, brief }));
};
