import type { Handler } from '@devdb/shared/tools';
import { existingPath } from '../../editor/paths.ts';
import { showFile } from '../../editor/show-file.ts';
import type { EditorContext } from '../editor-context.ts';

export const openFileInEditor: Handler<'open_file_in_editor', EditorContext> = async ({ filePath }, context) => {
  const file = existingPath(context.root, filePath);
  await context.change(() => showFile(file));
  return { result: 'file is opened' };
};
