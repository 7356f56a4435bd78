import { basename } from 'node:path';
import { ASK_TIMEOUT_MS, GATE_GRACE_MS, QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { once } from '@devdb/shared/once';
import { nameText } from '@devdb/shared/plain-text';
import { browse } from '@devdb/shared/protocol/browse-methods';
import { getSchema } from '@devdb/shared/tools/database/get-schema';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import { connectionFor } from './one-connection.ts';
import type { TableAddress } from './table-facts.ts';
import { TABLE_SCHEME } from './table-scheme.ts';

const READ_LIMIT_MS = QUERY_TIMEOUT_MS + ASK_TIMEOUT_MS + GATE_GRACE_MS;

/** What a command or a document is given. */
export const addressSchema = once(() =>
  z.strictObject({ root: z.string(), connection: z.string(), table: z.string() }),
);

/** The document of a table's definition. */
export function tableUri(address: TableAddress): vscode.Uri {
  const { root, connection, table } = address;
  // The ending gives the text its colors.
  const path = `/${nameText(table.replaceAll('/', '_'))}.sql`;
  return vscode.Uri.from({ scheme: TABLE_SCHEME, path, query: JSON.stringify({ root, connection, table }) });
}

/** Which table a document is about. */
export function tableOf(uri: vscode.Uri): TableAddress | undefined {
  if (uri.scheme !== TABLE_SCHEME) return undefined;
  try {
    return addressSchema().parse(JSON.parse(uri.query));
  } catch {
    // Not an address of ours.
    return undefined;
  }
}

/**
 * The statement that makes a table. An editor that is restored asks for it too, so a database that needs an approval is
 * not opened for it.
 */
export async function tableText(client: SidecarClient, uri: vscode.Uri): Promise<string> {
  const address = tableOf(uri);
  if (address === undefined) return '-- This is not the address of a table.\n';
  const { root, connection, table } = address;
  const { connection: database } = await connectionFor(client, { root, connection });
  if (database === undefined) return `-- ${basename(uri.path, '.sql')}: its database is no longer there.\n`;
  if (!database.trusted) return `-- ${basename(uri.path, '.sql')}: approve its database in the DevDB view.\n`;
  const asked = { root, tool: 'get-schema', input: { connection, table } } as const;
  const { data } = await client.call(browse, asked, { timeoutMs: READ_LIMIT_MS });
  return getSchema.output.parse(data).schema;
}
