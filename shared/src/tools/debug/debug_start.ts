import * as z from 'zod';
import { nameText, plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { outcomeFields, sourcePath, waitMs } from './fields.ts';
import { behindWait, RUNS_CODE } from './words.ts';

const { event, sessionId, ...more } = outcomeFields;

export const debugStart = defineTool({
  name: 'debug_start',
  title: 'Start debugging',
  description:
    'Start a program under the debugger. Pass one of launch, config or program. Set breakpoints first with breakpoint_set; with wait: true the answer is the first stop (place, source, locals, output), else call debug_wait_for_hit.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z
    .strictObject({
      launch: z.string().min(1).max(200).optional().describe('Configuration or compound of launch.json, e.g. Server'),
      config: z
        .looseObject({ type: z.string().min(1).max(200), request: z.enum(['launch', 'attach']) })
        .optional()
        .describe('A configuration as in launch.json: {"type":"node","request":"attach","port":9229}'),
      program: sourcePath.optional().describe('A program file, e.g. src/app.js; its language chooses the debugger'),
      args: z.array(z.string().max(10_000)).max(200).optional().describe('Arguments of program, e.g. --port 80'),
      folder: z.string().min(1).max(200).optional().describe('Workspace folder by name, e.g. api'),
      timeoutMs: waitMs,
      wait: z.boolean().default(false).describe('Wait for the first stop or the end'),
      noDebug: z.boolean().default(false).describe('Only run it'),
    })
    .refine(
      ({ launch, config, program }) => [launch, config, program].filter((one) => one !== undefined).length === 1,
      {
        message: 'pass exactly one of launch, config and program',
      },
    )
    .refine(({ args, program }) => args === undefined || program !== undefined, {
      message: 'args go with program; a configuration has its own',
      path: ['args'],
    }),
  output: z.object({
    sessionId,
    sessionName: z.string(),
    adapterType: z.string(),
    configuration: z.object({ type: z.string(), request: z.string(), program: z.string().optional() }),
    sessions: z.array(z.object({ sessionId: z.string(), sessionName: z.string() })).optional(),
    event: event.optional(),
    ...more,
  }),
  annotations: RUNS_CODE,
  errors: [
    'E_NOT_FOUND',
    'E_FILE_NOT_FOUND',
    'E_INVALID_PATH',
    'E_OUTSIDE_PROJECT',
    'E_LAUNCH_FAILED',
    'E_NOT_SUPPORTED',
    'E_EDIT_FAILED',
  ],
  timeoutMs: 60_000,
  deadlineMs: behindWait,
  text: { as: 'json' },
  words: {
    effect: 'runs a program',
    beforeRun: 'It runs a program under the debugger.',
    afterTimeout: 'debug_status says whether it has started.',
  },
  approval: {
    shownByEditor: ({ program }) => program === undefined,
    question: ({ launch, config, program, args = [] }) => ({
      ask: plain`Start this under the debugger?`,
      statement: launch ?? (config === undefined ? [program, ...args].join(' ') : JSON.stringify(config, null, 2)),
      facts: [
        ...(launch === undefined ? [] : [{ label: plain`Configuration`, value: nameText(launch) }]),
        {
          label: plain`Covers`,
          value: plain`Stepping, evaluating, changing variables and stopping in this session.`,
        },
      ],
    }),
    covers: ({ launch, config, program, args }) => JSON.stringify([launch, config, program, args]),
  },
  examples: [
    { input: { program: 'src/loop.js', wait: true }, given: 'a debugger', gives: 'ok' },
    { input: { launch: 'No such' }, given: 'a debugger', gives: 'E_NOT_FOUND' },
    { input: { program: 'src/nosuch.js' }, given: 'a debugger', gives: 'E_FILE_NOT_FOUND' },
    { input: { program: 'src' }, given: 'a debugger', gives: 'E_INVALID_PATH' },
    { input: { program: '../loop.js' }, given: 'a debugger', gives: 'E_OUTSIDE_PROJECT' },
    { input: { config: { type: 'node' } }, gives: 'E_INVALID_PARAMS' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
    { input: { launch: 'x', program: 'src/loop.js' }, gives: 'E_INVALID_PARAMS' },
    { input: { program: 'src/loop.js', timeoutMs: 1 }, gives: 'E_INVALID_PARAMS' },
  ],
});
