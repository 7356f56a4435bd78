import type { ToolInput, ToolOutput } from '@devdb/shared/tools';
import { nameMatcher } from '../name-matcher.ts';
import { searchAnswer } from '../search-answer.ts';
import type { Catalog } from './catalog.ts';
import { shownName } from './quote.ts';

type Match = ToolOutput<'search-schema'>['matches'][number];
type Kind = ToolInput<'search-schema'>['kind'];

/** Tables, views, columns and routines whose names match; tables before columns before routines. */
export async function searchSchema(
  catalog: Catalog,
  pattern: string,
  kind: Kind,
): Promise<ToolOutput<'search-schema'>> {
  const matches = nameMatcher(pattern);
  const all = [
    ...(kind === 'column' || kind === 'routine' ? [] : await tablesOf(catalog, kind)),
    ...(kind === undefined || kind === 'column' ? await columnsOf(catalog) : []),
    ...(kind === undefined || kind === 'routine' ? await routinesOf(catalog) : []),
  ].filter(({ name, kind: own }) => matches(name) || (own !== 'column' && matches(name.slice(name.indexOf('.') + 1))));
  return searchAnswer(all);
}

async function tablesOf(catalog: Catalog, wanted: Kind): Promise<Match[]> {
  return (await catalog.tables()).flatMap(({ shown, kind }) => {
    const own = kind === 'view' ? 'view' : 'table';
    return wanted === undefined || wanted === own ? [{ kind: own, name: shown }] : [];
  });
}

async function columnsOf(catalog: Catalog): Promise<Match[]> {
  const rows = await catalog.askWithoutClosed('COLUMNS', (query) =>
    query
      .select({ schema: 'TABLE_SCHEMA', table: 'TABLE_NAME', name: 'COLUMN_NAME', type: 'COLUMN_TYPE' })
      .whereNotIn('TABLE_SCHEMA', [...catalog.leftOutSchemas])
      .orderBy(['TABLE_SCHEMA', 'TABLE_NAME', 'ORDINAL_POSITION']),
  );
  return rows.map(({ schema, table, name, type }) => ({
    kind: 'column',
    name: name ?? '',
    table: shownName(schema ?? '', table ?? '', catalog.ownSchema),
    type: type ?? '',
  }));
}

async function routinesOf(catalog: Catalog): Promise<Match[]> {
  const rows = await catalog.ask('ROUTINES', (query) =>
    query
      .select({ schema: 'ROUTINE_SCHEMA', name: 'ROUTINE_NAME', type: 'ROUTINE_TYPE', answer: 'DTD_IDENTIFIER' })
      .whereNotIn('ROUTINE_SCHEMA', [...catalog.leftOutSchemas])
      .orderBy(['ROUTINE_SCHEMA', 'ROUTINE_NAME']),
  );
  return rows.map(({ schema, name, type, answer }) => ({
    kind: 'routine',
    name: shownName(schema ?? '', name ?? '', catalog.ownSchema),
    type: [type?.toLowerCase(), answer].filter((part) => part !== null && part !== undefined && part !== '').join(' '),
  }));
}
