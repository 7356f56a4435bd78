import type { AppError, ErrorDetails } from '@devdb/shared/errors';
import { unknownTable } from '../unknown-names.ts';
import type { DriverValue } from '../values.ts';
import type { Results } from './ask.ts';
import type { Database } from './database.ts';
import { shownName } from './quote.ts';

export interface TableFacts {
  readonly id: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: 'table' | 'view' | 'external table';
  /** As tools show it. */
  readonly shown: string;
}

/** The users' tables and views, those of dbo first. */
export const TABLES = `
SELECT o.object_id, s.name, o.name, CASE WHEN o.type = 'V' THEN N'view' WHEN t.is_external = 1 THEN N'external table' ELSE N'table' END
  FROM sys.objects o JOIN sys.schemas s ON s.schema_id = o.schema_id LEFT JOIN sys.tables t ON t.object_id = o.object_id
 WHERE o.type IN ('U', 'V') AND o.is_ms_shipped = 0
 ORDER BY CASE WHEN s.name = N'dbo' THEN 0 ELSE 1 END, s.name, o.name`;

/** The rows of one of several results. */
export function rows(results: Results, at: number): readonly (readonly DriverValue[])[] {
  return results[at] ?? [];
}

/** A cell as text; '' for NULL. */
export function text(value: DriverValue | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

/** Reads the rows of TABLES. */
export function readTables(found: readonly (readonly DriverValue[])[]): TableFacts[] {
  return found.map(([id, schema, name, kind]) => ({
    id: Number(id),
    schema: text(schema),
    name: text(name),
    kind: kind === 'view' || kind === 'external table' ? kind : 'table',
    shown: shownName(text(schema), text(name)),
  }));
}

export async function allTables(database: Database, signal: AbortSignal): Promise<TableFacts[]> {
  return readTables(rows(await database.ask(TABLES, {}, signal), 0));
}

/** The table a name means: as tools show it, or in any case, with brackets, or with dbo in front. */
export function findTable(tables: readonly TableFacts[], wanted: string): TableFacts {
  const plain = wanted.replaceAll(/[[\]"]/g, '');
  const same = (test: (table: TableFacts) => boolean): TableFacts | undefined => {
    const found = tables.filter(test);
    return found.length === 1 ? found[0] : undefined;
  };
  const full = ({ schema, name }: TableFacts): string => `${schema}.${name}`;
  const found =
    same(({ shown }) => shown === wanted) ??
    same((table) => full(table) === plain) ??
    same((table) => full(table).toLowerCase() === plain.toLowerCase()) ??
    same(({ shown }) => shown.toLowerCase() === plain.toLowerCase()) ??
    same(({ name }) => name.toLowerCase() === plain.toLowerCase());
  if (found === undefined) throw noSuchTable(tables, wanted);
  return found;
}

/** The error of a table that is not there, with similar names. */
export function noSuchTable(tables: readonly TableFacts[], wanted: string, more: ErrorDetails = {}): AppError {
  const names = tables.map(({ shown }) => shown);
  return unknownTable(wanted, names, more);
}
