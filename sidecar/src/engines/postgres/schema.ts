import { findRelation, type Relation } from './catalog.ts';
import type { Catalog } from './catalog-query.ts';
import { literal, readableName, readableTable } from './quote.ts';
import {
  type ColumnFacts,
  readSchemaFacts,
  readSequences,
  type SchemaFacts,
  type SequenceFacts,
} from './schema-facts.ts';
import { readNeeds, type SchemaNeeds } from './schema-needs.ts';

/**
 * Statements that create a table or view in an empty database: first what it needs, then the object itself, then what
 * depends on it. Tables referenced by its foreign keys, and the parent of a partition, have their own texts.
 */
export async function schemaText(catalog: Catalog, wanted: string): Promise<string> {
  const relation = await findRelation(catalog, wanted);
  const facts = await readSchemaFacts(catalog, relation.oid);
  if (facts === undefined) throw new Error('The table was dropped while it was read.');
  const isView = relation.kind === 'v' || relation.kind === 'm';
  const types = isView ? [] : facts.columns.map(({ typeOid }) => typeOid);
  const needs = await readNeeds(catalog, relation.oid, types);
  const sequences = isView ? [] : await readSequences(catalog, relation.oid);
  const name = readableTable(relation);
  const statements = [
    ...inFront(relation, needs, sequences),
    isView ? createView(relation, facts, name) : createTable(relation, facts, name),
    ...sequences.flatMap(({ ownedBy }) => ownedBy ?? []),
    ...facts.indexes,
    ...facts.triggers,
    ...rowSecurity(facts, name),
    ...comments(relation, facts, name),
  ];
  return `${statements.map((statement) => `${statement};`).join('\n')}${partitionsNote(facts)}`;
}

function inFront({ schema }: Relation, needs: SchemaNeeds, sequences: readonly SequenceFacts[]): string[] {
  const schemas = [...new Set([schema, ...needs.schemas])].filter((one) => one !== 'public');
  return [
    ...schemas.map((one) => `CREATE SCHEMA IF NOT EXISTS ${readableName(one)}`),
    ...needs.extensions.map((one) => `CREATE EXTENSION IF NOT EXISTS ${readableName(one)}`),
    ...needs.statements,
    ...sequences.map(({ create }) => create),
  ];
}

function createTable(relation: Relation, facts: SchemaFacts, name: string): string {
  const { table } = facts;
  const foreign = relation.kind === 'f' ? 'FOREIGN ' : '';
  const unlogged = table.persistence === 'u' ? 'UNLOGGED ' : '';
  const head = `CREATE ${unlogged}${foreign}TABLE ${name}`;
  const parts = [...columnLines(relation, facts), ...constraintLines(facts)];
  const body = parts.length === 0 ? '' : ` (\n${parts.map((part) => `  ${part}`).join(',\n')}\n)`;
  const tail = [
    table.partitionKey === null ? '' : `PARTITION BY ${table.partitionKey}`,
    table.accessMethod === null ? '' : `USING ${readableName(table.accessMethod)}`,
    table.options === null ? '' : `WITH (${table.options})`,
    table.server === null ? '' : `SERVER ${table.server}`,
    table.foreignOptions === null ? '' : `OPTIONS (${table.foreignOptions})`,
  ].filter((part) => part !== '');
  const end = tail.length === 0 ? '' : ` ${tail.join(' ')}`;
  if (relation.isPartition) {
    return `${head} PARTITION OF ${table.parents.join(', ')}${body} ${table.partitionBound ?? ''}${end}`;
  }
  const inherits = table.parents.length === 0 ? '' : ` INHERITS (${table.parents.join(', ')})`;
  return `${head}${body === '' ? ' ()' : body}${inherits}${end}`;
}

/** A child has its parent's columns; only additional ones are written. */
function columnLines({ isPartition }: Relation, { columns }: SchemaFacts): string[] {
  if (!isPartition) return columns.filter(({ isLocal }) => isLocal).map(columnLine);
  return columns.flatMap((one) =>
    one.default === null || one.generated !== '' ? [] : [`${one.quoted} DEFAULT ${one.default}`],
  );
}

function columnLine(one: ColumnFacts): string {
  const parts = [
    one.quoted,
    one.type,
    one.foreignOptions === null ? '' : `OPTIONS (${one.foreignOptions})`,
    one.collation === null ? '' : `COLLATE ${one.collation}`,
    valueClause(one),
    one.notNull ? 'NOT NULL' : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function valueClause(one: ColumnFacts): string {
  if (one.identity !== '') {
    const options = one.identityOptions === '' ? '' : ` (${one.identityOptions})`;
    return `GENERATED ${one.identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY${options}`;
  }
  if (one.default === null) return '';
  if (one.generated === '') return `DEFAULT ${one.default}`;
  return `GENERATED ALWAYS AS (${one.default}) ${one.generated === 's' ? 'STORED' : 'VIRTUAL'}`;
}

function constraintLines({ constraints }: SchemaFacts): string[] {
  return constraints
    .filter(({ isLocal }) => isLocal)
    .map(({ quoted, definition }) => `CONSTRAINT ${quoted} ${definition}`);
}

function createView({ kind }: Relation, { table, columns }: SchemaFacts, name: string): string {
  const names = columns.map(({ quoted }) => quoted).join(', ');
  const options = table.options === null ? '' : ` WITH (${table.options})`;
  const query = (table.viewDefinition ?? '').replace(/;\s*$/, '');
  const what = kind === 'm' ? 'MATERIALIZED VIEW' : 'VIEW';
  const data = kind === 'm' && !table.isPopulated ? '\nWITH NO DATA' : '';
  return `CREATE ${what} ${name} (${names})${options} AS\n${query}${data}`;
}

function rowSecurity({ table, policies }: SchemaFacts, name: string): string[] {
  return [
    ...(table.rowSecurity ? [`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`] : []),
    ...(table.forceRowSecurity ? [`ALTER TABLE ${name} FORCE ROW LEVEL SECURITY`] : []),
    ...policies,
  ];
}

const COMMENT_KINDS = {
  r: 'TABLE',
  p: 'TABLE',
  v: 'VIEW',
  m: 'MATERIALIZED VIEW',
  f: 'FOREIGN TABLE',
} as const satisfies Record<Relation['kind'], string>;

function comments({ kind }: Relation, { table, columns, constraints }: SchemaFacts, name: string): string[] {
  return [
    ...(table.comment === null ? [] : [`COMMENT ON ${COMMENT_KINDS[kind]} ${name} IS ${literal(table.comment)}`]),
    ...columns.flatMap(({ quoted, comment }) =>
      comment === null ? [] : [`COMMENT ON COLUMN ${name}.${quoted} IS ${literal(comment)}`],
    ),
    ...constraints.flatMap(({ quoted, comment }) =>
      comment === null ? [] : [`COMMENT ON CONSTRAINT ${quoted} ON ${name} IS ${literal(comment)}`],
    ),
  ];
}

function partitionsNote({ table }: SchemaFacts): string {
  if (table.children.length === 0) return '';
  return `\n-- Partitions, each a table of its own:\n${table.children.map((child) => `--   ${child.replaceAll('\n', ' ')}`).join('\n')}`;
}
