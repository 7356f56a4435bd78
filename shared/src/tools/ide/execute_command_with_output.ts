import { defineTool } from '../define-tool.ts';
import { commandApproval, commandDeadlineMs, commandInput, commandOutput, RUNS_CODE } from './command.ts';

export const executeCommandWithOutput = defineTool({
  name: 'execute_command_with_output',
  title: 'Run a command and read its output',
  description: 'The same as execute_terminal_command in the background: the terminal is not brought into view.',
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
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
