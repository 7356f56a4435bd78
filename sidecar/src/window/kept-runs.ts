import { randomUUID } from 'node:crypto';
import { msSince } from '@devdb/shared/elapsed';
import { toWire } from '@devdb/shared/errors';
import type { RanStatement } from '@devdb/shared/protocol/history-methods';
import type { ParamsOf, ResultOf } from '@devdb/shared/protocol/method';
import type { runForPerson } from '@devdb/shared/protocol/result-methods';
import type { QueryHistory } from './query-history.ts';

type Outcome = ResultOf<typeof runForPerson> & { readonly databaseId: string };

/** Enters what a person runs into the history, with how it ended, where the person has it kept. */
export class KeptRuns {
  readonly #history: Pick<QueryHistory, 'add'>;
  readonly #rootOf: (root: string | undefined) => string;

  constructor(history: Pick<QueryHistory, 'add'>, rootOf: (root: string | undefined) => string) {
    this.#history = history;
    this.#rootOf = rootOf;
  }

  async keep(
    { root: given, connection, query, keep = false }: ParamsOf<typeof runForPerson>,
    run: () => Promise<Outcome>,
  ): Promise<Outcome> {
    if (!keep) return run();
    const root = this.#rootOf(given);
    const [began, startedAt] = [performance.now(), new Date().toISOString()];
    const add = (end: Partial<RanStatement>) => {
      const facts = { id: randomUUID(), statement: query, startedAt, ms: msSince(began) };
      this.#history.add(root, { ...facts, ...(connection === undefined ? {} : { connection }), ...end });
    };
    try {
      const outcome = await run();
      const { database, databaseId, rows, affectedRows } = outcome;
      add({
        database,
        connection: databaseId,
        ...(affectedRows === undefined || rows > 0 ? { rows } : {}),
        ...(affectedRows === undefined ? {} : { changedRows: affectedRows }),
      });
      return outcome;
    } catch (error) {
      const { code, message } = toWire(error);
      add({ error: { code, message } });
      throw error;
    }
  }
}
