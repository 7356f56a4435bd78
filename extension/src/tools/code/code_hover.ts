import { bytesFor, cappedText } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { hoverText } from '../../editor/hover.ts';
import { knownEmpty } from '../../editor/language-server.ts';
import { resolvePlace } from '../../editor/places.ts';
import { ShownLines } from '../../editor/shown-lines.ts';
import { capped } from '../capped-answer.ts';
import type { EditorContext } from '../editor-context.ts';

export const codeHover: Handler<'code_hover', EditorContext> = async (given, context) => {
  const { root, signal } = context;
  const { document, range } = await resolvePlace(root, given, context);
  const text = await hoverText(document, range.start, signal);
  knownEmpty(document, 'hover', text === '');
  const budget = { bytes: bytesFor(undefined), more: 'Read the definition with code_definition.' };
  const { kept, ...more } = capped(cappedText(text, budget));
  return { at: new ShownLines(root).at(document.uri, range.start.line), text: kept, ...more };
};
