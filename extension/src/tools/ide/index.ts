// Made by `npm run generate` from the files of the tools. Add a file, not a line.
import type { EditorContext } from '../editor-context.ts';
import { createNewFileWithText } from './create_new_file_with_text.ts';
import { findFilesByNameSubstring } from './find_files_by_name_substring.ts';
import { getFileTextByPath } from './get_file_text_by_path.ts';
import { getOpenInEditorFilePath } from './get_open_in_editor_file_path.ts';
import { getOpenInEditorFileText } from './get_open_in_editor_file_text.ts';
import { getProjectDependencies } from './get_project_dependencies.ts';
import { getProjectModules } from './get_project_modules.ts';
import { listFilesInFolder } from './list_files_in_folder.ts';
import { openFileInEditor } from './open_file_in_editor.ts';
import { replaceCurrentFileText } from './replace_current_file_text.ts';
import { replaceFileTextByPath } from './replace_file_text_by_path.ts';
import { replaceSelectedText } from './replace_selected_text.ts';
import { searchInFilesContent } from './search_in_files_content.ts';
import type { HandlersOfSet } from '@devdb/shared/tools';

/** The handler of every tool of the toolset ide that runs in the editor. */
export const handlers = {
  create_new_file_with_text: createNewFileWithText,
  find_files_by_name_substring: findFilesByNameSubstring,
  get_file_text_by_path: getFileTextByPath,
  get_open_in_editor_file_path: getOpenInEditorFilePath,
  get_open_in_editor_file_text: getOpenInEditorFileText,
  get_project_dependencies: getProjectDependencies,
  get_project_modules: getProjectModules,
  list_files_in_folder: listFilesInFolder,
  open_file_in_editor: openFileInEditor,
  replace_current_file_text: replaceCurrentFileText,
  replace_file_text_by_path: replaceFileTextByPath,
  replace_selected_text: replaceSelectedText,
  search_in_files_content: searchInFilesContent,
} satisfies HandlersOfSet<'editor', 'ide', EditorContext>;
