import type { Handler } from '@devdb/shared/tools';
import type { ToolContext } from './tool-context.ts';

export const searchSchema: Handler<'search-schema', ToolContext> = async ({ pattern, kind, connection }, context) => {
  const { session } = await context.open(connection);
  return session.search(pattern, kind, context.signal);
};
