// Made by `npm run generate` from the definitions of the tools. Change those.
import type { ToolFacts } from '@devdb/shared/tools/tool-facts';

/** Every tool, as far as registering it needs. */
export const TOOL_FACTS: readonly ToolFacts[] = [
  {"name":"get-tables","title":"Get tables","toolset":"database","readOnly":true},
  {"name":"get-schema","title":"Get table schema","toolset":"database","readOnly":true},
  {"name":"get-database-type","title":"Get database type","toolset":"database","readOnly":true},
  {"name":"run-query","title":"Run a query","toolset":"database","readOnly":false,"beforeRun":"DevDB still asks before anything in the database is changed."},
  {"name":"list-connections","title":"List connections","toolset":"database","readOnly":true},
  {"name":"get-overview","title":"Get schema overview","toolset":"database","readOnly":true},
  {"name":"search-schema","title":"Search schema","toolset":"database","readOnly":true},
  {"name":"explain-query","title":"Explain a query","toolset":"database","readOnly":true},
  {"name":"export-query","title":"Export a query to a file","toolset":"database","readOnly":false,"beforeRun":"It writes a new file in the project."},
  {"name":"list-project-tools","title":"List the project's own tools","toolset":"database","readOnly":true},
  {"name":"run-project-tool","title":"Run one of the project's own tools","toolset":"database","readOnly":false,"beforeRun":"DevDB still asks before anything in the database is changed."},
  {"name":"run-queries","title":"Run several reads","toolset":"database","readOnly":true},
  {"name":"get_setting","title":"Get an editor setting","toolset":"refactor","readOnly":true},
  {"name":"rename_file","title":"Rename or move a file","toolset":"refactor","readOnly":false,"beforeRun":"It renames a file and changes the imports that point at it."},
  {"name":"create_new_file_with_text","title":"Create a file","toolset":"ide","readOnly":false,"beforeRun":"It changes a file of the project."},
  {"name":"find_files_by_name_substring","title":"Find files by name","toolset":"ide","readOnly":true},
  {"name":"get_file_text_by_path","title":"Get the text of a file","toolset":"ide","readOnly":true},
  {"name":"get_open_in_editor_file_path","title":"Get the path of the open file","toolset":"ide","readOnly":true},
  {"name":"get_open_in_editor_file_text","title":"Get the text of the open file","toolset":"ide","readOnly":true},
  {"name":"get_project_dependencies","title":"Get the dependencies of the project","toolset":"ide","readOnly":true},
  {"name":"get_project_modules","title":"Get the modules of the project","toolset":"ide","readOnly":true},
  {"name":"list_files_in_folder","title":"List a folder","toolset":"ide","readOnly":true},
  {"name":"open_file_in_editor","title":"Open a file in the editor","toolset":"ide","readOnly":false,"beforeRun":"It opens a file in front of you."},
  {"name":"replace_current_file_text","title":"Replace the text of the open file","toolset":"ide","readOnly":false,"beforeRun":"It changes a file of the project."},
  {"name":"replace_file_text_by_path","title":"Replace the text of a file","toolset":"ide","readOnly":false,"beforeRun":"It changes a file of the project."},
  {"name":"replace_selected_text","title":"Replace the selected text","toolset":"ide","readOnly":false,"beforeRun":"It changes a file of the project."},
  {"name":"search_in_files_content","title":"Search in files","toolset":"ide","readOnly":true},
];
