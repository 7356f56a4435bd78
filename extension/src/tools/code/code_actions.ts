import { bytesFor, cappedList } from '@devdb/shared/capped';
import type { Handler } from '@devdb/shared/tools';
import { applyAction, checkAction, codeActionNamed, codeActionsAt } from '../../editor/code-actions.ts';
import { rangeOfLine } from '../../editor/line-range.ts';
import { openFile } from '../../editor/places.ts';
import { Saving } from '../../editor/text-edits.ts';
import { capped } from '../capped-answer.ts';
import type { EditorContext } from '../editor-context.ts';

export const codeActions: Handler<'code_actions', EditorContext> = async ({ path, line, kind, apply }, context) => {
  const { root, signal } = context;
  const { document } = await openFile(root, path, context);
  const range = rangeOfLine(document, line);
  if (apply === undefined) {
    const offered = (await codeActionsAt(document, range, kind, signal)).map(({ title, kind: of }) => ({
      title,
      ...(of === undefined ? {} : { kind: of.value }),
    }));
    const budget = { bytes: bytesFor(undefined), more: 'Name a line or a kind.' };
    const { kept, ...more } = capped(cappedList(offered, budget));
    return { actions: [...kept], ...more };
  }
  const action = await codeActionNamed(document, range, kind, apply, signal);
  await checkAction(root, action, context);
  const saving = new Saving();
  const saved = await context.unlessEnded(context.change(async () => saving.save(root, await applyAction(action))));
  return { actions: [], applied: action.title, ...lists(saved), truncated: false };
};

function lists({ changedFiles, unsavedFiles }: Awaited<ReturnType<Saving['save']>>) {
  return {
    changedFiles: [...changedFiles],
    ...(unsavedFiles === undefined ? {} : { unsavedFiles: [...unsavedFiles] }),
  };
}
