// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import type { EditorContext } from '../editor-context.ts';
import { findReferences } from './find_references.ts';
import { getSymbolsInFile } from './get_symbols_in_file.ts';
import { refactorCodeAtLocation } from './refactor_code_at_location.ts';
import type { HandlersOfSet } from '@devdb/shared/tools';

/** The handler of every tool of the toolset ide that runs in the editor. */
export const handlers = {
  find_references: findReferences,
  get_symbols_in_file: getSymbolsInFile,
  refactor_code_at_location: refactorCodeAtLocation,
} satisfies HandlersOfSet<'editor', 'ide', EditorContext>;
