/** They are read before the project listens; files made to be slow must not keep it from that. */
export const PROJECT_TOOLS_READ_MS = 5_000;
/** Problems told of one file. */
export const MAX_PROBLEMS_OF_A_FILE = 5;
