import type { Handler } from '@devdb/shared/tools';
import type { ToolContext } from './tool-context.ts';

export const getDatabaseType: Handler<'get-database-type', ToolContext> = async ({ connection }, context) => {
  const { session } = await context.open(connection);
  return session.facts(context.signal);
};
