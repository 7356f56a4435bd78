import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { referred } from '../../debug/frames.ts';
import { pageOf, variableFacts } from '../../debug/variables.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugGetVariable: Handler<'debug_get_variable', EditorContext> = async (input, context) => {
  const { variablesReference, start, count, filter } = input;
  const debug = await context.debug();
  const { member, id, indexed } = referred(debug, context, variablesReference, 'variables');
  const page = await context.unlessEnded(
    pageOf(member, { variablesReference: id, indexedVariables: indexed }, { start, count, filter }),
  );
  const facts = page.variables.map((variable) => variableFacts(debug, member, variable));
  const { kept, ...cut } = cappedList(facts, { bytes: bytesFor(undefined), more: 'Pass a smaller count.' });
  const shown = kept.length;
  return {
    children: [...kept],
    pagination: { start, count, shown, hasMore: page.hasMore || shown < facts.length },
    ...cut,
  };
};
