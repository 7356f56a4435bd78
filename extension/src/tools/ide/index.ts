// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import type { EditorContext } from '../editor-context.ts';
import { createNewFileWithText } from './create_new_file_with_text.ts';
import { executeActionById } from './execute_action_by_id.ts';
import { executeCommandWithOutput } from './execute_command_with_output.ts';
import { executeTerminalCommand } from './execute_terminal_command.ts';
import { findCommitByMessage } from './find_commit_by_message.ts';
import { findFilesByNameSubstring } from './find_files_by_name_substring.ts';
import { findReferences } from './find_references.ts';
import { getCommandOutput } from './get_command_output.ts';
import { getDebuggerBreakpoints } from './get_debugger_breakpoints.ts';
import { getFileTextByPath } from './get_file_text_by_path.ts';
import { getOpenInEditorFilePath } from './get_open_in_editor_file_path.ts';
import { getOpenInEditorFileText } from './get_open_in_editor_file_text.ts';
import { getProjectDependencies } from './get_project_dependencies.ts';
import { getProjectModules } from './get_project_modules.ts';
import { getProjectVcsStatus } from './get_project_vcs_status.ts';
import { getRunConfigurations } from './get_run_configurations.ts';
import { getSymbolsInFile } from './get_symbols_in_file.ts';
import { getTerminalText } from './get_terminal_text.ts';
import { listAvailableActions } from './list_available_actions.ts';
import { listFilesInFolder } from './list_files_in_folder.ts';
import { openFileInEditor } from './open_file_in_editor.ts';
import { refactorCodeAtLocation } from './refactor_code_at_location.ts';
import { replaceCurrentFileText } from './replace_current_file_text.ts';
import { replaceFileTextByPath } from './replace_file_text_by_path.ts';
import { replaceSelectedText } from './replace_selected_text.ts';
import { runConfiguration } from './run_configuration.ts';
import { searchInFilesContent } from './search_in_files_content.ts';
import { toggleDebuggerBreakpoint } from './toggle_debugger_breakpoint.ts';
import { wait } from './wait.ts';
import type { HandlersOfSet } from '@devdb/shared/tools';

/** The handler of every tool of the toolset ide that runs in the editor. */
export const handlers = {
  create_new_file_with_text: createNewFileWithText,
  find_files_by_name_substring: findFilesByNameSubstring,
  get_file_text_by_path: getFileTextByPath,
  get_open_in_editor_file_path: getOpenInEditorFilePath,
  get_open_in_editor_file_text: getOpenInEditorFileText,
  get_project_dependencies: getProjectDependencies,
  get_project_modules: getProjectModules,
  list_files_in_folder: listFilesInFolder,
  open_file_in_editor: openFileInEditor,
  replace_current_file_text: replaceCurrentFileText,
  replace_file_text_by_path: replaceFileTextByPath,
  replace_selected_text: replaceSelectedText,
  search_in_files_content: searchInFilesContent,
  execute_action_by_id: executeActionById,
  execute_command_with_output: executeCommandWithOutput,
  execute_terminal_command: executeTerminalCommand,
  find_commit_by_message: findCommitByMessage,
  get_command_output: getCommandOutput,
  get_debugger_breakpoints: getDebuggerBreakpoints,
  get_project_vcs_status: getProjectVcsStatus,
  get_run_configurations: getRunConfigurations,
  get_terminal_text: getTerminalText,
  list_available_actions: listAvailableActions,
  run_configuration: runConfiguration,
  toggle_debugger_breakpoint: toggleDebuggerBreakpoint,
  wait: wait,
  find_references: findReferences,
  get_symbols_in_file: getSymbolsInFile,
  refactor_code_at_location: refactorCodeAtLocation,
} satisfies HandlersOfSet<'editor', 'ide', EditorContext>;
