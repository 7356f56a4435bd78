import type { Handler } from '@devdb/shared/tools';
import { breakpointFacts, checkLine, setBreakpoint, sourceFile, whenBound } from '../../debug/breakpoints.ts';
import type { EditorContext } from '../editor-context.ts';

export const breakpointSet: Handler<'breakpoint_set', EditorContext> = async ({ path, line, ...input }, context) => {
  const { root, signal, progress } = context;
  const file = sourceFile(root, path);
  await checkLine(file, line);
  const debug = await context.debug();
  const runsCode = [input.condition, input.hitCondition, input.logMessage].some((code) => code !== undefined);
  // It is code for whatever program comes by; the user knows of the caller's own session, where there is one.
  if (!context.approved && runsCode) debug.mustHaveOwn(context);
  const set = await context.change(() => setBreakpoint(debug, file, line, input));
  if (set.isNew) await whenBound(debug, file, line, { signal, progress });
  return { breakpoint: breakpointFacts(debug, root, set.breakpoint, line) };
};
