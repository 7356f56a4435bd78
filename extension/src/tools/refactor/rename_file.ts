import type { Handler } from '@devdb/shared/tools';
import { FollowingEdits } from '../../editor/following-edits.ts';
import { projectPath, relativeInProject } from '../../editor/paths.ts';
import { applyRename, awaitLanguageServer, checkRename, renameSettings } from '../../editor/rename-file.ts';
import type { EditorContext } from '../editor-context.ts';

export const renameFile: Handler<'rename_file', EditorContext> = async (input, context) => {
  const { root, signal, progress } = context;
  const from = projectPath(root, input.oldUri);
  const to = projectPath(root, input.newUri);
  checkRename(from, to, input.overwrite);
  if (input.updateImports) {
    progress({ progress: 0, message: 'Waiting for the language server.' });
    await awaitLanguageServer(from, signal);
  }
  const renaming = context.settings.with(root, renameSettings(input.updateImports), async () => {
    const edits = new FollowingEdits();
    try {
      await context.change(() => applyRename(from, to, input.overwrite));
      progress({ progress: 1, message: `Renamed to ${to.relative}; waiting for the imports.` });
      if (input.updateImports) await edits.settled();
      return await edits.save();
    } finally {
      edits.dispose();
    }
  });
  const { changed, unsaved } = await context.unlessEnded(renaming);
  const paths = (files: readonly string[]) => files.flatMap((file) => relativeInProject(root, file) ?? []).sort();
  return {
    from: from.relative,
    to: to.relative,
    importsUpdated: input.updateImports && changed.length > 0,
    changedFiles: paths(changed),
    ...(unsaved.length === 0 ? {} : { unsavedFiles: paths(unsaved) }),
  };
};
