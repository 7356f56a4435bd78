import type { Handler } from '@devdb/shared/tools';
import { setExceptionFilters } from '../../debug/exceptions.ts';
import type { EditorContext } from '../editor-context.ts';

export const breakpointSetException: Handler<'breakpoint_set_exception', EditorContext> = async (input, context) => {
  const group = (await context.debug()).sessionFor(context, input.sessionId);
  return context.unlessEnded(context.change(() => setExceptionFilters(group, input.filters, input.condition)));
};
