import { schemaNames } from '@devdb/shared/protocol/result-methods';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import { connectionFor } from './one-connection.ts';
import type { NamedTable } from './schema-words.ts';

const NAMES_LIMIT_MS = 15_000;
const FAILURE_HOLDS_MS = 60_000;

/** Where a statement runs. */
export interface Where {
  readonly root: string;
  readonly connection: string | undefined;
}

/**
 * The tables and columns of the databases on which this window's user has run something: typing a word neither opens a
 * database nor asks a question.
 */
export class KnownSchemas {
  readonly #used = new Set<string>();
  readonly #names = new Map<string, Promise<readonly NamedTable[]>>();
  readonly #failed = new Map<string, number>();
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** A statement has run there, and may have changed what there is. */
  ran(where: Where): void {
    const key = keyOf(where);
    this.#used.add(key);
    this.#names.delete(key);
  }

  /** The tables; none where nothing has run yet, or they cannot be read. */
  tables(client: SidecarClient, where: Where): Promise<readonly NamedTable[]> {
    const key = keyOf(where);
    if (!this.#used.has(key)) return Promise.resolve([]);
    const known = this.#names.get(key) ?? this.#ask(client, where, key);
    this.#names.set(key, known);
    return known;
  }

  /**
   * The same for a person who looks at a name: also where nothing has run, if the database needs no approval. One that
   * could not be read is not tried again for a while.
   */
  async seen(client: SidecarClient, where: Where): Promise<readonly NamedTable[]> {
    const key = keyOf(where);
    if (!this.#used.has(key)) {
      if ((this.#failed.get(key) ?? 0) > Date.now() - FAILURE_HOLDS_MS) return [];
      const { connection } = await connectionFor(client, where);
      if (connection?.trusted !== true) return [];
      this.#used.add(key);
    }
    return this.tables(client, where);
  }

  async #ask(client: SidecarClient, { root, connection }: Where, key: string): Promise<readonly NamedTable[]> {
    try {
      const params = { root, ...(connection === undefined ? {} : { connection }) };
      return (await client.call(schemaNames, params, { timeoutMs: NAMES_LIMIT_MS })).tables;
    } catch (error) {
      this.#names.delete(key);
      this.#used.delete(key);
      this.#failed.set(key, Date.now());
      this.#onFault(error);
      return [];
    }
  }
}

function keyOf({ root, connection }: Where): string {
  return JSON.stringify([root, connection]);
}
