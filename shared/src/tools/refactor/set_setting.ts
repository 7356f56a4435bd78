import * as z from 'zod';
import { nameText, plain, valueText } from '../../plain-text.ts';
import { defineTool } from '../define-tool.ts';
import { settingKey, settingScope } from './fields.ts';

/** A longer value is shown whole, or its middle would be agreed to unseen. */
const SHORT_CHARS = 80;

export const setSetting = defineTool({
  name: 'set_setting',
  title: 'Change an editor setting',
  description: 'Change an editor setting; not what governs safety, credentials or programs.',
  toolset: 'refactor',
  runsIn: 'editor',
  input: z.strictObject({
    key: settingKey,
    value: z
      .union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
      .describe('null removes it'),
    scope: settingScope,
  }),
  output: z.object({
    key: z.string(),
    value: z.unknown().describe('The value that holds now'),
    scope: z.enum(['workspace', 'user']),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: ['E_NOT_FOUND', 'E_FORBIDDEN', 'E_EDIT_FAILED'],
  timeoutMs: 10_000,
  text: { as: 'json' },
  words: { effect: 'changes settings', beforeRun: "It changes a setting of the user's editor." },
  approval: {
    question: ({ key, value, scope }) => {
      const isShort = JSON.stringify(value).length <= SHORT_CHARS;
      const to = { label: plain`To`, value: isShort ? valueText(value) : plain`The value above.` };
      return {
        ask: plain`Change this setting?`,
        ...(isShort ? {} : { statement: JSON.stringify(value, null, 2) }),
        facts: [
          { label: plain`Setting`, value: nameText(key) },
          to,
          { label: plain`For`, value: scope === 'user' ? plain`all projects of the user` : plain`this project` },
        ],
      };
    },
    covers: ({ key, value, scope }) => JSON.stringify([scope, key, value]),
    coversSameOnly: true,
  },
  examples: [
    { input: { key: 'editor.tabSize', value: 3 }, gives: 'ok' },
    { input: { key: 'editor.tabSize', value: null }, gives: 'ok' },
    { input: { key: 'no.such.setting', value: 1 }, gives: 'E_NOT_FOUND' },
    { input: { key: 'security.workspace.trust.enabled', value: false }, gives: 'E_FORBIDDEN' },
    { input: { key: 'Devdb.approvals', value: 'allow', scope: 'user' }, gives: 'E_FORBIDDEN' },
    { input: { key: 'editor.tabSize' }, gives: 'E_INVALID_PARAMS' },
  ],
});
