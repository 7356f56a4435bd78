import type { Handler } from '@devdb/shared/tools';
import { fileToFormat, formatFile } from '../../editor/formatting.ts';
import type { EditorContext } from '../editor-context.ts';

export const codeFormat: Handler<'code_format', EditorContext> = async ({ path, organizeImports }, context) => {
  const { root } = context;
  const file = await fileToFormat(root, path, context);
  const { changedFiles, unsavedFiles } = await context.unlessEnded(
    context.change(() => formatFile(root, file, organizeImports, context)),
  );
  return {
    changed: changedFiles.length > 0 || unsavedFiles !== undefined,
    changedFiles: [...changedFiles],
    ...(unsavedFiles === undefined ? {} : { unsavedFiles: [...unsavedFiles] }),
  };
};
