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

/** From which names of this database code can be reached that is not Postgres' own, as of one state of it. */
export interface Reach {
  /** Names that state; another text means that somebody has committed since. */
  readonly committed: string;
  readonly builtIn: BuiltIn['functions'];
  readonly own: z.infer<typeof ownSchema>;
}

/** Keeps what was found until the catalogs change. */
export class ReachBook {
  #builtIn: BuiltIn | undefined;
  #reach: (Reach & { readonly print: string }) | undefined;

  /**
   * What can be reached in the state that `committed` names, or in a younger one, which the answer names. Needs an open
   * transaction in which each statement sees what was committed before it.
   */
  async at(connection: ServerConnection, committed: string): Promise<Reach> {
    const known = this.#reach;
    if (known?.committed === committed) return known;
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

/** The state that the next statement of the transaction would see. */
export async function committedNow(connection: ServerConnection): Promise<string> {
  const [committed = ''] = await askCatalogs(connection, `SELECT ${COMMITTED}`);
  return committed;
}

/** Compiling our queries takes longer than to run them, and sorting all edges again for every step of the search too. */
const SETTINGS = { search_path: 'pg_catalog, pg_temp', jit: 'off', enable_mergejoin: 'off' };
const OUR_SETTINGS = Object.entries(SETTINGS).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
const ROLES_SETTINGS = Object.keys(SETTINGS).map((name) => `SET LOCAL ${name} TO DEFAULT`);

/**
 * Asks the catalogs within an open transaction; the last row is the answer. No other schema is looked into, whatever the
 * role's own path is: an operator that somebody put in front of Postgres' own must not answer for it.
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
