// `.mcp.json` of a project.
/** At the end of a window, in which everything has to be over before the process is cut off. */
export const RETRACT_TIMEOUT_MS = 2_000;
/** A larger file is no list of servers. */
export const MAX_MCP_JSON_BYTES = 1024 * 1024;
