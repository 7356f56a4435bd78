import type { Handler } from '@devdb/shared/tools';
import { checkLine, toggleBreakpoint } from '../../editor/breakpoints.ts';
import { existingPath } from '../../editor/paths.ts';
import type { EditorContext } from '../editor-context.ts';

export const toggleDebuggerBreakpoint: Handler<'toggle_debugger_breakpoint', EditorContext> = async (
  { filePathInProject, line },
  context,
) => {
  const place = existingPath(context.root, filePathInProject);
  await context.unlessEnded(checkLine(place, line));
  const done = await context.change(() => toggleBreakpoint(place, line));
  return { result: `Breakpoint ${done}` };
};
