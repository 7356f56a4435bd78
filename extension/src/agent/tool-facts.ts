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
  {"name":"execute_action_by_id","title":"Run an editor action","toolset":"ide","readOnly":false,"beforeRun":"It runs an action of the editor."},
  {"name":"execute_command_with_output","title":"Run a command and read its output","toolset":"ide","readOnly":false,"beforeRun":"It runs a command in a terminal."},
  {"name":"execute_terminal_command","title":"Run a command in the terminal","toolset":"ide","readOnly":false,"beforeRun":"It runs a command in a terminal."},
  {"name":"find_commit_by_message","title":"Find commits by message","toolset":"ide","readOnly":true},
  {"name":"get_command_output","title":"Get the last command's output","toolset":"ide","readOnly":true},
  {"name":"get_debugger_breakpoints","title":"List breakpoints","toolset":"ide","readOnly":true},
  {"name":"get_project_vcs_status","title":"Get the Git status","toolset":"ide","readOnly":true},
  {"name":"get_run_configurations","title":"List run configurations","toolset":"ide","readOnly":true},
  {"name":"get_terminal_text","title":"Get the terminal text","toolset":"ide","readOnly":true},
  {"name":"list_available_actions","title":"List editor actions","toolset":"ide","readOnly":true},
  {"name":"run_configuration","title":"Start a run configuration","toolset":"ide","readOnly":false,"beforeRun":"It starts a run configuration of the project."},
  {"name":"toggle_debugger_breakpoint","title":"Toggle a breakpoint","toolset":"ide","readOnly":false,"beforeRun":"It sets or removes a breakpoint."},
  {"name":"wait","title":"Wait","toolset":"ide","readOnly":true},
];
