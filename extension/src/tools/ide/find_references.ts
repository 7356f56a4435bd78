import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { knownEmpty } from '../../editor/language-server.ts';
import { shownPath } from '../../editor/paths.ts';
import { resolvePlace } from '../../editor/places.ts';
import { spotsOf } from '../../editor/spots.ts';
import { capped } from '../capped-answer.ts';
import type { EditorContext } from '../editor-context.ts';

export const findReferences: Handler<'find_references', EditorContext> = async (input, context) => {
  const { root, signal } = context;
  const place = { path: input.pathInProject, line: input.line + 1, column: input.character + 1 };
  const { document, range } = await resolvePlace(root, place, context);
  const spots = await spotsOf('reference', document.uri, range.start, signal);
  knownEmpty(document, 'references', spots.length === 0);
  const references = spots.map(({ uri, range: { start, end } }) => ({
    path: shownPath(root, uri.fsPath),
    line: start.line,
    character: start.character,
    endLine: end.line,
    endCharacter: end.character,
  }));
  const budget = { bytes: bytesFor(undefined), more: 'code_references takes a limit.' };
  const { kept, ...more } = capped(cappedList(references, budget));
  return { references: [...kept], ...more };
};
