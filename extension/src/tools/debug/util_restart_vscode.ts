import type { Handler } from '@devdb/shared/tools';
import { reloadSoon } from '../../debug/reload.ts';
import type { EditorContext } from '../editor-context.ts';

export const utilRestartVscode: Handler<'util_restart_vscode', EditorContext> = async (_input, context) => {
  await context.change(async () => reloadSoon());
  return { reloading: true };
};
