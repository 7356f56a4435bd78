// A project's `.mcp.json`.
/** Time at the end of a window, before the process is cut off. */
export const RETRACT_TIMEOUT_MS = 2_000;
/** A larger file is not a list of servers. */
export const MAX_MCP_JSON_BYTES = 1024 * 1024;
