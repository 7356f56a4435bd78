import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { collectProblems } from '../../editor/collected-problems.ts';
import { shownProblem } from '../../editor/shown-problems.ts';
import { capped } from '../capped-answer.ts';
import type { EditorContext } from '../editor-context.ts';

const RANK = ['error', 'warning', 'information', 'hint'];

export const diagnosticCollect: Handler<'diagnostic_collect', EditorContext> = async (input, context) => {
  const { path, severities, limit } = input;
  const { problems, checked, unchecked } = await collectProblems(context.root, path, context);
  const wanted = problems.map(shownProblem).filter(({ severity }) => severities.includes(severity));
  // The worst first, each in the order of the files.
  const sorted = wanted.toSorted((one, other) => RANK.indexOf(one.severity) - RANK.indexOf(other.severity));
  const budget = { limit, bytes: bytesFor(limit > 100 ? limit : undefined), more: 'Pass a larger limit, or a path.' };
  const { kept, ...more } = capped(cappedList(sorted, budget));
  return {
    diagnostics: [...kept],
    checkedFiles: checked,
    ...(unchecked === 0 ? {} : { uncheckedFiles: unchecked }),
    ...more,
  };
};
