import * as z from 'zod';
import { defineTool, READ_ONLY, READS } from '../define-tool.ts';
import { settingKey, settingScope } from './fields.ts';

export const getSetting = defineTool({
  name: 'get_setting',
  title: 'Get an editor setting',
  description:
    'Read an editor setting, e.g. how files are formatted or which interpreter is chosen. Credentials are not given out.',
  toolset: 'refactor',
  runsIn: 'editor',
  input: z.strictObject({ key: settingKey, scope: settingScope }),
  output: z.object({
    key: z.string(),
    value: z.unknown().describe('The value; null where the setting has none'),
    scope: z.enum(['workspace', 'user']),
  }),
  annotations: READ_ONLY,
  errors: ['E_NOT_FOUND', 'E_FORBIDDEN'],
  timeoutMs: 5_000,
  text: { as: 'json' },
  words: READS,
  examples: [
    { input: { key: 'editor.tabSize' }, gives: 'ok' },
    { input: { key: 'files.eol', scope: 'user' }, gives: 'ok' },
    { input: { key: 'no.such.setting' }, gives: 'E_NOT_FOUND' },
    { input: { key: 'devdb.example.apiToken' }, gives: 'E_FORBIDDEN' },
    { input: { key: 'editor.tabSize', scope: 'folder' }, gives: 'E_INVALID_PARAMS' },
    { input: { key: 'editor tabSize' }, gives: 'E_INVALID_PARAMS' },
    { input: { key: 'editor..tabSize' }, gives: 'E_INVALID_PARAMS' },
    { input: {}, gives: 'E_INVALID_PARAMS' },
  ],
});
