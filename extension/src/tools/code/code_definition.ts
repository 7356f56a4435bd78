import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { knownEmpty } from '../../editor/language-server.ts';
import { resolvePlace } from '../../editor/places.ts';
import { ShownLines } from '../../editor/shown-lines.ts';
import { spotsOf } from '../../editor/spots.ts';
import { wholeSymbols } from '../../editor/whole-symbols.ts';
import { capped } from '../capped-answer.ts';
import type { EditorContext } from '../editor-context.ts';

export const codeDefinition: Handler<'code_definition', EditorContext> = async ({ kind, limit, ...given }, context) => {
  const { root, signal } = context;
  const { document, range } = await resolvePlace(root, given, context);
  const spots = await spotsOf(kind, document.uri, range.start, signal);
  knownEmpty(document, kind, spots.length === 0);
  const lines = new ShownLines(root);
  const places = await Promise.all(
    (await wholeSymbols(spots.slice(0, limit + 1), signal)).map(async ({ uri, range: { start }, whole }) => ({
      at: lines.at(uri, start.line),
      text: await lines.block(uri, whole),
    })),
  );
  const { kept, ...more } = capped(
    cappedList(places, { limit, bytes: bytesFor(undefined), more: 'Pass a larger limit.' }),
  );
  return { places: [...kept], ...more };
};
