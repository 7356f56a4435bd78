import * as z from 'zod';
import { nameText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { RUNS_CODE } from './command.ts';

export const runConfiguration = defineTool({
  name: 'run_configuration',
  title: 'Start a run configuration',
  description:
    'Start a launch configuration (with its debugger), task or script of the project, after the user agreed. It answers when that is started, not when it ends.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({
    configName: z.string().min(1).max(512).describe('A name of get_run_configurations'),
  }),
  output: z.object({ result: z.literal('Run configuration started') }),
  annotations: RUNS_CODE,
  errors: ['E_NOT_FOUND', 'E_LAUNCH_FAILED'],
  timeoutMs: 60_000,
  text: { as: 'raw', field: 'result' },
  words: {
    effect: 'runs code',
    beforeRun: 'It starts a run configuration of the project.',
    afterTimeout: 'The editor may be asking its user something about it.',
  },
  approval: {
    shownByEditor: () => true,
    question: ({ configName }) => ({
      ask: plain`Start this run configuration of the project?`,
      facts: [{ label: plain`Name`, value: nameText(configName) }],
    }),
    covers: ({ configName }) => configName,
    coversSameOnly: true,
  },
  examples: [
    { input: { configName: 'Greet' }, gives: 'ok' },
    { input: { configName: 'No such configuration' }, gives: 'E_NOT_FOUND' },
    { input: { configName: '' }, gives: 'E_INVALID_PARAMS' },
  ],
});
