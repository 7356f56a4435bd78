import * as z from 'zod';
import type { ServerConnection } from './connection.ts';
import { BUILT_IN_QUERY, COMMITTED, PRINT_QUERY, reachQuery } from './reach-query.ts';

const callable = { name: z.string(), least: z.number(), most: z.number().nullable() };
const relation = z.object({ name: z.string(), early: z.boolean() });

const builtInSchema = z.object({
  version: z.number(),
  functions: z.array(z.object({ oid: z.number(), ...callable, given: z.boolean() })),
});

const ownSchema = z.object({
  functions: z.array(z.object({ ...callable, early: z.boolean(), late: z.boolean(), sample: z.boolean() })),
  operators: z.array(z.object({ name: z.string(), isPrefix: z.boolean(), early: z.boolean() })),
  types: z.array(z.string()),
  read: z.array(relation),
  written: z.array(relation),
  casts: z.array(z.string()),
  anywhere: z.array(z.string()),
  textSearch: z.boolean(),
});

type BuiltIn = z.infer<typeof builtInSchema>;

/** The names in this database from which foreign code can be reached, as of one state. */
export interface Reach {
  /** Identifies that state; a different text means that somebody has committed since. */
  readonly committed: string;
  readonly builtIn: BuiltIn['functions'];
  readonly own: z.infer<typeof ownSchema>;
}

/** Keeps the result until the catalogues change. */
export class ReachBook {
  #builtIn: BuiltIn | undefined;
  #reach: (Reach & { readonly print: string }) | undefined;
  /** Whether somebody was seen to commit since the database was last found unchanged. */
  #isBusy = false;

  /** What was reached at the last look, as long as it is likely to hold still. */
  get lastSeen(): Reach | undefined {
    return this.#isBusy ? undefined : this.#reach;
  }

  /** What was last seen does not hold any more. */
  outdated(): void {
    this.#isBusy = true;
  }

  /**
   * What can be reached in the state `committed`, or in a later one, which the result names. Needs an open transaction
   * in which each statement sees everything committed before it.
   */
  async at(connection: ServerConnection, committed: string): Promise<Reach> {
    const known = this.#reach;
    if (known?.committed === committed) {
      this.#isBusy = false;
      return known;
    }
    if (known !== undefined) {
      const [now = '', print = ''] = await askCatalogs(connection, PRINT_QUERY);
      if (print === known.print) return this.#keep({ ...known, committed: now });
    }
    const builtIn = await this.#ofServer(connection);
    const numbers = builtIn.functions.map(({ oid }) => oid);
    const [now = '', print = '', own = ''] = await askCatalogs(connection, reachQuery(builtIn.version, numbers));
    return this.#keep({ committed: now, print, builtIn: builtIn.functions, own: ownSchema.parse(JSON.parse(own)) });
  }

  #keep(reach: Reach & { readonly print: string }): Reach {
    this.#reach = reach;
    return reach;
  }

  async #ofServer(connection: ServerConnection): Promise<BuiltIn> {
    if (this.#builtIn === undefined) {
      const [text = ''] = await askCatalogs(connection, BUILT_IN_QUERY);
      this.#builtIn = builtInSchema.parse(JSON.parse(text));
    }
    return this.#builtIn;
  }
}

/** The state that the transaction's next statement would see. */
export async function committedNow(connection: ServerConnection): Promise<string> {
  const [committed = ''] = await askCatalogs(connection, `SELECT ${COMMITTED}`);
  return committed;
}

/**
 * JIT compilation would take longer than running our queries, and so would a merge join, which sorts all edges at each
 * step of the search.
 */
const SETTINGS = { search_path: 'pg_catalog, pg_temp', jit: 'off', enable_mergejoin: 'off' };
const OUR_SETTINGS = Object.entries(SETTINGS).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
const ROLES_SETTINGS = Object.keys(SETTINGS).map((name) => `SET LOCAL ${name} TO DEFAULT`);

/**
 * Queries the catalogues in an open transaction; the last row is the answer. No other schema is searched, whatever the
 * role's search path is, so that no user-defined operator replaces one of Postgres' own.
 */
export async function askCatalogs(connection: ServerConnection, sql: string): Promise<string[]> {
  let found: string[] = [];
  await connection.run(`${OUR_SETTINGS.join('; ')}; ${sql}; ${ROLES_SETTINGS.join('; ')}`, 'script', {
    row: (values) => {
      found = values.map((value) => value ?? '');
    },
  });
  return found;
}
