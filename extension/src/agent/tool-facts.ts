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
  {"name":"get_setting","title":"Get an editor setting","toolset":"refactor","readOnly":true},
  {"name":"rename_file","title":"Rename or move a file","toolset":"refactor","readOnly":false,"beforeRun":"It renames a file and changes the imports that point at it."},
  {"name":"rename_symbol","title":"Rename a symbol","toolset":"refactor","readOnly":false,"beforeRun":"It renames a symbol in every file of the project that uses it."},
  {"name":"set_setting","title":"Change an editor setting","toolset":"refactor","readOnly":false,"beforeRun":"It changes a setting of the user's editor."},
  {"name":"code_actions","title":"List or apply code actions","toolset":"code","readOnly":false,"beforeRun":"With apply it changes files as the action says."},
  {"name":"code_calls","title":"Show calls","toolset":"code","readOnly":true},
  {"name":"code_definition","title":"Find a definition","toolset":"code","readOnly":true},
  {"name":"code_format","title":"Format a file","toolset":"code","readOnly":false,"beforeRun":"It formats a file and saves it."},
  {"name":"code_hover","title":"Describe a symbol","toolset":"code","readOnly":true},
  {"name":"code_references","title":"Find references","toolset":"code","readOnly":true},
  {"name":"code_symbols","title":"List symbols","toolset":"code","readOnly":true},
  {"name":"code_types","title":"Show type hierarchy","toolset":"code","readOnly":true},
  {"name":"diagnostic_collect","title":"Collect problems","toolset":"debug","readOnly":true},
  {"name":"find_references","title":"Find references by position","toolset":"ide","readOnly":true},
  {"name":"get_symbols_in_file","title":"Get the symbols of a file","toolset":"ide","readOnly":true},
  {"name":"refactor_code_at_location","title":"Refactor code at a position","toolset":"ide","readOnly":false,"beforeRun":"It refactors code in files of the project."},
];
