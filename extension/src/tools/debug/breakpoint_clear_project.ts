import type { Handler } from '@devdb/shared/tools';
import { isInProject, removeBreakpoints, sourceBreakpoints } from '../../debug/breakpoints.ts';
import type { EditorContext } from '../editor-context.ts';

export const breakpointClearProject: Handler<'breakpoint_clear_project', EditorContext> = async (_input, context) => {
  const found = sourceBreakpoints().filter((one) => isInProject(context.root, one));
  (await context.debug()).ownBreakpoints.mayRemove(found, context);
  await context.change(() => removeBreakpoints(found));
  return { cleared: found.length };
};
