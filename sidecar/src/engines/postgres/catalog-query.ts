import knex from 'knex';
import * as z from 'zod';
import type { ServerConnection } from './connection.ts';
import { isAboutStatement, statementError } from './errors.ts';
import { beginGuarded } from './guard.ts';
import type { Connections } from './pool.ts';

/** Builds our own queries; it has no connection and never gets an agent's SQL. */
const builder = knex({ client: 'pg' });

const answer = z.object({ rows: z.tuple([z.object({ answer: z.string() })]) });

/** Queries the catalogue on a guarded connection: every query returns one JSON text, which the schema parses. */
export class Catalog {
  readonly #connection: ServerConnection;

  constructor(connection: ServerConnection) {
    this.#connection = connection;
  }

  /** The rows of a query of our own; `?` stands for a value. */
  async rows<T>(
    row: z.ZodType<T>,
    sql: string,
    values: readonly (string | number | readonly string[])[] = [],
  ): Promise<T[]> {
    const asJson = `SELECT coalesce(json_agg(to_json(found)), '[]'::json)::text AS answer FROM (${sql}) AS found`;
    const result: unknown = await builder.raw(asJson, values.map(toBinding)).connection(this.#connection.client);
    return z.array(row).parse(JSON.parse(answer.parse(result).rows[0].answer));
  }
}

function toBinding(value: string | number | readonly string[]): string | number | string[] {
  return typeof value === 'object' ? [...value] : value;
}

/** Runs our own queries on the catalogue, under the same guard as everything else. */
export function askCatalog<T>(
  connections: Connections,
  signal: AbortSignal,
  work: (catalog: Catalog) => Promise<T>,
): Promise<T> {
  return connections.use(signal, async (connection, progress) => {
    await beginGuarded(connection);
    // Names in public are written unqualified and all others qualified, whatever the role's own search path is.
    await connection.run('SET LOCAL search_path = pg_catalog, public', 'script');
    progress.reached = 'read';
    try {
      return await work(new Catalog(connection));
    } catch (error) {
      if (!isAboutStatement(error)) throw error;
      throw statementError(error, '');
    }
  });
}
