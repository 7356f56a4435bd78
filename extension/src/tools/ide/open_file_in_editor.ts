import type { Handler } from '@devdb/shared/tools';
import { showFile, shownFile } from '../../editor/show-file.ts';
import type { EditorContext } from '../editor-context.ts';

export const openFileInEditor: Handler<'open_file_in_editor', EditorContext> = async ({ filePath }, context) => {
  const file = shownFile(context.root, filePath);
  await context.change(() => showFile(file));
  return { result: 'file is opened' };
};
