import { WRITTEN_HEADERS } from '@devdb/shared/protocol/http';
import type { Server } from './clients.ts';

/** How a client reaches one project over HTTP. The token may also be the name of a variable that holds it. */
export function httpServer(
  { projectRoot, port }: { readonly projectRoot: string; readonly port: number },
  token: string,
): Extract<Server, { kind: 'http' }> {
  return {
    kind: 'http',
    url: `http://127.0.0.1:${port}/mcp`,
    headers: { Authorization: `Bearer ${token}`, [WRITTEN_HEADERS.projectRoot]: encodeURIComponent(projectRoot) },
  };
}
