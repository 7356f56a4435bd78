import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { openFile } from '../../editor/places.ts';
import { flattened, kindName } from '../../editor/symbols.ts';
import { zeroBased } from '../../editor/zero-based.ts';
import { capped } from '../capped-answer.ts';
import type { EditorContext } from '../editor-context.ts';

export const getSymbolsInFile: Handler<'get_symbols_in_file', EditorContext> = async ({ pathInProject }, context) => {
  const { outline } = await openFile(context.root, pathInProject, context);
  const symbols = flattened(outline).map(({ name, kind, range, selection, detail }) => ({
    name,
    kind: kindName(kind),
    range: zeroBased(range),
    selectionRange: zeroBased(selection),
    text: name,
    detail,
  }));
  const budget = { bytes: bytesFor(undefined), more: 'code_symbols takes a limit and kinds.' };
  const { kept, ...more } = capped(cappedList(symbols, budget));
  return { symbols: [...kept], ...more };
};
