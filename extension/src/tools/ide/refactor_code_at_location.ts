import type { Handler } from '@devdb/shared/tools';
import { extractionAt, makeExtraction } from '../../editor/extraction.ts';
import { openFile, resolvePlace } from '../../editor/places.ts';
import { checkName, makeRename, planRename } from '../../editor/rename-symbol.ts';
import type { Saved } from '../../editor/text-edits.ts';
import type { EditorContext } from '../editor-context.ts';

export const refactorCodeAtLocation: Handler<'refactor_code_at_location', EditorContext> = async (input, context) => {
  const { root, signal } = context;
  const { pathInProject: path, line, character, refactorType, options } = input;
  const { newName } = options;
  if (refactorType === 'rename') {
    const place = await resolvePlace(root, { path, line: line + 1, column: character + 1 }, context);
    const name = newName ?? place.name;
    checkName(name, place.document);
    const plan = await planRename(root, place, name, signal);
    const saved = await context.unlessEnded(context.change(() => makeRename(root, plan)));
    return { success: true, message: `Successfully renamed to ${name}`, ...lists(saved) };
  }
  const { document } = await openFile(root, path, context);
  if (newName !== undefined) checkName(newName, document);
  const { endLine = line, endCharacter } = options;
  const extent = { line, character, endLine, endCharacter };
  const extraction = await extractionAt(root, document, refactorType, extent, context);
  const saved = await context.unlessEnded(
    context.change(() => makeExtraction(root, document, extraction, newName, signal)),
  );
  const what = refactorType === 'extract_function' ? 'function' : 'variable';
  return { success: true, message: `Successfully extracted ${what} ${saved.name}`, ...lists(saved) };
};

function lists({ changedFiles, unsavedFiles }: Saved) {
  return {
    changedFiles: [...changedFiles],
    ...(unsavedFiles === undefined ? {} : { unsavedFiles: [...unsavedFiles] }),
  };
}
