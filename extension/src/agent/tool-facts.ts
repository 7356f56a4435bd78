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
];
