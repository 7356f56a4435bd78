// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import type { EditorContext } from '../editor-context.ts';
import { codeActions } from './code_actions.ts';
import { codeCalls } from './code_calls.ts';
import { codeDefinition } from './code_definition.ts';
import { codeFormat } from './code_format.ts';
import { codeHover } from './code_hover.ts';
import { codeReferences } from './code_references.ts';
import { codeSymbols } from './code_symbols.ts';
import { codeTypes } from './code_types.ts';
import type { HandlersOfSet } from '@devdb/shared/tools';

/** The handler of every tool of the toolset code that runs in the editor. */
export const handlers = {
  code_actions: codeActions,
  code_calls: codeCalls,
  code_definition: codeDefinition,
  code_format: codeFormat,
  code_hover: codeHover,
  code_references: codeReferences,
  code_symbols: codeSymbols,
  code_types: codeTypes,
} satisfies HandlersOfSet<'editor', 'code', EditorContext>;
