import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { approvedAs, SETS } from './words.ts';

export const testShowTestingUi = defineTool({
  name: 'test_show_testing_ui',
  title: 'Show the tests',
  description: "Show the editor's view of tests to the user, who can look and run them there.",
  toolset: 'debug',
  runsIn: 'editor',
  input: z.strictObject({}),
  output: z.object({ shown: z.boolean() }),
  annotations: SETS,
  errors: [],
  timeoutMs: 60_000,
  text: { as: 'json' },
  words: { effect: 'shows a view', beforeRun: 'It shows the view of tests.' },
  approval: approvedAs('test view', plain`Show the view of tests?`),
  examples: [{ input: {}, given: 'a debugger', gives: 'ok' }],
});
