import { AppError } from '@devdb/shared/errors';
import type { Explanation } from '@devdb/shared/plans';
import type { Handler } from '@devdb/shared/tools';
import type { Session } from '../engines/engine.ts';
import { prepare } from './run-query.ts';
import type { ToolContext } from './tool-context.ts';

export const explainQuery: Handler<'explain-query', ToolContext> = async (input, context) => {
  const { session } = await context.open(input.connection);
  return (await explain(session, input, context.signal)).explanation;
};

/** The plan of a statement; with `analyze` a read is run and measured. */
export async function explain(
  session: Session,
  { query, analyze = false }: { readonly query: string; readonly analyze?: boolean | undefined },
  signal: AbortSignal,
): Promise<{ readonly explanation: Explanation; readonly isRead: boolean }> {
  const statement = await prepare(session, query, signal);
  if (analyze && statement.effect === 'write') {
    throw new AppError('E_READ_ONLY', `analyze would run this ${statement.verb}; only reads are run and measured.`, {
      hint: 'Leave analyze out: the plan of a write can be shown without running it.',
    });
  }
  return { explanation: await statement.explain(analyze, signal), isRead: statement.effect === 'read' };
}
