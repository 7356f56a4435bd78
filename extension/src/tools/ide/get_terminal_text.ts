import type { Handler } from '@devdb/shared/tools';
import type { EditorContext } from '../editor-context.ts';

export const getTerminalText: Handler<'get_terminal_text', EditorContext> = async (_input, { terminals }) =>
  (await terminals()).watched.text();
