import { bytesFor, cappedTree } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { callTree } from '../../editor/call-tree.ts';
import { resolvePlace } from '../../editor/places.ts';
import { ShownLines } from '../../editor/shown-lines.ts';
import { capped } from '../capped-answer.ts';
import type { EditorContext } from '../editor-context.ts';

export const codeCalls: Handler<'code_calls', EditorContext> = async ({ direction, depth, ...given }, context) => {
  const { root, signal } = context;
  const place = await resolvePlace(root, given, context);
  const tree = await callTree(place, direction, depth, new ShownLines(root), signal);
  const { kept, ...more } = capped(cappedTree(tree, { bytes: bytesFor(undefined), more: 'Pass a smaller depth.' }));
  return { calls: kept, ...more };
};
