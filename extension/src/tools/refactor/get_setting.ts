import type { Handler } from '@devdb/shared/tools';
import { readSetting } from '../../editor/settings.ts';
import type { EditorContext } from '../editor-context.ts';

export const getSetting: Handler<'get_setting', EditorContext> = async ({ key, scope }, { root }) => ({
  key,
  value: readSetting(root, key, scope),
  scope,
});
