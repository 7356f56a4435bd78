import type { HttpOptions } from '../http/http-server.ts';
import type { McpDoor } from './mcp-door.ts';
import { McpSessions } from './sessions.ts';
import { toolServers } from './tool-server.ts';

/** Opens /mcp over the gate's tools. Importing this file loads the MCP library. */
export async function openMcp({ gate, version, log }: HttpOptions): Promise<McpDoor> {
  return new McpSessions({ newServer: toolServers({ gate, version, log }), log });
}
