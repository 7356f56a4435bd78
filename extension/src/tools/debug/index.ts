// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import type { EditorContext } from '../editor-context.ts';
import { diagnosticCollect } from './diagnostic_collect.ts';
import type { HandlersOfSet } from '@devdb/shared/tools';

/** The handler of every tool of the toolset debug that runs in the editor. */
export const handlers = {
  diagnostic_collect: diagnosticCollect,
} satisfies HandlersOfSet<'editor', 'debug', EditorContext>;
