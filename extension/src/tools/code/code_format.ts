import type { Handler } from '@devdb/shared/tools';
import { formatFile } from '../../editor/formatting.ts';
import { openFile } from '../../editor/places.ts';
import type { EditorContext } from '../editor-context.ts';

export const codeFormat: Handler<'code_format', EditorContext> = async ({ path, organizeImports }, context) => {
  const { root } = context;
  const { document } = await openFile(root, path, context);
  const { changedFiles, unsavedFiles } = await context.unlessEnded(
    context.change(() => formatFile(root, document, organizeImports, context)),
  );
  return {
    changed: changedFiles.length > 0 || unsavedFiles !== undefined,
    changedFiles: [...changedFiles],
    ...(unsavedFiles === undefined ? {} : { unsavedFiles: [...unsavedFiles] }),
  };
};
