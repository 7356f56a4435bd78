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
import { runQueries } from './database/run-queries.ts';
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
import { diagnosticCollect } from './debug/diagnostic_collect.ts';
import { testDebugSingle } from './debug/test_debug_single.ts';
import { testShowTestingUi } from './debug/test_show_testing_ui.ts';
import { utilRestartVscode } from './debug/util_restart_vscode.ts';
import { createNewFileWithText } from './ide/create_new_file_with_text.ts';
import { executeActionById } from './ide/execute_action_by_id.ts';
import { executeCommandWithOutput } from './ide/execute_command_with_output.ts';
import { executeTerminalCommand } from './ide/execute_terminal_command.ts';
import { findCommitByMessage } from './ide/find_commit_by_message.ts';
import { findFilesByNameSubstring } from './ide/find_files_by_name_substring.ts';
import { findReferences } from './ide/find_references.ts';
import { getCommandOutput } from './ide/get_command_output.ts';
import { getDebuggerBreakpoints } from './ide/get_debugger_breakpoints.ts';
import { getFileTextByPath } from './ide/get_file_text_by_path.ts';
import { getOpenInEditorFilePath } from './ide/get_open_in_editor_file_path.ts';
import { getOpenInEditorFileText } from './ide/get_open_in_editor_file_text.ts';
import { getProjectDependencies } from './ide/get_project_dependencies.ts';
import { getProjectModules } from './ide/get_project_modules.ts';
import { getProjectVcsStatus } from './ide/get_project_vcs_status.ts';
import { getRunConfigurations } from './ide/get_run_configurations.ts';
import { getSymbolsInFile } from './ide/get_symbols_in_file.ts';
import { getTerminalText } from './ide/get_terminal_text.ts';
import { listAvailableActions } from './ide/list_available_actions.ts';
import { listFilesInFolder } from './ide/list_files_in_folder.ts';
import { openFileInEditor } from './ide/open_file_in_editor.ts';
import { refactorCodeAtLocation } from './ide/refactor_code_at_location.ts';
import { replaceCurrentFileText } from './ide/replace_current_file_text.ts';
import { replaceFileTextByPath } from './ide/replace_file_text_by_path.ts';
import { replaceSelectedText } from './ide/replace_selected_text.ts';
import { runConfiguration } from './ide/run_configuration.ts';
import { searchInFilesContent } from './ide/search_in_files_content.ts';
import { toggleDebuggerBreakpoint } from './ide/toggle_debugger_breakpoint.ts';
import { wait } from './ide/wait.ts';
import { getSetting } from './refactor/get_setting.ts';
import { renameFile } from './refactor/rename_file.ts';
import { renameSymbol } from './refactor/rename_symbol.ts';
import { setSetting } from './refactor/set_setting.ts';
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
  runQueries,
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
  createNewFileWithText,
  findFilesByNameSubstring,
  getFileTextByPath,
  getOpenInEditorFilePath,
  getOpenInEditorFileText,
  getProjectDependencies,
  getProjectModules,
  listFilesInFolder,
  openFileInEditor,
  replaceCurrentFileText,
  replaceFileTextByPath,
  replaceSelectedText,
  searchInFilesContent,
  executeActionById,
  executeCommandWithOutput,
  executeTerminalCommand,
  findCommitByMessage,
  getCommandOutput,
  getDebuggerBreakpoints,
  getProjectVcsStatus,
  getRunConfigurations,
  getTerminalText,
  listAvailableActions,
  runConfiguration,
  toggleDebuggerBreakpoint,
  wait,
  findReferences,
  getSymbolsInFile,
  refactorCodeAtLocation,
] as const;
