import type { Handler } from '@devdb/shared/tools';
import { activeFile } from '../../editor/active-file.ts';
import type { EditorContext } from '../editor-context.ts';

export const getOpenInEditorFilePath: Handler<'get_open_in_editor_file_path', EditorContext> = async (
  _input,
  { root },
) => ({ path: activeFile(root)?.absolute ?? '' });
