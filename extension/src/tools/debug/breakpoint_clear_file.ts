import type { Handler } from '@devdb/shared/tools';
import { removeBreakpoints, sourceBreakpoints, sourceFile } from '../../debug/breakpoints.ts';
import type { EditorContext } from '../editor-context.ts';

export const breakpointClearFile: Handler<'breakpoint_clear_file', EditorContext> = async ({ path }, context) => {
  const file = sourceFile(context.root, path);
  const found = sourceBreakpoints(file);
  (await context.debug()).ownBreakpoints.mayRemove(found, context);
  await context.change(() => removeBreakpoints(found));
  return { path: file.relative, cleared: found.length };
};
