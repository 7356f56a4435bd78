import type { Handler } from '@devdb/shared/tools';
import { inEditor } from '../../editor/folders.ts';
import { FollowingEdits } from '../../editor/following-edits.ts';
import { projectPath, shownPath } from '../../editor/paths.ts';
import { applyRename, checkRename, reasonsAgainst, renameSettings } from '../../editor/rename-file.ts';
import { askScriptServer, scriptServerReady } from '../../editor/script-server.ts';
import type { EditorContext } from '../editor-context.ts';

export const renameFile: Handler<'rename_file', EditorContext> = async (input, context) => {
  const { root, signal, progress } = context;
  const [old, fresh] = [projectPath(root, input.oldUri), projectPath(root, input.newUri)];
  checkRename(old, fresh, input.overwrite);
  const because = reasonsAgainst(old, fresh);
  if (because.length > 0) context.checkAgreed({ file: fresh.relative, because });
  const { path: from, folder } = inEditor(old.absolute);
  const move = { from, to: inEditor(fresh.absolute).path };
  if (input.updateImports) {
    progress({ progress: 0, message: 'Waiting for the language server.' });
    await context.unlessEnded(scriptServerReady(move.from, context));
  }
  const wanted = { folder, settings: renameSettings(folder, input.updateImports) };
  const renaming = context.settings.with(wanted, signal, async () => {
    const edits = new FollowingEdits(move);
    try {
      await context.change(() => applyRename(move, input.overwrite));
      progress({ progress: 1, message: `Renamed to ${fresh.relative}; waiting for the imports.` });
      if (input.updateImports) await edits.settled(() => askScriptServer(move.to));
      return await edits.save();
    } finally {
      edits.dispose();
    }
  });
  const { changed, saved, unsaved } = await context.unlessEnded(renaming);
  const others = (files: readonly string[]) =>
    files
      .filter((file) => file !== move.to)
      .map((file) => shownPath(root, file))
      .sort();
  return {
    from: old.relative,
    to: fresh.relative,
    importsUpdated: input.updateImports && changed.length > 0,
    changedFiles: others(saved),
    ...(unsaved.length === 0 ? {} : { unsavedFiles: unsaved.map((file) => shownPath(root, file)).sort() }),
  };
};
