import * as z from 'zod';
import { namedTables } from '../named-tables.ts';
import { columnText, type Overview, type TableEntry, untilFull } from '../overview-text.ts';
import { allRelations, pick, RELATION_KINDS, type Relation, shownName, unknownTable } from './catalog.ts';
import type { Catalog } from './catalog-query.ts';
import { readableName } from './quote.ts';

const column = z.object({
  table: z.number(),
  name: z.string(),
  type: z.string(),
  isKey: z.boolean(),
  notNull: z.boolean(),
  isUnique: z.boolean(),
  isGenerated: z.boolean(),
});

const COLUMNS = `
SELECT a.attrelid::int8 AS "table", a.attname AS name, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type,
       a.attnotnull AS "notNull", coalesce(pg_catalog.to_jsonb(a) ->> 'attgenerated', '') <> '' AS "isGenerated",
       EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary
                 AND a.attnum = ANY (i.indkey)) AS "isKey",
       EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND NOT i.indisprimary
                 AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indkey[0] = a.attnum
                 AND coalesce((pg_catalog.to_jsonb(i) ->> 'indnkeyatts')::int, i.indnatts) = 1) AS "isUnique"
  FROM pg_catalog.pg_attribute a
 WHERE a.attrelid = ANY (?::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
 ORDER BY a.attrelid, a.attnum`;

const foreignKey = z.object({
  table: z.number(),
  columns: z.array(z.string()),
  parentSchema: z.string(),
  parent: z.string(),
  parentColumns: z.array(z.string()),
});

const FOREIGN_KEYS = `
SELECT k.conrelid::int8 AS "table", n.nspname AS "parentSchema", p.relname AS parent,
       (SELECT pg_catalog.json_agg(a.attname ORDER BY u.place) FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY u(num, place)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.num) AS columns,
       (SELECT pg_catalog.json_agg(a.attname ORDER BY u.place) FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY u(num, place)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.num) AS "parentColumns"
  FROM pg_catalog.pg_constraint k
  JOIN pg_catalog.pg_class p ON p.oid = k.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
 WHERE k.contype = 'f' AND k.conparentid = 0 AND (k.conrelid = ANY (?::oid[]) OR k.confrelid = ANY (?::oid[]))
 ORDER BY k.conrelid, k.conname`;

/** The schema in one answer: all tables, or the named ones, until the answer is full. Partitions only when named. */
export async function overview(catalog: Catalog, names: readonly string[] | undefined): Promise<Overview> {
  const relations = await allRelations(catalog);
  const named =
    names &&
    namedTables(
      names,
      (name) => known(relations, name),
      ({ oid }) => oid,
    );
  const wanted = named?.tables ?? relations.filter((one) => !one.isPartition);
  const oids = `{${wanted.map(({ oid }) => oid).join(',')}}`;
  const columns = Map.groupBy(await catalog.rows(column, COLUMNS, [oids]), ({ table }) => table);
  const keys = Map.groupBy(await catalog.rows(foreignKey, FOREIGN_KEYS, [oids, oids]), ({ table }) => table);
  const parts = countParts(relations);
  const keysOf = (one: Relation) => (keys.get(one.oid) ?? []).map((key) => foreignKeyText(one, key));
  const read = (one: Relation) => ({
    entry: tableEntry(one, (columns.get(one.oid) ?? []).map(textOf), parts),
    foreignKeys: keysOf(one),
  });
  if (named === undefined) return untilFull(wanted, read);
  const others = relations.filter((one) => !wanted.includes(one));
  return untilFull(wanted, read, { referencedBy: others.flatMap(keysOf), unknown: named.unknown });
}

function known(relations: readonly Relation[], name: string): Relation {
  const one = pick(relations, name);
  if (one === undefined) throw unknownTable(name, relations.map(shownName));
  return one;
}

function countParts(relations: readonly Relation[]): number {
  return relations.filter(({ isPartition }) => isPartition).length;
}

function tableEntry(one: Relation, columns: string[], parts: number): TableEntry {
  const kind = one.isPartition ? 'partition' : RELATION_KINDS[one.kind];
  const entry = { name: shownName(one), kind, columns, rows: one.rows };
  const comment = one.comment ?? (one.kind === 'p' && parts > 0 ? 'its partitions are tables of their own' : undefined);
  return comment === undefined ? entry : { ...entry, comment };
}

function textOf(found: z.infer<typeof column>): string {
  return columnText({ ...found, name: readableName(found.name) });
}

function foreignKeyText(one: Relation, key: z.infer<typeof foreignKey>): string {
  const parent = { schema: key.parentSchema, name: key.parent };
  return `${readableTable(one)}${list(key.columns)} -> ${readableTable(parent)}${list(key.parentColumns)}`;
}

function readableTable({ schema, name }: Pick<Relation, 'schema' | 'name'>): string {
  return schema === 'public' ? readableName(name) : `${readableName(schema)}.${readableName(name)}`;
}

function list(names: readonly string[]): string {
  return `(${names.map(readableName).join(', ')})`;
}
