// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import type { EditorContext } from '../editor-context.ts';
import { breakpointClearFile } from './breakpoint_clear_file.ts';
import { breakpointClearProject } from './breakpoint_clear_project.ts';
import { breakpointList } from './breakpoint_list.ts';
import { breakpointRemove } from './breakpoint_remove.ts';
import { breakpointSet } from './breakpoint_set.ts';
import { breakpointSetException } from './breakpoint_set_exception.ts';
import { debugContinue } from './debug_continue.ts';
import { debugEvaluate } from './debug_evaluate.ts';
import { debugGetVariable } from './debug_get_variable.ts';
import { debugListVariables } from './debug_list_variables.ts';
import { debugPause } from './debug_pause.ts';
import { debugRestart } from './debug_restart.ts';
import { debugSaveVariable } from './debug_save_variable.ts';
import { debugScopes } from './debug_scopes.ts';
import { debugSetVariable } from './debug_set_variable.ts';
import { debugStack } from './debug_stack.ts';
import { debugStart } from './debug_start.ts';
import { debugStatus } from './debug_status.ts';
import { debugStepInto } from './debug_step_into.ts';
import { debugStepOut } from './debug_step_out.ts';
import { debugStepOver } from './debug_step_over.ts';
import { debugStop } from './debug_stop.ts';
import { debugThreads } from './debug_threads.ts';
import { debugWaitForHit } from './debug_wait_for_hit.ts';
import { diagnosticCollect } from './diagnostic_collect.ts';
import { testDebugSingle } from './test_debug_single.ts';
import { testShowTestingUi } from './test_show_testing_ui.ts';
import { utilRestartVscode } from './util_restart_vscode.ts';
import type { HandlersOfSet } from '@devdb/shared/tools';

/** The handler of every tool of the toolset debug that runs in the editor. */
export const handlers = {
  diagnostic_collect: diagnosticCollect,
  breakpoint_clear_file: breakpointClearFile,
  breakpoint_clear_project: breakpointClearProject,
  breakpoint_list: breakpointList,
  breakpoint_remove: breakpointRemove,
  breakpoint_set: breakpointSet,
  breakpoint_set_exception: breakpointSetException,
  debug_continue: debugContinue,
  debug_evaluate: debugEvaluate,
  debug_get_variable: debugGetVariable,
  debug_list_variables: debugListVariables,
  debug_pause: debugPause,
  debug_restart: debugRestart,
  debug_save_variable: debugSaveVariable,
  debug_scopes: debugScopes,
  debug_set_variable: debugSetVariable,
  debug_stack: debugStack,
  debug_start: debugStart,
  debug_status: debugStatus,
  debug_step_into: debugStepInto,
  debug_step_out: debugStepOut,
  debug_step_over: debugStepOver,
  debug_stop: debugStop,
  debug_threads: debugThreads,
  debug_wait_for_hit: debugWaitForHit,
  test_debug_single: testDebugSingle,
  test_show_testing_ui: testShowTestingUi,
  util_restart_vscode: utilRestartVscode,
} satisfies HandlersOfSet<'editor', 'debug', EditorContext>;
