// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import { codeActions } from './code/code_actions.ts';
import { codeCalls } from './code/code_calls.ts';
import { codeDefinition } from './code/code_definition.ts';
import { codeFormat } from './code/code_format.ts';
import { codeHover } from './code/code_hover.ts';
import { codeReferences } from './code/code_references.ts';
import { codeSymbols } from './code/code_symbols.ts';
import { codeTypes } from './code/code_types.ts';
import { explainQuery } from './database/explain-query.ts';
import { exportQuery } from './database/export-query.ts';
import { getDatabaseType } from './database/get-database-type.ts';
import { getOverview } from './database/get-overview.ts';
import { getSchema } from './database/get-schema.ts';
import { getTables } from './database/get-tables.ts';
import { listConnections } from './database/list-connections.ts';
import { listProjectTools } from './database/list-project-tools.ts';
import { runProjectTool } from './database/run-project-tool.ts';
import { runQuery } from './database/run-query.ts';
import { searchSchema } from './database/search-schema.ts';
import { diagnosticCollect } from './debug/diagnostic_collect.ts';
import { findReferences } from './ide/find_references.ts';
import { getSymbolsInFile } from './ide/get_symbols_in_file.ts';
import { refactorCodeAtLocation } from './ide/refactor_code_at_location.ts';
import { getSetting } from './refactor/get_setting.ts';
import { renameFile } from './refactor/rename_file.ts';
import { renameSymbol } from './refactor/rename_symbol.ts';
import { setSetting } from './refactor/set_setting.ts';

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
  getSetting,
  renameFile,
  renameSymbol,
  setSetting,
  codeActions,
  codeCalls,
  codeDefinition,
  codeFormat,
  codeHover,
  codeReferences,
  codeSymbols,
  codeTypes,
  diagnosticCollect,
  findReferences,
  getSymbolsInFile,
  refactorCodeAtLocation,
] as const;
