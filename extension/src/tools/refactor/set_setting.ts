import type { Handler } from '@devdb/shared/tools';
import { checkSetting, readSetting, writeSetting } from '../../editor/settings.ts';
import type { EditorContext } from '../editor-context.ts';

export const setSetting: Handler<'set_setting', EditorContext> = async ({ key, value, scope }, context) => {
  const { root } = context;
  checkSetting(root, key);
  await context.unlessEnded(context.change(() => writeSetting(root, key, value ?? undefined, scope)));
  return { key, value: readSetting(root, key, scope), scope };
};
