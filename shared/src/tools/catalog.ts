// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import { explainQuery } from './database/explain-query.ts';
import { exportQuery } from './database/export-query.ts';
import { getDatabaseType } from './database/get-database-type.ts';
import { getOverview } from './database/get-overview.ts';
import { getSchema } from './database/get-schema.ts';
import { getTables } from './database/get-tables.ts';
import { listConnections } from './database/list-connections.ts';
import { listProjectTools } from './database/list-project-tools.ts';
import { runProjectTool } from './database/run-project-tool.ts';
import { runQueries } from './database/run-queries.ts';
import { runQuery } from './database/run-query.ts';
import { searchSchema } from './database/search-schema.ts';
import { getSetting } from './refactor/get_setting.ts';
import { renameFile } from './refactor/rename_file.ts';

/** Every tool, in the order in which it is listed. */
export const tools = [
  getTables,
  getSchema,
  getDatabaseType,
  runQuery,
  listConnections,
  getOverview,
  searchSchema,
  explainQuery,
  exportQuery,
  listProjectTools,
  runProjectTool,
  runQueries,
  getSetting,
  renameFile,
] as const;
