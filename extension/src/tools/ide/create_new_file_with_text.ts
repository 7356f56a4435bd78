import type { Handler } from '@devdb/shared/tools';
import { projectPath } from '../../editor/paths.ts';
import { createFile } from '../../editor/write-text.ts';
import type { EditorContext } from '../editor-context.ts';

export const createNewFileWithText: Handler<'create_new_file_with_text', EditorContext> = async (
  { pathInProject, text },
  context,
) => {
  const started = performance.now();
  const file = projectPath(context.root, pathInProject);
  await createFile(file, text, context);
  const operationTimeMs = Math.round(performance.now() - started);
  return { path: file.absolute, relativePath: file.relative, operationTimeMs };
};
