import type { DriverValue } from '../values.ts';
import type { ServerConnection } from './connection.ts';

/** The rows of each result, in the order of the query's results. */
export type Results = readonly (readonly (readonly DriverValue[])[])[];

/** The results of a query of ours, on an existing connection. */
export async function askOn(
  connection: ServerConnection,
  sql: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Results> {
  const results: DriverValue[][][] = [];
  await connection.ask(sql, parameters, {
    columns: () => results.push([]),
    row: (values) => results.at(-1)?.push(values),
  });
  return results;
}
