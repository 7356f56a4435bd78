import type { Handler } from '@devdb/shared/tools';
import { runCommand } from '../../editor/run-command.ts';
import { terminalTimeoutMs } from '../../editor/terminal-timeout.ts';
import type { EditorContext } from '../editor-context.ts';

export const executeTerminalCommand: Handler<'execute_terminal_command', EditorContext> = async (
  { command, timeoutMs },
  context,
) => {
  const wish = { command, timeoutMs: timeoutMs ?? terminalTimeoutMs(context.root), shown: true };
  return runCommand(await context.terminals(), wish, context);
};
