import { AppError } from '@devdb/shared/errors';
import type { Handler } from '@devdb/shared/tools';
import { breakpointAt, lineOf, namedFile, removeBreakpoints, sourceBreakpoints } from '../../debug/breakpoints.ts';
import type { EditorContext } from '../editor-context.ts';

export const breakpointRemove: Handler<'breakpoint_remove', EditorContext> = async ({ path, line }, context) => {
  const file = namedFile(context.root, path);
  const found = breakpointAt(await context.debug(), file, line);
  if (found === undefined) {
    const lines = sourceBreakpoints(file).map(lineOf);
    throw new AppError('E_NOT_FOUND', `${file.relative} has no breakpoint on line ${line}.`, {
      hint: lines.length === 0 ? 'It has none at all.' : `It has breakpoints on the lines ${lines.join(', ')}.`,
    });
  }
  await context.change(() => removeBreakpoints([found]));
  return { path: file.relative, line, removed: true };
};
