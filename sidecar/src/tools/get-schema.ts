import type { Handler } from '@devdb/shared/tools';
import { KEYS_ALONE } from '../engines/overview-facts.ts';
import type { ToolContext } from './tool-context.ts';

export const getSchema: Handler<'get-schema', ToolContext> = async ({ table, connection }, context) => {
  const { session } = await context.open(connection);
  const schema = await session.schema(table, context.signal);
  const { referencedBy } = await session.overview([table], context.signal, [KEYS_ALONE]);
  return referencedBy === undefined ? { schema } : { schema, referencedBy };
};
