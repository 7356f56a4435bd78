import type { Handler } from '@devdb/shared/tools';
import { runCommand } from '../../editor/run-command.ts';
import { terminalTimeoutMs } from '../../editor/terminal-timeout.ts';
import type { EditorContext } from '../editor-context.ts';

export const executeCommandWithOutput: Handler<'execute_command_with_output', EditorContext> = async (
  { command, timeoutMs },
  context,
) => {
  const wish = { command, timeoutMs: timeoutMs ?? terminalTimeoutMs(context.root), shown: false };
  return runCommand(await context.terminals(), wish, context);
};
