import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { RUNS_CODE } from './words.ts';

export const utilRestartVscode = defineTool({
  name: 'util_restart_vscode',
  title: 'Reload the window',
  description:
    'Reload the VS Code window of this project, e.g. when an extension hangs. It ends debug sessions and terminals. Use bridge_status after it.',
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({ reloading: z.boolean() }),
  annotations: { ...RUNS_CODE, openWorldHint: false },
  errors: [],
  timeoutMs: 15_000,
  text: { as: 'json' },
  words: { effect: 'reloads the window', beforeRun: 'It reloads this window.' },
  approval: {
    question: () => ({
      ask: plain`Reload this VS Code window?`,
      facts: [{ label: plain`Ends`, value: plain`Debug sessions and what runs in its terminals.` }],
    }),
    covers: () => 'reload',
  },
  examples: [{ input: {}, given: 'a window to reload', gives: 'ok' }],
});
