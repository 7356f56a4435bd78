import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { projectBreakpoints } from '../../editor/breakpoints.ts';
import type { EditorContext } from '../editor-context.ts';

const MORE = 'Remove those that are not needed.';

export const getDebuggerBreakpoints: Handler<'get_debugger_breakpoints', EditorContext> = async (_input, context) => {
  const all = await context.unlessEnded(projectBreakpoints(context.root));
  const { kept, ...cut } = cappedList(all, { bytes: bytesFor(undefined), more: MORE });
  return { breakpoints: [...kept], ...cut };
};
