import type { Handler } from '@devdb/shared/tools';
import { fileText } from '../../editor/file-text.ts';
import { existingPath } from '../../editor/paths.ts';
import { textPage } from '../../editor/text-page.ts';
import type { EditorContext } from '../editor-context.ts';

export const getFileTextByPath: Handler<'get_file_text_by_path', EditorContext> = async (
  { pathInProject, offset, limit },
  { root, signal },
) => {
  const file = existingPath(root, pathInProject);
  const { text, isUnsaved } = await fileText(file, signal);
  const { text: content, ...page } = textPage(text, offset, limit, 'The same call');
  const unsaved = isUnsaved ? ({ unsaved: true } as const) : {};
  return { content, path: file.absolute, relativePath: file.relative, ...unsaved, ...page };
};
