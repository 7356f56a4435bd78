import type { IncomingMessage, ServerResponse } from 'node:http';

/** What serves /mcp: the protocol's library stays behind it. */
export interface McpDoor {
  /** Reads and answers one request that the guard let in. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Tells every client that listens that the list of tools is another one. */
  toolsChanged(): void;
  /** Ends every session and the calls that run in it. */
  close(): Promise<void>;
}
