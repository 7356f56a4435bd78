import type { Catalog } from './catalog.ts';
import type { Call } from './judge.ts';
import type { Routine } from './routines.ts';

/** The stored functions that these calls mean. A name alone means one of the connection's database. */
export async function findFunctions(calls: readonly Call[], catalog: Catalog): Promise<readonly Routine[]> {
  const keys = calls.map(({ schema, name }) => [schema ?? catalog.ownSchema, name]);
  const rows = await catalog.ask('ROUTINES', (query) =>
    query
      .select({ schema: 'ROUTINE_SCHEMA', name: 'ROUTINE_NAME', body: 'ROUTINE_DEFINITION', language: 'ROUTINE_BODY' })
      .where({ ROUTINE_TYPE: 'FUNCTION' })
      .whereIn(['ROUTINE_SCHEMA', 'ROUTINE_NAME'], keys),
  );
  return rows.map(({ schema, name, body, language }) => ({
    schema: schema ?? '',
    name: name ?? '',
    // Other languages are not read here.
    body: language === 'SQL' ? (body ?? undefined) : undefined,
  }));
}
