/** What an MCP client tells its model about this server. Clients cut it at 2 KB, so the part that matters most stands first. */

const PURPOSE =
  'DevDB gives you the database of a project that is open in the editor: its tables, its schema and its rows, without connection strings. Use it whenever a task needs to know what the data or the schema really is, instead of guessing from migrations or models.';

const STDIO_PROJECT =
  'Every tool takes projectRoot: the absolute path of the project\'s root folder, e.g. /Users/path/to/project. Pass the root of the project you work in, not a subfolder and not a relative path. The call reaches the window that has this project open; "MCP server not running for project" names the roots that are open now.';

const WINDOW_PROJECT =
  'This connection belongs to one window, and the window is the project: no tool takes a projectRoot.';

const WORK = [
  'How to work:',
  '- Unknown database: get-overview (everything at once) or get-tables, then get-schema for one table; search-schema finds a name in a large schema.',
  '- get-database-type before you write SQL: it names the dialect.',
  '- run-query takes one statement. It returns at most 500 rows or 32 KiB, and truncated: true says there is more: narrow the query or raise limit; export-query writes all rows to a file.',
  '- explain-query before a query that may be slow.',
  '- Reads cannot change anything. A write is shown to the person first and runs only after a yes; a no is final, do not try it another way.',
  '- Several databases: list-connections gives the id for the connection field.',
  '- Queries that the project itself brings: list-project-tools, then run-project-tool.',
].join('\n');

const ERRORS = [
  'Errors read [E_CODE] message. Hint: what to do next.',
  "- E_SQL: the database's own sentence; correct the statement.",
  '- E_UNKNOWN_TABLE: names similar ones.',
  '- E_NO_CONNECTION: list-connections says what was looked for and what was skipped.',
  '- E_CONFIRMATION_REQUIRED: nobody could be asked and nothing was run; tell the person.',
  '- E_TIMEOUT: stopped on the server; narrow the query or pass timeoutMs.',
].join('\n');

/** For the stdio entry, which serves every open project. */
export const stdioInstructions = [PURPOSE, STDIO_PROJECT, WORK, ERRORS].join('\n\n');

/** For `/mcp` of one window. */
export const windowInstructions = [PURPOSE, WINDOW_PROJECT, WORK, ERRORS].join('\n\n');
