import { bytesFor, cappedTree, type Tree } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import type { SymbolNode } from '@devdb/shared/tools/code/fields';
import { openFile } from '../../editor/places.ts';
import { outlineTree, workspaceSymbols } from '../../editor/symbol-lists.ts';
import { capped } from '../capped-answer.ts';
import type { EditorContext } from '../editor-context.ts';

const MORE = 'Pass a larger limit, or kinds.';

export const codeSymbols: Handler<'code_symbols', EditorContext> = async ({ path, query, kinds, limit }, context) => {
  const { root } = context;
  const found: readonly Tree<SymbolNode>[] =
    path === undefined
      ? await workspaceSymbols(root, query ?? '', kinds, context)
      : outlineTree((await openFile(root, path, context)).outline, query, kinds);
  const { kept, ...more } = capped(cappedTree(found, { limit, bytes: bytesFor(limit), more: MORE }));
  return { symbols: kept, ...more };
};
