import { AppError } from '@devdb/shared/errors';
import type { Handler } from '@devdb/shared/tools';
import { prepare } from './run-query.ts';
import type { ToolContext } from './tool-context.ts';

export const explainQuery: Handler<'explain-query', ToolContext> = async (input, context) => {
  const { session } = await context.open(input.connection);
  const statement = await prepare(session, input.query, context.signal);
  const analyze = input.analyze ?? false;
  if (analyze && statement.effect === 'write') {
    throw new AppError('E_READ_ONLY', `analyze would run this ${statement.verb}; only reads are run and measured.`, {
      hint: 'Leave analyze out: the plan of a write can be shown without running it.',
    });
  }
  return statement.explain(analyze, context.signal);
};
