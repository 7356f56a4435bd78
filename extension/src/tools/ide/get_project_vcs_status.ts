import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { changesIn, repositoryOf } from '../../editor/git.ts';
import type { EditorContext } from '../editor-context.ts';

const MORE = 'git status in a terminal lists all of them.';

export const getProjectVcsStatus: Handler<'get_project_vcs_status', EditorContext> = async (_input, context) => {
  const { root, signal } = context;
  const repository = await repositoryOf(root, signal);
  const changes = await context.unlessEnded(changesIn(repository, root));
  const { kept, ...cut } = cappedList(changes, { bytes: bytesFor(undefined), more: MORE });
  const branch = repository.state.HEAD?.name;
  return { ...(branch === undefined ? {} : { branch }), changes: [...kept], ...cut };
};
