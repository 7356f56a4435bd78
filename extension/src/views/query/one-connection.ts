import { HANDSHAKE_TIMEOUT_MS } from '@devdb/shared/limits';
import { browse } from '@devdb/shared/protocol/browse-methods';
import type { ToolOutput } from '@devdb/shared/tools';
import { listConnections } from '@devdb/shared/tools/database/list-connections';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import type { Where } from './known-schemas.ts';

export type OneConnection = ToolOutput<'list-connections'>['connections'][number];

/** What is known of a database, the default one where none is chosen. Opens none. */
export async function connectionFor(
  client: Pick<SidecarClient, 'call'>,
  { root, connection }: Where,
): Promise<{ readonly connection: OneConnection | undefined }> {
  const asked = { root, tool: 'list-connections', input: {} } as const;
  const { data } = await client.call(browse, asked, { timeoutMs: HANDSHAKE_TIMEOUT_MS });
  const { connections } = listConnections.output.parse(data);
  return {
    connection: connections.find(({ id, isDefault }) => (connection === undefined ? isDefault : id === connection)),
  };
}
