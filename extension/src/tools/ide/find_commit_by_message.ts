import type { Handler } from '@devdb/shared/tools';
import { commitsWith, repositoryOf } from '../../editor/git.ts';
import type { EditorContext } from '../editor-context.ts';

export const findCommitByMessage: Handler<'find_commit_by_message', EditorContext> = async (
  { text, limit },
  context,
) => {
  const repository = await repositoryOf(context.root, context.signal);
  const { commits, cutAfter } = await context.unlessEnded(commitsWith(repository, text, limit, context.signal));
  const shown = commits.slice(0, limit);
  if (commits.length > limit)
    return { commits: shown, truncated: true, rest: `The newest ${limit} are shown. Pass a larger limit.` };
  if (cutAfter === undefined) return { commits: shown, truncated: false };
  return {
    commits: shown,
    truncated: true,
    rest: `The newest ${cutAfter} commits were searched; git log has the rest.`,
  };
};
