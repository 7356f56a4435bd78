import type { Handler } from '@devdb/shared/tools';
import type { ToolContext } from './tool-context.ts';

export const getSchema: Handler<'get-schema', ToolContext> = async ({ table, connection }, context) => {
  const { session } = await context.open(connection);
  return { schema: await session.schema(table, context.signal) };
};
