import { AppError } from '@devdb/shared/errors';
import type { Handler } from '@devdb/shared/tools';
import { allActions, runAction } from '../../editor/actions.ts';
import type { EditorContext } from '../editor-context.ts';

export const executeActionById: Handler<'execute_action_by_id', EditorContext> = async ({ actionId }, context) => {
  const known = await context.unlessEnded(allActions());
  const action = known.find(({ id }) => id === actionId);
  if (action === undefined) {
    throw new AppError('E_NOT_FOUND', 'action not found', {
      hint: 'list_available_actions has the ids; pass it a filter.',
    });
  }
  context.checkAgreed({ title: action.text, statement: actionId });
  await context.unlessEnded(context.change(() => runAction(actionId)));
  return { result: 'ok' };
};
