import { bytesFor, cappedTree } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { chosenScopes, topFrame } from '../../debug/frames.ts';
import { variableTree } from '../../debug/variables.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugListVariables: Handler<'debug_list_variables', EditorContext> = async (input, context) => {
  const debug = await context.debug();
  const group = debug.sessionFor(context, input.sessionId);
  const { member, frame } = await context.unlessEnded(topFrame(group));
  const scopes = await context.unlessEnded(chosenScopes(member, frame.id, input.scope));
  const tree = await context.unlessEnded(variableTree(debug, member, scopes, input.maxDepth));
  const { kept, ...cut } = cappedTree(tree, {
    bytes: bytesFor(undefined),
    more: 'Pass a smaller maxDepth or one scope, or open a variable with debug_get_variable.',
  });
  return { variables: [...kept], ...cut };
};
