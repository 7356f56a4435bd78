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
import { runQuery } from './database/run-query.ts';
import { searchSchema } from './database/search-schema.ts';
import { breakpointClearFile } from './debug/breakpoint_clear_file.ts';
import { breakpointClearProject } from './debug/breakpoint_clear_project.ts';
import { breakpointList } from './debug/breakpoint_list.ts';
import { breakpointRemove } from './debug/breakpoint_remove.ts';
import { breakpointSet } from './debug/breakpoint_set.ts';
import { breakpointSetException } from './debug/breakpoint_set_exception.ts';
import { bridgeStatus } from './debug/bridge_status.ts';
import { debugContinue } from './debug/debug_continue.ts';
import { debugEvaluate } from './debug/debug_evaluate.ts';
import { debugGetVariable } from './debug/debug_get_variable.ts';
import { debugListVariables } from './debug/debug_list_variables.ts';
import { debugPause } from './debug/debug_pause.ts';
import { debugRestart } from './debug/debug_restart.ts';
import { debugSaveVariable } from './debug/debug_save_variable.ts';
import { debugScopes } from './debug/debug_scopes.ts';
import { debugSetVariable } from './debug/debug_set_variable.ts';
import { debugStack } from './debug/debug_stack.ts';
import { debugStart } from './debug/debug_start.ts';
import { debugStatus } from './debug/debug_status.ts';
import { debugStepInto } from './debug/debug_step_into.ts';
import { debugStepOut } from './debug/debug_step_out.ts';
import { debugStepOver } from './debug/debug_step_over.ts';
import { debugStop } from './debug/debug_stop.ts';
import { debugThreads } from './debug/debug_threads.ts';
import { debugWaitForHit } from './debug/debug_wait_for_hit.ts';
import { testDebugSingle } from './debug/test_debug_single.ts';
import { testShowTestingUi } from './debug/test_show_testing_ui.ts';
import { utilRestartVscode } from './debug/util_restart_vscode.ts';
import { getSetting } from './refactor/get_setting.ts';
import { renameFile } from './refactor/rename_file.ts';
import { dapCompare } from './trace/dap_compare.ts';
import { dapExceptions } from './trace/dap_exceptions.ts';
import { dapFilter } from './trace/dap_filter.ts';
import { dapLogs } from './trace/dap_logs.ts';
import { dapSearch } from './trace/dap_search.ts';
import { dapStats } from './trace/dap_stats.ts';
import { dapSummary } from './trace/dap_summary.ts';
import { dapTimeline } from './trace/dap_timeline.ts';
import { debugTracker } from './trace/debug_tracker.ts';

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
  breakpointClearFile,
  breakpointClearProject,
  breakpointList,
  breakpointRemove,
  breakpointSet,
  breakpointSetException,
  debugContinue,
  debugEvaluate,
  debugGetVariable,
  debugListVariables,
  debugPause,
  debugRestart,
  debugSaveVariable,
  debugScopes,
  debugSetVariable,
  debugStack,
  debugStart,
  debugStatus,
  debugStepInto,
  debugStepOut,
  debugStepOver,
  debugStop,
  debugThreads,
  debugWaitForHit,
  bridgeStatus,
  testDebugSingle,
  testShowTestingUi,
  utilRestartVscode,
  dapCompare,
  dapExceptions,
  dapFilter,
  dapLogs,
  dapSearch,
  dapStats,
  dapSummary,
  dapTimeline,
  debugTracker,
] as const;
