import type { Handler } from '@devdb/shared/tools';
import { holderOf, setIn } from '../../debug/set-variable.ts';
import type { EditorContext } from '../editor-context.ts';

export const debugSetVariable: Handler<'debug_set_variable', EditorContext> = async (input, context) => {
  const { name, value } = input;
  const debug = await context.debug();
  const holder = await context.unlessEnded(holderOf(debug, context, input));
  const result = await context.unlessEnded(context.change(() => setIn(debug, holder, name, value)));
  return { name, ...result };
};
