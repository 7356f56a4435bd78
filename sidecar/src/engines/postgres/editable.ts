import { AppError } from '@devdb/shared/errors';
import * as z from 'zod';
import type { EditableTable } from '../row-editing.ts';
import { unknownTable } from '../unknown-names.ts';
import { allRelations, RELATION_KINDS, type Relation, shownName } from './catalog.ts';
import type { Catalog } from './catalog-query.ts';
import { FOREIGN_KEYS, foreignKey } from './overview.ts';
import { quoteName } from './quote.ts';

const column = z.object({
  name: z.string(),
  type: z.string(),
  isNullable: z.boolean(),
  kind: z.enum(['plain', 'given', 'binary']),
});

const COLUMNS = `
SELECT a.attname AS name, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS "isNullable",
       CASE WHEN coalesce(pg_catalog.to_jsonb(a) ->> 'attgenerated', '') <> '' THEN 'given'
            WHEN coalesce(pg_catalog.to_jsonb(a) ->> 'attidentity', '') = 'a' THEN 'given'
            WHEN a.atttypid = 17 THEN 'binary' ELSE 'plain' END AS kind
  FROM pg_catalog.pg_attribute a
 WHERE a.attrelid = ? AND a.attnum > 0 AND NOT a.attisdropped
 ORDER BY a.attnum`;

const keyColumn = z.object({ name: z.string() });

const KEY = `
SELECT a.attname AS name
  FROM pg_catalog.pg_constraint k, pg_catalog.unnest(k.conkey) WITH ORDINALITY u(num, place)
  JOIN pg_catalog.pg_attribute a ON a.attnum = u.num
 WHERE k.conrelid = ? AND k.contype = 'p' AND a.attrelid = k.conrelid
 ORDER BY u.place`;

/** What is needed to change single rows of a table. */
export async function editableTable(catalog: Catalog, name: readonly string[]): Promise<EditableTable> {
  const relation = oneRelation(await allRelations(catalog), name);
  const { oid } = relation;
  const keys = await catalog.rows(foreignKey, FOREIGN_KEYS, [`{${oid}}`]);
  return {
    name: shownName(relation),
    from: quoted(relation),
    columns: await catalog.rows(column, COLUMNS, [oid]),
    key: (await catalog.rows(keyColumn, KEY, [oid])).map((one) => one.name),
    refusal: refusalOf(relation),
    links: keys.map(({ columns, parentSchema: schema, parent, parentColumns }) => ({
      columns,
      parent: quoted({ schema, name: parent }),
      parentName: shownName({ schema, name: parent }),
      parentColumns,
    })),
  };
}

/** Which of several tables a name without a schema means, only the role's search path says. */
function oneRelation(relations: readonly Relation[], name: readonly string[]): Relation {
  const [first, second] = name;
  const found = relations.filter((one) =>
    second === undefined ? one.name === first : one.schema === first && one.name === second,
  );
  const [relation, other] = found;
  if (relation === undefined) throw unknownTable(name.join('.'), relations.map(shownName));
  if (other === undefined) return relation;
  throw new AppError('E_UNKNOWN_TABLE', `There is more than one table ${first}.`, {
    hint: 'Write the schema in front of its name.',
  });
}

function refusalOf({ kind }: Relation): string | undefined {
  if (kind === 'r' || kind === 'p') return undefined;
  return `It is a ${RELATION_KINDS[kind]}, whose rows come from elsewhere.`;
}

function quoted({ schema, name }: Pick<Relation, 'schema' | 'name'>): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}
