import type { Toolset } from './tools/toolsets.ts';

/**
 * The instructions an MCP client gives its model about this server. Clients cut them at 2 KB, so the most important
 * part comes first.
 */

const PURPOSE =
  'DevDB gives you the project that is open in VS Code: its database without connection strings, and its editor. Use it whenever you need to know what the data, the schema or the code really is, instead of guessing.';

const PROJECT = {
  /** The stdio entry, which serves every open project. */
  stdio:
    'Every tool takes projectRoot: the absolute path of the project\'s root folder, e.g. /Users/path/to/project, not of a subfolder. "MCP server not running for project" names the roots that are open.',
  /** `/mcp` of one window. */
  window: 'This connection belongs to one window, and the window is the project: no tool takes a projectRoot.',
} as const;

/** How to use the tools of each set. A set without tools has no lines and is not mentioned. */
const TOOLSET_NOTES: Partial<Record<Toolset, readonly string[]>> = {
  database: [
    'Database:',
    '- Unknown schema: get-overview; search-schema finds a name. get-database-type names the SQL dialect.',
    '- Several reads: run-queries takes up to 12 in one call. explain-query before what may be slow.',
    '- Too many rows: export-query writes all of them to a file.',
    '- A write is shown to the user first and runs only after a yes; a no is final, do not try another way.',
    '- Several databases: list-connections has their ids. Queries of the project itself: list-project-tools.',
  ],
  debug: [
    'Debugger:',
    '- breakpoint_set, debug_start with wait: true, then evaluate and step: see what code does instead of guessing.',
  ],
  ide: [
    'Window:',
    '- Commands, run configurations and actions run after the user agreed; a command that takes long goes on: get_command_output.',
  ],
  refactor: ['Editor:', '- To rename or move a file use rename_file, not mv: it changes the imports too.'],
};

const ERRORS: Partial<Record<Toolset | 'all', readonly string[]>> = {
  all: [
    'Errors read [E_CODE] message. Hint: what to do next.',
    '- E_CONFIRMATION_REQUIRED: no user could be asked and nothing was done; tell the user.',
  ],
  database: [
    "- E_SQL is the database's own sentence; E_UNKNOWN_TABLE names similar tables.",
    '- E_NO_CONNECTION: list-connections says what was skipped and why. E_TIMEOUT: narrow the query or pass timeoutMs.',
  ],
};

/** The instructions for a client that has these toolsets. */
export function instructionsFor(where: keyof typeof PROJECT, toolsets: readonly Toolset[]): string {
  const known = toolsets.filter((toolset) => TOOLSET_NOTES[toolset] !== undefined);
  const notes = known.flatMap((toolset) => TOOLSET_NOTES[toolset] ?? []);
  const errors = [...(ERRORS.all ?? []), ...known.flatMap((toolset) => ERRORS[toolset] ?? [])];
  const on = `Toolsets that are on: ${known.join(', ') || 'none'}.`;
  return [PURPOSE, PROJECT[where], [on, ...notes].join('\n'), errors.join('\n')].join('\n\n');
}
