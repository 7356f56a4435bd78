import type { AdvisedFlag } from '@devdb/shared/plans';
import { createIndex } from '../create-index.ts';
import { type IndexedTable, indexCandidates } from '../index-candidates.ts';
import { tablesInWant, withNamedIndexes } from '../plan-flags.ts';
import type { PlanStep } from '../plan-steps.ts';
import type { Catalog, TableFacts } from './catalog.ts';
import { quoteName, readableName, shownName } from './quote.ts';

/** Names an index that may help each table that wants one. It is a guess: the server cannot plan with an index that it has not. */
export async function withIndexAdvice(
  catalog: Catalog,
  tables: readonly TableFacts[],
  steps: readonly PlanStep[],
  flags: readonly AdvisedFlag[],
): Promise<readonly AdvisedFlag[]> {
  const wanting = tables.filter(({ shown, kind }) => kind === 'table' && tablesInWant(flags).includes(shown));
  const known = new Map<string, IndexedTable>();
  const facts = new Map(wanting.map((table) => [table.shown, table]));
  for (const table of facts.values()) known.set(table.shown, await indexedTable(catalog, table));
  const candidates = indexCandidates(steps, flags, known);
  return withNamedIndexes(
    flags,
    candidates.map(({ table, columns }) => ({
      table,
      index: `${writtenName(facts.get(table), catalog)} (${columns.map(readableName).join(', ')})`,
      create: created(facts.get(table), columns),
    })),
  );
}

function writtenName(table: TableFacts | undefined, { ownSchema }: Catalog): string {
  const { schema = '', name = '' } = table ?? {};
  const own = schema === ownSchema;
  return own ? readableName(name) : shownName(readableName(schema), readableName(name), ownSchema);
}

function created(table: TableFacts | undefined, columns: readonly string[]): string {
  const { schema = '', name = '' } = table ?? {};
  return createIndex({ table: name, on: `${quoteName(schema)}.${quoteName(name)}`, columns }, quoteName);
}

async function indexedTable(catalog: Catalog, { schema, name }: TableFacts): Promise<IndexedTable> {
  const here = { TABLE_SCHEMA: schema, TABLE_NAME: name };
  const columns = await catalog.ask('COLUMNS', (query) =>
    query.select({ name: 'COLUMN_NAME' }).where(here).orderBy('ORDINAL_POSITION'),
  );
  const parts = await catalog.ask('STATISTICS', (query) =>
    query.select({ index: 'INDEX_NAME', column: 'COLUMN_NAME' }).where(here).orderBy(['INDEX_NAME', 'SEQ_IN_INDEX']),
  );
  return {
    columns: columns.map((row) => row['name'] ?? ''),
    indexes: [...Map.groupBy(parts, ({ index }) => index).values()].map((of) => of.map(({ column }) => column ?? '')),
  };
}
