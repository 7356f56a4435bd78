import * as z from 'zod';
import { plain } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { RUNS_CODE } from './command.ts';
import { forbiddenAction } from './forbidden-actions.ts';

export const executeActionById = defineTool({
  name: 'execute_action_by_id',
  title: 'Run an editor action',
  description:
    'Run an action of the editor by its id, as if the user chose it, after they agreed. It takes no arguments; actions about trust, tunnels, installing and our own questions are refused.',
  toolset: 'ide',
  runsIn: 'editor',
  input: z.strictObject({
    actionId: z.string().min(1).max(512).describe('An id of list_available_actions'),
  }),
  output: z.object({ result: z.literal('ok') }),
  annotations: RUNS_CODE,
  errors: ['E_NOT_FOUND', 'E_FORBIDDEN', 'E_EDIT_FAILED'],
  timeoutMs: 30_000,
  text: { as: 'raw', field: 'result' },
  words: {
    effect: 'runs an action',
    beforeRun: 'It runs an action of the editor.',
    afterTimeout: 'The action may wait for its user, and goes on.',
  },
  approval: {
    shownByEditor: () => true,
    refusal: ({ actionId }) => forbiddenAction(actionId),
    question: ({ actionId }) => ({
      ask: plain`Run this action of the editor?`,
      statement: actionId,
      facts: [],
    }),
    covers: ({ actionId }) => actionId,
    coversSameOnly: true,
  },
  examples: [
    { input: { actionId: 'workbench.action.closeSidebar' }, gives: 'ok' },
    { input: { actionId: 'no.such.action' }, gives: 'E_NOT_FOUND' },
    { input: { actionId: 'workbench.trust.configure' }, gives: 'E_FORBIDDEN' },
    { input: { actionId: '' }, gives: 'E_INVALID_PARAMS' },
  ],
});
