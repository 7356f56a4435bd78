import type { IncomingMessage, ServerResponse } from 'node:http';

/** Serves /mcp, and keeps the MCP library behind it. */
export interface McpDoor {
  /** Serves one request that the guard let in. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Notifies every listening client that the tool list changed. */
  toolsChanged(): void;
  /** Ends every session and its running calls. */
  close(): Promise<void>;
}
