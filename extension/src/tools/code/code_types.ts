import { bytesFor, cappedTree } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { resolvePlace } from '../../editor/places.ts';
import { ShownLines } from '../../editor/shown-lines.ts';
import { typeTree } from '../../editor/type-tree.ts';
import { capped } from '../capped-answer.ts';
import type { EditorContext } from '../editor-context.ts';

export const codeTypes: Handler<'code_types', EditorContext> = async ({ direction, ...given }, context) => {
  const { root, signal } = context;
  const place = await resolvePlace(root, given, context);
  const tree = await typeTree(place, direction, new ShownLines(root), signal);
  const more = 'Ask for one of the types shown.';
  const { kept, ...rest } = capped(cappedTree(tree, { bytes: bytesFor(undefined), more }));
  return { types: kept, ...rest };
};
