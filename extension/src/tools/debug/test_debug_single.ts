import type { Handler } from '@devdb/shared/tools';
import { checkLine, sourceFile } from '../../debug/breakpoints.ts';
import { outcomeOf } from '../../debug/outcome.ts';
import { nextMoment } from '../../debug/run-on.ts';
import { stopSessions } from '../../debug/stop.ts';
import { debugTestAt, lineText, position } from '../../debug/test-at-cursor.ts';
import type { EditorContext } from '../editor-context.ts';

export const testDebugSingle: Handler<'test_debug_single', EditorContext> = async (input, context) => {
  const { root, client, signal, progress } = context;
  const until = performance.now() + input.timeoutMs;
  const file = sourceFile(root, input.path);
  await checkLine(file, input.line);
  const at = position(input.line, input.column);
  const testLine = await lineText(file, at);
  const debug = await context.debug();
  const options = { client, signal, progress, timeoutMs: input.timeoutMs };
  const groups = await context.change(() => debugTestAt(debug, file, at, options));
  const [group] = groups;
  try {
    const left = Math.max(0, until - performance.now());
    const moment = await nextMoment(debug, group, { signal, progress, timeoutMs: left });
    const outcome = await outcomeOf(debug, group, moment, { root, brief: false });
    return { ...outcome, sessionName: group.root.name, testLine };
  } catch (error) {
    // A caller that is gone has not heard which session it started.
    if (signal.aborted) await stopSessions(groups);
    throw error;
  }
};
