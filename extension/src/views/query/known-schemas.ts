import { schemaNames } from '@devdb/shared/protocol/result-methods';
import type { SidecarClient } from '../../sidecar/sidecar-client.ts';
import { connectionFor } from './one-connection.ts';
import type { NamedTable } from './schema-words.ts';
import { writtenTable } from './written-table.ts';

const NAMES_LIMIT_MS = 15_000;
const FAILURE_HOLDS_MS = 60_000;
const NAMES_HOLD_MS = 5 * 60_000;

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
  readonly #asked = new Map<string, number>();
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** A statement has run there, and may have changed what there is. */
  ran(where: Where): void {
    this.#used.add(keyOf(where));
    // A database has several names here: its own, and that of the default.
    this.#names.clear();
  }

  /** The tables; none where nothing has run yet, or they cannot be read. */
  tables(client: Pick<SidecarClient, 'call'>, where: Where): Promise<readonly NamedTable[]> {
    const key = keyOf(where);
    if (!this.#used.has(key)) return Promise.resolve([]);
    const known = this.#names.get(key) ?? this.#ask(client, where, key);
    this.#names.set(key, known);
    return known;
  }

  /**
   * The same for a person who looks at a name in a database that needs no approval: also where nothing has run. One that
   * could not be read is not tried again for a while, and what others have changed is seen after some time.
   */
  seen(client: Pick<SidecarClient, 'call'>, where: Where): Promise<readonly NamedTable[]> {
    const key = keyOf(where);
    const age = Date.now() - (this.#asked.get(key) ?? 0);
    if (age > NAMES_HOLD_MS) this.#names.delete(key);
    if (!this.#used.has(key) && age < FAILURE_HOLDS_MS) return Promise.resolve([]);
    this.#used.add(key);
    return this.tables(client, where);
  }

  async #ask(
    client: Pick<SidecarClient, 'call'>,
    { root, connection }: Where,
    key: string,
  ): Promise<readonly NamedTable[]> {
    this.#asked.set(key, Date.now());
    try {
      const params = { root, ...(connection === undefined ? {} : { connection }) };
      const { tables } = await client.call(schemaNames, params, { timeoutMs: NAMES_LIMIT_MS });
      const { connection: database } = await connectionFor(client, { root, connection });
      return tables.map(({ name, columns }) => {
        return { name, written: database === undefined ? name : writtenTable(name, database.type), columns };
      });
    } catch (error) {
      this.#names.delete(key);
      this.#used.delete(key);
      this.#onFault(error);
      return [];
    }
  }
}

function keyOf({ root, connection }: Where): string {
  return JSON.stringify([root, connection]);
}
