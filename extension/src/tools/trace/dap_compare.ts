import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { compared } from '../../debug/recording.ts';
import { recordingOf } from '../../debug/recordings.ts';
import type { EditorContext } from '../editor-context.ts';

export const dapCompare: Handler<'dap_compare', EditorContext> = async (input, context) => {
  const debug = await context.debug();
  const [a, b] = [recordingOf(debug, context.root, input.sessionA), recordingOf(debug, context.root, input.sessionB)];
  const { onlyInA, onlyInB, ...comparison } = compared(a, b, input.compareBy);
  const budget = { bytes: bytesFor(undefined) / 2, more: 'Look at each session with dap_logs.' };
  const [left, right] = [cappedList(onlyInA ?? [], budget), cappedList(onlyInB ?? [], budget)];
  const cut = [left, right].find(({ truncated }) => truncated);
  return {
    sessionA: a.session,
    sessionB: b.session,
    comparison: {
      ...comparison,
      ...(onlyInA === undefined ? {} : { onlyInA: [...left.kept] }),
      ...(onlyInB === undefined ? {} : { onlyInB: [...right.kept] }),
    },
    ...(cut?.truncated ? { truncated: true, rest: cut.rest } : { truncated: false }),
  };
};
