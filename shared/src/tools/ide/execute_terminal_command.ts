import { defineTool } from '../define-tool.ts';
import { commandApproval, commandDeadlineMs, commandInput, commandOutput, RUNS_CODE } from './command.ts';

export const executeTerminalCommand = defineTool({
  name: 'execute_terminal_command',
  title: 'Run a command in the terminal',
  description:
    'Run a shell command in a terminal that the user watches, after their yes. Answers its output and exit code; one that takes longer goes on and is read with get_command_output.',
  toolset: 'ide',
  runsIn: 'editor',
  input: commandInput,
  output: commandOutput,
  annotations: RUNS_CODE,
  errors: ['E_TERMINAL_BUSY', 'E_TERMINAL_FAILED'],
  timeoutMs: 20_000,
  deadlineMs: commandDeadlineMs,
  text: { as: 'raw', field: 'text' },
  words: {
    effect: 'runs a command',
    beforeRun: 'It runs a command in a terminal.',
    afterTimeout: 'It may still run: get_command_output tells.',
  },
  approval: commandApproval,
  examples: [
    { input: { command: 'echo hello' }, gives: 'ok' },
    { input: { command: '' }, gives: 'E_INVALID_PARAMS' },
    { input: { command: 'echo \u0003' }, gives: 'E_INVALID_PARAMS' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
