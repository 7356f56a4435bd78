import { cappedText } from '@devdb/shared/capped';
import { MAX_EVALUATED_BYTES } from '@devdb/shared/limits';
import type { Handler } from '@devdb/shared/tools';
import { evaluate, resultFacts, whereTo } from '../../debug/evaluate.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugEvaluate: Handler<'debug_evaluate', EditorContext> = async (input, context) => {
  const debug = await context.debug();
  const place = await context.unlessEnded(whereTo(debug, context, input));
  const { expression, context: kind } = input;
  const answer = await context.unlessEnded(context.change(() => evaluate(place, expression, kind)));
  const { kept, ...cut } = cappedText(answer.result, {
    bytes: MAX_EVALUATED_BYTES,
    more: 'Evaluate a part of it, or write it to a file with debug_save_variable.',
  });
  return { result: kept, ...resultFacts(debug, place.member, answer), ...cut };
};
