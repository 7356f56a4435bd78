import type { Handler } from '@devdb/shared/tools';
import type { ToolContext } from './tool-context.ts';

export const getTables: Handler<'get-tables', ToolContext> = async ({ connection }, context) => {
  const { session } = await context.open(connection);
  return { tables: await session.tables(context.signal) };
};
