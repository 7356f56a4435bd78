// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import type { EditorContext } from '../editor-context.ts';
import { executeActionById } from './execute_action_by_id.ts';
import { executeCommandWithOutput } from './execute_command_with_output.ts';
import { executeTerminalCommand } from './execute_terminal_command.ts';
import { findCommitByMessage } from './find_commit_by_message.ts';
import { getCommandOutput } from './get_command_output.ts';
import { getDebuggerBreakpoints } from './get_debugger_breakpoints.ts';
import { getProjectVcsStatus } from './get_project_vcs_status.ts';
import { getRunConfigurations } from './get_run_configurations.ts';
import { getTerminalText } from './get_terminal_text.ts';
import { listAvailableActions } from './list_available_actions.ts';
import { runConfiguration } from './run_configuration.ts';
import { toggleDebuggerBreakpoint } from './toggle_debugger_breakpoint.ts';
import { wait } from './wait.ts';
import type { HandlersOfSet } from '@devdb/shared/tools';

/** The handler of every tool of the toolset ide that runs in the editor. */
export const handlers = {
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
} satisfies HandlersOfSet<'editor', 'ide', EditorContext>;
