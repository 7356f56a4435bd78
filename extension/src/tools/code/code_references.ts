import { bytesFor, cappedList } from '@devdb/shared/capped';
import { DEFAULT_RESULT_BYTES } from '@devdb/shared/limits';
import type { Handler } from '@devdb/shared/tools';
import { knownEmpty } from '../../editor/language-server.ts';
import { resolvePlace } from '../../editor/places.ts';
import { linesByFile } from '../../editor/reference-lines.ts';
import { spotsOf } from '../../editor/spots.ts';
import { capped } from '../capped-answer.ts';
import type { EditorContext } from '../editor-context.ts';

export const codeReferences: Handler<'code_references', EditorContext> = async ({ limit, ...given }, context) => {
  const { root, signal } = context;
  const { document, range } = await resolvePlace(root, given, context);
  const spots = await spotsOf('reference', document.uri, range.start, signal);
  knownEmpty(document, 'references', spots.length === 0);
  const bytes = limit > 200 ? bytesFor(limit) : DEFAULT_RESULT_BYTES;
  const uses = await linesByFile(root, spots);
  const { kept, ...more } = capped(
    cappedList(
      uses.flatMap(({ path, lines }) => lines.map((line) => [path, line])),
      {
        limit,
        bytes,
        more: 'Pass a larger limit.',
      },
    ),
  );
  const left = new Set(kept.map(([path]) => path));
  const shown = (path: string) => kept.flatMap(([of, line = '']) => (of === path ? [line] : []));
  const files = uses.filter(({ path }) => left.has(path)).map((use) => ({ ...use, lines: shown(use.path) }));
  return { total: spots.length, files, ...more };
};
