import * as z from 'zod';
import type { ServerConnection } from './connection.ts';
import { judge } from './judge.ts';
import { literal } from './quote.ts';
import { askCatalogs, type Reach } from './reach.ts';
import { touchedBy } from './touched.ts';

const tableFacts = z.object({ ordinary: z.boolean(), defaults: z.array(z.string()) });

/**
 * No triggers, rules, row security, partitions, children, or keys that change other tables; for INSERT, no defaults
 * that use a sequence.
 */
export async function isOrdinary(
  connection: ServerConnection,
  reach: Reach,
  relation: string,
  kind: string,
): Promise<boolean> {
  const number = await numberOf(connection, relation);
  // No dry run for a missing table: the plan reports the error.
  if (number === undefined) return false;
  const [text = ''] = await askCatalogs(connection, ordinaryQuery(number));
  const facts = tableFacts.parse(JSON.parse(text));
  if (!facts.ordinary) return false;
  if (kind !== 'InsertStmt') return true;
  return facts.defaults.every((one) => touchedBy(judge(`SELECT ${one}`).names, reach).length === 0);
}

/** By the role's own search path, as the statement itself will find it. */
async function numberOf(connection: ServerConnection, relation: string): Promise<number | undefined> {
  let number: number | undefined;
  const sql = `SELECT CAST(pg_catalog.to_regclass(${literal(relation)}) AS pg_catalog.oid)`;
  await connection.run(sql, 'statement', {
    row: ([value]) => {
      number = value === null || value === undefined ? undefined : Number(value);
    },
  });
  return number;
}

function ordinaryQuery(number: number): string {
  return `
SELECT pg_catalog.json_build_object(
  'ordinary', c.relkind = 'r' AND NOT c.relhasrules AND NOT c.relhassubclass AND NOT c.relrowsecurity
    AND NOT c.relispartition AND c.relpersistence <> 't'
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal)
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k WHERE k.contype = 'f' AND k.confrelid = c.oid
                      AND (k.confdeltype NOT IN ('a', 'r') OR k.confupdtype NOT IN ('a', 'r')))
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attidentity <> ''),
  'defaults', (SELECT coalesce(pg_catalog.json_agg(e.text), '[]'::json) FROM (
      SELECT pg_catalog.pg_get_expr(d.adbin, d.adrelid) AS text
        FROM pg_catalog.pg_attrdef d WHERE d.adrelid = c.oid
      UNION ALL
      SELECT t.typdefault FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
       WHERE a.attrelid = c.oid AND a.attnum > 0 AND t.typtype = 'd' AND t.typdefault IS NOT NULL
    ) e))::text
  FROM pg_catalog.pg_class c WHERE c.oid = ${number}`;
}
