// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import { bridgeStatus } from './bridge_status.ts';
import { explainQuery } from './explain-query.ts';
import { exportQuery } from './export-query.ts';
import { getDatabaseType } from './get-database-type.ts';
import { getOverview } from './get-overview.ts';
import { getSchema } from './get-schema.ts';
import { getTables } from './get-tables.ts';
import { listConnections } from './list-connections.ts';
import { listProjectTools } from './list-project-tools.ts';
import { runProjectTool } from './run-project-tool.ts';
import { runQueries } from './run-queries.ts';
import { runQuery } from './run-query.ts';
import { searchSchema } from './search-schema.ts';
import type { ToolContext } from './tool-context.ts';
import type { Handlers } from '@devdb/shared/tools';

/** The handler of every tool that runs in the sidecar. */
export const handlers = {
  'get-tables': getTables,
  'get-schema': getSchema,
  'get-database-type': getDatabaseType,
  'run-query': runQuery,
  'list-connections': listConnections,
  'get-overview': getOverview,
  'search-schema': searchSchema,
  'explain-query': explainQuery,
  'export-query': exportQuery,
  'list-project-tools': listProjectTools,
  'run-project-tool': runProjectTool,
  'run-queries': runQueries,
  bridge_status: bridgeStatus,
} satisfies Handlers<'sidecar', ToolContext>;
