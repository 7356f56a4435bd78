import { linkTo } from '@devdb/shared/table-link';
import type { Handler } from '@devdb/shared/tools';
import type { ToolContext } from './tool-context.ts';

export const getOverview: Handler<'get-overview', ToolContext> = async ({ tables, include, connection }, context) => {
  const { session } = await context.open(connection);
  const overview = await session.overview(tables, context.signal, include);
  const { linkOpener } = context.editor;
  // Once is enough: a call that names tables follows one that did not.
  if (linkOpener === undefined || tables !== undefined) return overview;
  return { ...overview, tableLink: linkTo(linkOpener, { root: context.projectRoot, connection, table: '' }) };
};
