import type { Handler } from '@devdb/shared/tools';
import { sourceBreakpoints } from '../../debug/breakpoints.ts';
import { sessionFacts } from '../../debug/status.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugStatus: Handler<'debug_status', EditorContext> = async (_input, context) => {
  const debug = await context.debug();
  const { live } = debug;
  const facts = await context.unlessEnded(Promise.all(live.map((group) => sessionFacts(debug, group, context))));
  return {
    isActive: live.length > 0,
    isPaused: facts.some(({ paused }) => paused),
    sessions: facts,
    totalBreakpoints: sourceBreakpoints().length,
  };
};
