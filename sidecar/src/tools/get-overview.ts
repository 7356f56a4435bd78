import type { Handler } from '@devdb/shared/tools';
import type { ToolContext } from './tool-context.ts';

export const getOverview: Handler<'get-overview', ToolContext> = async ({ tables, include, connection }, context) => {
  const { session } = await context.open(connection);
  return session.overview(tables, context.signal, include);
};
