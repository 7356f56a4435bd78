import { pathText, plain } from '@devdb/shared/plain-text';
import type { Handler } from '@devdb/shared/tools';
import { activeSelection } from '../../editor/active-file.ts';
import { replaceSelected } from '../../editor/write-text.ts';
import type { EditorContext } from '../editor-context.ts';

export const replaceSelectedText: Handler<'replace_selected_text', EditorContext> = async ({ text }, context) => {
  const { file, editor } = await activeSelection(context.root, context.signal);
  const answer = { result: 'ok', path: file.relative } as const;
  if ((await replaceSelected(file, editor, text, context)) === 'saved') return answer;
  const name = pathText(file.relative);
  return { ...answer, note: plain`Not saved: ${name} has unsaved changes of the user, who can save it.` };
};
