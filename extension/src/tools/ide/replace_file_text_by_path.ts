import type { Handler } from '@devdb/shared/tools';
import { existingPath } from '../../editor/paths.ts';
import { replaceWhole } from '../../editor/write-text.ts';
import type { EditorContext } from '../editor-context.ts';

export const replaceFileTextByPath: Handler<'replace_file_text_by_path', EditorContext> = async (
  { pathInProject, text },
  context,
) => {
  const started = performance.now();
  const file = existingPath(context.root, pathInProject);
  const size = await replaceWhole(file, text, context);
  const operationTimeMs = Math.round(performance.now() - started);
  return { path: file.absolute, relativePath: file.relative, size, operationTimeMs };
};
