import type { Handler } from '@devdb/shared/tools';
import { referred, scopeFacts, scopesOf } from '../../debug/frames.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugScopes: Handler<'debug_scopes', EditorContext> = async ({ frameId }, context) => {
  const debug = await context.debug();
  const { member, id } = referred(debug, context, frameId, 'frame');
  const scopes = await context.unlessEnded(scopesOf(member, id));
  return { scopes: scopes.map((scope) => scopeFacts(debug, member, scope)) };
};
