import type { Handler } from '@devdb/shared/tools';
import { activeFile } from '../../editor/active-file.ts';
import { fileText } from '../../editor/file-text.ts';
import { textPage } from '../../editor/text-page.ts';
import type { EditorContext } from '../editor-context.ts';

export const getOpenInEditorFileText: Handler<'get_open_in_editor_file_text', EditorContext> = async (
  _input,
  { root, signal },
) => {
  const file = activeFile(root);
  if (file === undefined) return { text: '', truncated: false };
  const { text } = await fileText(file, signal);
  return textPage(text, 0, undefined, 'get_file_text_by_path');
};
