import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { breakpointFacts, functionBreakpoints, sourceBreakpoints } from '../../debug/breakpoints.ts';
import type { EditorContext } from '../editor-context.ts';

export const breakpointList: Handler<'breakpoint_list', EditorContext> = async (_input, context) => {
  const debug = await context.debug();
  const facts = sourceBreakpoints().map((one) => breakpointFacts(debug, context.root, one));
  const functions = functionBreakpoints();
  const { kept, ...cut } = cappedList(facts, {
    bytes: bytesFor(undefined),
    more: 'Clear those that are not needed with breakpoint_clear_file.',
  });
  return {
    breakpoints: [...kept],
    ...(functions.length === 0 ? {} : { functions }),
    total: facts.length + functions.length,
    ...cut,
  };
};
