import * as z from 'zod';
import { namedTables } from '../named-tables.ts';
import { GRAPH, type Included, KEYS_ALONE, type KeyFacts, type OverviewTable } from '../overview-facts.ts';
import { type Outline, outline } from '../overview-outline.ts';
import type { OverviewColumn } from '../overview-text.ts';
import { unknownTable } from '../unknown-names.ts';
import { allRelations, pick, RELATION_KINDS, type Relation, shownName } from './catalog.ts';
import type { Catalog } from './catalog-query.ts';
import { literal, quoteName, readableName, readableTable } from './quote.ts';
import { shortTypeName } from './type-names.ts';

const column = z.object({
  table: z.number(),
  name: z.string(),
  type: z.string(),
  isKey: z.boolean(),
  notNull: z.boolean(),
  isUnique: z.boolean(),
  isGenerated: z.boolean(),
  labels: z.array(z.string()).nullable(),
});

const COLUMNS = `
SELECT a.attrelid::int8 AS "table", a.attname AS name, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type,
       a.attnotnull AS "notNull", coalesce(pg_catalog.to_jsonb(a) ->> 'attgenerated', '') <> '' AS "isGenerated",
       EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary
                 AND a.attnum = ANY (i.indkey)) AS "isKey",
       EXISTS (SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND NOT i.indisprimary
                 AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indkey[0] = a.attnum
                 AND coalesce((pg_catalog.to_jsonb(i) ->> 'indnkeyatts')::int, i.indnatts) = 1) AS "isUnique",
       (SELECT pg_catalog.json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e
         WHERE e.enumtypid = a.atttypid) AS labels
  FROM pg_catalog.pg_attribute a
 WHERE a.attrelid = ANY (?::oid[]) AND a.attnum > 0 AND NOT a.attisdropped
 ORDER BY a.attrelid, a.attnum`;

export const foreignKey = z.object({
  table: z.number(),
  columns: z.array(z.string()),
  parentSchema: z.string(),
  parent: z.string(),
  parentColumns: z.array(z.string()),
});

/** The foreign keys of the tables with these numbers. */
export const FOREIGN_KEYS = `
SELECT k.conrelid::int8 AS "table", n.nspname AS "parentSchema", p.relname AS parent,
       (SELECT pg_catalog.json_agg(a.attname ORDER BY u.place) FROM pg_catalog.unnest(k.conkey) WITH ORDINALITY u(num, place)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.num) AS columns,
       (SELECT pg_catalog.json_agg(a.attname ORDER BY u.place) FROM pg_catalog.unnest(k.confkey) WITH ORDINALITY u(num, place)
          JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.num) AS "parentColumns"
  FROM pg_catalog.pg_constraint k
  JOIN pg_catalog.pg_class p ON p.oid = k.confrelid JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
 WHERE k.contype = 'f' AND k.conparentid = 0 AND k.conrelid = ANY (?::oid[])
 ORDER BY k.conrelid, k.conname`;

const index = z.object({
  table: z.number(),
  name: z.string(),
  isUnique: z.boolean(),
  isPrimary: z.boolean(),
  definition: z.string(),
  columns: z.number(),
});

/** What follows USING: the method, where it is not the usual one, the columns, and the condition of a partial index. */
const INDEXES = `
SELECT i.indrelid::int8 AS "table", c.relname AS name, i.indisunique AS "isUnique", i.indisprimary AS "isPrimary",
       substring(pg_catalog.pg_get_indexdef(i.indexrelid) FROM ' USING (.*)$') AS definition, i.indnatts AS columns
  FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
 WHERE i.indrelid = ANY (?::oid[])
 ORDER BY i.indrelid, c.relname`;

const definition = z.object({ table: z.number(), text: z.string() });
const DEFINITIONS = `
SELECT c.oid::int8 AS "table", pg_catalog.pg_get_viewdef(c.oid, true) AS text
  FROM pg_catalog.pg_class c WHERE c.oid = ANY (?::oid[]) AND c.relkind IN ('v', 'm')`;

/**
 * The schema in one answer, but for the rows of lookup tables: all tables, or the named ones, until it is full.
 * Partitions only when named.
 */
export async function overview(
  catalog: Catalog,
  names: readonly string[] | undefined,
  include: readonly Included[] = [],
): Promise<Outline> {
  const relations = await allRelations(catalog);
  const named =
    names &&
    namedTables(
      names,
      (name) => known(relations, name),
      ({ oid }) => oid,
    );
  const listed = relations.filter((one) => !one.isPartition);
  const both = [...new Set([...listed, ...(named?.tables ?? [])])];
  const read = await tablesOf(catalog, both, relations, include);
  const of = (some: readonly Relation[]) => some.flatMap(({ oid }) => read.get(oid) ?? []);
  return outline(of(listed), named && { ...named, tables: of(named.tables) }, include);
}

async function tablesOf(
  catalog: Catalog,
  wanted: readonly Relation[],
  relations: readonly Relation[],
  include: readonly Included[],
): Promise<Map<number, OverviewTable>> {
  const oids = `{${wanted.map(({ oid }) => oid).join(',')}}`;
  const columnRows = include.includes(KEYS_ALONE) ? [] : await catalog.rows(column, COLUMNS, [oids]);
  const columns = Map.groupBy(columnRows, ({ table }) => table);
  const keys = Map.groupBy(await catalog.rows(foreignKey, FOREIGN_KEYS, [oids]), ({ table }) => table);
  const indexes = include.includes('indexes')
    ? Map.groupBy(await catalog.rows(index, INDEXES, [oids]), ({ table }) => table)
    : undefined;
  const definitions = include.includes('views')
    ? new Map((await catalog.rows(definition, DEFINITIONS, [oids])).map(({ table, text }) => [table, text]))
    : undefined;
  const parts = countParts(relations);
  return new Map(
    wanted.map((one) => [
      one.oid,
      {
        ...tableFacts(one, parts),
        columns: (columns.get(one.oid) ?? []).map((found) => toColumn(found, include)),
        keys: (keys.get(one.oid) ?? []).map(keyFacts),
        indexes: indexes?.get(one.oid)?.flatMap(toldIndex),
        definition: definitions?.get(one.oid),
      },
    ]),
  );
}

function toColumn(
  { name, type, labels, ...found }: z.infer<typeof column>,
  include: readonly Included[],
): OverviewColumn {
  const values = labels === null || include.includes(GRAPH) ? '' : `(${labels.map(literal).join(', ')})`;
  const told = values.length > MOST_LABEL_CHARS ? '' : values;
  return { ...found, name: readableName(name), type: `${shortTypeName(type)}${told}` };
}

/** The values of an enumerated type are what a statement needs most; a longer list is a table in disguise. */
const MOST_LABEL_CHARS = 200;

/** The index of a primary key of one column is its PK. */
function toldIndex({ name, isUnique, isPrimary, definition: text, columns }: z.infer<typeof index>): string[] {
  if (isPrimary && columns === 1) return [];
  const own = text.replace(/^btree \(/, '(');
  return [`${isPrimary ? 'primary key' : `${isUnique ? 'UNIQUE ' : ''}${readableName(name)}`} ${own}`];
}

function known(relations: readonly Relation[], name: string): Relation {
  const one = pick(relations, name);
  if (one === undefined) throw unknownTable(name, relations.map(shownName));
  return one;
}

function countParts(relations: readonly Relation[]): number {
  return relations.filter(({ isPartition }) => isPartition).length;
}

function tableFacts(one: Relation, parts: number): Omit<OverviewTable, 'columns' | 'keys'> {
  return {
    name: shownName(one),
    written: readableTable(one),
    from: `${quoteName(one.schema)}.${quoteName(one.name)}`,
    kind: one.isPartition ? 'partition' : RELATION_KINDS[one.kind],
    rows: one.rows,
    comment: one.comment ?? (one.kind === 'p' && parts > 0 ? 'its partitions are tables of their own' : undefined),
  };
}

function keyFacts({
  columns,
  parentSchema: schema,
  parent: name,
  parentColumns,
}: z.infer<typeof foreignKey>): KeyFacts {
  return {
    columns: columns.map(readableName),
    parent: readableTable({ schema, name }),
    parentName: shownName({ schema, name }),
    parentColumns: parentColumns.map(readableName),
  };
}
