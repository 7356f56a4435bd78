/** Custom tools are read before the project listens; files made to be slow must not hold that up. */
export const PROJECT_TOOLS_READ_MS = 5_000;
/** Problems reported per file. */
export const MAX_PROBLEMS_OF_A_FILE = 5;
