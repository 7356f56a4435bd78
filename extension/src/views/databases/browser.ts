import { ASK_TIMEOUT_MS, GATE_GRACE_MS, QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import { type BrowsingTool, browse } from '@devdb/shared/protocol/browse-methods';
import { type SchemaGraph, schemaGraphSchema } from '@devdb/shared/protocol/schema-graph';
import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import { getOverview } from '@devdb/shared/tools/database/get-overview';
import { getSchema } from '@devdb/shared/tools/database/get-schema';
import { getTables } from '@devdb/shared/tools/database/get-tables';
import { listConnections } from '@devdb/shared/tools/database/list-connections';
import * as z from 'zod';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';

const jsonObject = z.record(z.string(), z.json());

/** Longer than the gate gives, with a question in between. */
const BROWSE_MS = QUERY_TIMEOUT_MS + ASK_TIMEOUT_MS + GATE_GRACE_MS;

/** Asks the sidecar what the tree shows. The gate has parsed the answers already; here they get their types. */
export class Browser {
  readonly #client: (signal: AbortSignal) => Promise<SidecarClient>;
  readonly #signal: AbortSignal;

  constructor(client: (signal: AbortSignal) => Promise<SidecarClient>, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  async connections(root: string): Promise<ToolOutput<'list-connections'>> {
    return listConnections.output.parse(await this.#browse(root, 'list-connections', {}));
  }

  async tables(root: string, connection: string): Promise<readonly string[]> {
    return getTables.output.parse(await this.#browse(root, 'get-tables', { connection })).tables;
  }

  async overview(root: string, input: ToolInput<'get-overview'>): Promise<ToolOutput<'get-overview'>> {
    return getOverview.output.parse(await this.#browse(root, 'get-overview', { ...input }));
  }

  async schema(root: string, connection: string, table: string): Promise<string> {
    return getSchema.output.parse(await this.#browse(root, 'get-schema', { connection, table })).schema;
  }

  /** The tables named, with the keys between them, and others while there is room; `only` leaves those out. */
  async diagram(
    root: string,
    input: { readonly connection: string; readonly tables?: readonly string[]; readonly only?: boolean },
  ): Promise<SchemaGraph> {
    return schemaGraphSchema().parse(await this.#browse(root, 'diagram-for-person', input));
  }

  async #browse(root: string, tool: BrowsingTool, input: object): Promise<unknown> {
    const client = await this.#client(this.#signal);
    const options = { signal: this.#signal, timeoutMs: BROWSE_MS };
    return (await client.call(browse, { root, tool, input: jsonObject.parse(input) }, options)).data;
  }
}
