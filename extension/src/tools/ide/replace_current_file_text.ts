import type { Handler } from '@devdb/shared/tools';
import { requiredActiveFile } from '../../editor/active-file.ts';
import { replaceWhole } from '../../editor/write-text.ts';
import type { EditorContext } from '../editor-context.ts';

export const replaceCurrentFileText: Handler<'replace_current_file_text', EditorContext> = async (
  { text },
  context,
) => {
  const file = await requiredActiveFile(context.root, context.signal);
  await replaceWhole(file, text, context);
  return { result: 'ok', path: file.relative };
};
