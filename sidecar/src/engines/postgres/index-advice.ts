import type { AdvisedFlag } from '@devdb/shared/plans';
import * as z from 'zod';
import { createIndex } from '../create-index.ts';
import { indexCandidates, soughtColumns } from '../index-candidates.ts';
import { tablesInWant, withNamedIndexes } from '../plan-flags.ts';
import type { NamedIndex, PlanStep } from '../plan-steps.ts';
import type { ServerConnection } from './connection.ts';
import { isAboutStatement } from './errors.ts';
import { type HypotheticalIndex, imagineIndexes, usedIn } from './hypothetical-indexes.ts';
import type { RawPlan } from './plan-nodes.ts';
import { literal, quoteName, readableName, readableTable } from './quote.ts';
import { askCatalogs } from './reach.ts';

/** Columns of a table of which indexes are tried, alone and in pairs. */
const MOST_TRIED = 4;

const tableFacts = z.object({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  texts: z.array(z.string()),
  indexes: z.array(z.array(z.string())),
});

type Table = z.infer<typeof tableFacts>;

/** The statement's plan, and how to get it anew. */
interface Plans {
  readonly before: RawPlan;
  readonly again: () => Promise<RawPlan | undefined>;
}

/**
 * Names the index that would help each table that wants one. Where the server has HypoPG, it is one that the server
 * plans to search; elsewhere a guess, and only where by the statistics few of the rows read are kept.
 */
export async function withIndexAdvice(
  connection: ServerConnection,
  steps: readonly PlanStep[],
  flags: readonly AdvisedFlag[],
  plans: Plans,
): Promise<readonly AdvisedFlag[]> {
  const wanting = tablesInWant(flags);
  if (wanting.length === 0) return flags;
  const tables = await tablesNamed(connection, wanting);
  const tried = await triedIndexes(connection, triable(steps, flags, tables), plans);
  if (tried !== undefined) return withNamedIndexes(flags, tried);
  const selective = flags.filter(({ flag }) => flag === 'missing-index');
  return withNamedIndexes(
    flags,
    indexCandidates(steps, selective, tables).flatMap(({ table: name, columns }) => {
      const table = tables.get(name);
      return table === undefined
        ? []
        : { table: name, index: written(table, columns), create: created(table, columns) };
    }),
  );
}

/** Plans do not name schemas: a name that several tables have is left aside. */
async function tablesNamed(connection: ServerConnection, names: readonly string[]): Promise<Map<string, Table>> {
  const [text = ''] = await askCatalogs(
    connection,
    `SELECT coalesce(json_agg(t), '[]')::text FROM (
       SELECT min(n.nspname) AS schema, c.relname AS name,
              (SELECT coalesce(json_agg(a.attname ORDER BY a.attnum), '[]') FROM pg_attribute a
                WHERE a.attrelid = min(c.oid::int8)::oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
              (SELECT coalesce(json_agg(a.attname ORDER BY a.attnum), '[]')
                 FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid AND y.typcategory = 'S'
                WHERE a.attrelid = min(c.oid::int8)::oid AND a.attnum > 0 AND NOT a.attisdropped) AS texts,
              (SELECT coalesce(json_agg(i.columns), '[]') FROM (
                 SELECT array_agg(coalesce(a.attname, '') ORDER BY k.place) AS columns
                   FROM pg_index x CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k(attnum, place)
                   LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.attnum AND k.attnum > 0
                  WHERE x.indrelid = min(c.oid::int8)::oid GROUP BY x.indexrelid) AS i) AS indexes
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relname IN (${names.map(literal).join(', ')}) AND c.relkind IN ('r', 'm', 'p')
        GROUP BY c.relname HAVING count(*) = 1) AS t`,
  );
  return new Map(
    z
      .array(tableFacts)
      .parse(JSON.parse(text))
      .map((table) => [table.name, table]),
  );
}

/** Indexes on each sought column, and on each pair of them with the one compared for equality first. */
function triable(
  steps: readonly PlanStep[],
  flags: readonly AdvisedFlag[],
  tables: ReadonlyMap<string, Table>,
): HypotheticalIndex[] {
  const sought = soughtColumns(steps, flags, tables);
  return [...sought].flatMap(([name, all]) => {
    const table = tables.get(name);
    const columns = all.slice(0, MOST_TRIED);
    const pairs = columns
      .filter(({ by }) => by === 'equality')
      .flatMap((one) => columns.filter((other) => other !== one).map((other) => [one.name, other.name]));
    if (table === undefined) return [];
    return [...columns.map((column) => [column.name]), ...pairs].map((of) => ({
      table: name,
      index: written(table, of),
      create: created(table, of),
      definition: `CREATE INDEX ON ${quoteName(table.schema)}.${quoteName(name)} (${of.map(quoteName).join(', ')})`,
    }));
  });
}

/** `orders (customer_id, placed_on)` */
function written({ schema, name }: Table, columns: readonly string[]): string {
  const table = readableTable({ schema, name });
  return `${table} (${columns.map(readableName).join(', ')})`;
}

function created({ schema, name: table }: Table, columns: readonly string[]): string {
  const on = `${quoteName(schema)}.${quoteName(table)}`;
  return createIndex({ table, on, columns }, quoteName);
}

/** Of these, the ones that the server would search; undefined where it cannot try any. */
async function triedIndexes(
  connection: ServerConnection,
  indexes: readonly HypotheticalIndex[],
  { before, again }: Plans,
): Promise<NamedIndex[] | undefined> {
  if (indexes.length === 0) return undefined;
  try {
    const imagined = await imagineIndexes(connection, indexes);
    if (imagined === undefined) return undefined;
    const plan = await again();
    return plan && usedIn(before, plan, imagined);
  } catch (error) {
    // A type that no such index can hold, or a version of the extension with other functions.
    if (!isAboutStatement(error)) throw error;
    return undefined;
  }
}
