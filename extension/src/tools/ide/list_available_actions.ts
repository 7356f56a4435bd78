import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { actionsThatFit, allActions } from '../../editor/actions.ts';
import type { EditorContext } from '../editor-context.ts';

const MORE = 'Pass a filter, or a larger limit.';

export const listAvailableActions: Handler<'list_available_actions', EditorContext> = async (
  { filter = '', limit },
  context,
) => {
  const all = await context.unlessEnded(allActions());
  const fitting = actionsThatFit(all, filter);
  const { kept, ...cut } = cappedList(fitting, { limit, bytes: bytesFor(limit), more: MORE });
  return { actions: [...kept], ...cut };
};
