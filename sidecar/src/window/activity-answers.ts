import { callDetails, exportActivity, stopCall, watchActivity } from '@devdb/shared/protocol/activity-methods';
import type { Activity } from '../dispatch/activity/activity.ts';
import type { Editor } from '../dispatch/editor.ts';
import { type PipeAnswer, pipeAnswer } from '../doors/editor-pipe/editor-pipe.ts';
import { ActivityNotices } from './activity-notices.ts';
import type { EarlierCalls } from './earlier-calls.ts';

export interface ActivityAnswersParts {
  readonly activity: Activity;
  readonly earlier: Pick<EarlierCalls, 'restore'>;
  readonly editor: Pick<Editor, 'activityChanged'>;
  readonly projects: { readonly roots: readonly string[] };
}

/** What the editor asks about the calls of agents, and how its user stops one. */
export function activityAnswers({ activity, earlier, editor, projects }: ActivityAnswersParts): readonly PipeAnswer[] {
  const notices = new ActivityNotices(activity, editor);
  const restore = () => {
    for (const root of projects.roots) earlier.restore(root);
  };
  return [
    pipeAnswer(watchActivity, async ({ on }) => {
      restore();
      if (on) notices.start();
      else notices.stop();
      return { calls: activity.list() };
    }),
    pipeAnswer(callDetails, async ({ id }) => activity.details(id)),
    pipeAnswer(stopCall, async ({ id }) => ({ stopped: activity.stop(id) })),
    pipeAnswer(exportActivity, async ({ withoutValues }) => {
      restore();
      const calls = activity.whole(!withoutValues);
      return { calls: calls.length, text: calls.map((one) => `${JSON.stringify(flat(one))}\n`).join('') };
    }),
  ];
}

function flat({ record, details }: ReturnType<Activity['whole']>[number]): object {
  const { number: _order, ...facts } = record;
  return { ...facts, ...details };
}
