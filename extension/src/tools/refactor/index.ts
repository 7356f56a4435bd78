// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import type { EditorContext } from '../editor-context.ts';
import { getSetting } from './get_setting.ts';
import { renameFile } from './rename_file.ts';
import { renameSymbol } from './rename_symbol.ts';
import { setSetting } from './set_setting.ts';
import type { HandlersOfSet } from '@devdb/shared/tools';

/** The handler of every tool of the toolset refactor that runs in the editor. */
export const handlers = {
  get_setting: getSetting,
  rename_file: renameFile,
  rename_symbol: renameSymbol,
  set_setting: setSetting,
} satisfies HandlersOfSet<'editor', 'refactor', EditorContext>;
