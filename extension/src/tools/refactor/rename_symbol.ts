import type { Handler } from '@devdb/shared/tools';
import { shownPath } from '../../editor/paths.ts';
import { lineOfContent, openFile, resolvePlace } from '../../editor/places.ts';
import { checkName, makeRename, planRename } from '../../editor/rename-symbol.ts';
import type { EditorContext } from '../editor-context.ts';

export const renameSymbol: Handler<'rename_symbol', EditorContext> = async (input, context) => {
  const { root, signal, progress } = context;
  const { fileUri: path, originalName: symbol, newName, column, lineContent } = input;
  const open = await openFile(root, path, context);
  checkName(newName, open.document);
  const line = input.line ?? (lineContent === undefined ? undefined : lineOfContent(open, lineContent, symbol));
  const place = await resolvePlace(
    root,
    { path, symbol, line, column: line === undefined ? undefined : column },
    context,
  );
  progress({ progress: 1, message: `Looking for the uses of ${place.name}.` });
  const plan = await planRename(root, place, newName, signal);
  const saved = await context.unlessEnded(context.change(() => makeRename(root, plan)));
  const counted = plan.files.map(([{ uri }, edits]) => ({ path: shownPath(root, uri.fsPath), edits: edits.length }));
  return {
    from: place.name,
    to: newName,
    edits: counted.reduce((sum, { edits }) => sum + edits, 0),
    files: counted.sort((one, other) => (one.path < other.path ? -1 : 1)),
    ...(saved.unsavedFiles === undefined ? {} : { unsavedFiles: [...saved.unsavedFiles] }),
  };
};
