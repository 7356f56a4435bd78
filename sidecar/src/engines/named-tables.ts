import { AppError } from '@devdb/shared/errors';
import type { Overview } from './overview-text.ts';

export interface NamedTables<Table> {
  /** Each once, in the order of the names. */
  readonly tables: readonly Table[];
  readonly unknown: NonNullable<Overview['unknown']>;
}

/** The tables that some names mean. A name that is not known does not lose the others; when none is, it is the error. */
export function namedTables<Table>(
  names: readonly string[],
  find: (name: string) => Table,
  keyOf: (table: Table) => string | number,
): NamedTables<Table> {
  const tables = new Map<string | number, Table>();
  const unknown: { readonly name: string; readonly near: string[] }[] = [];
  let first: AppError | undefined;
  for (const name of names) {
    try {
      const table = find(name);
      tables.set(keyOf(table), table);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'E_UNKNOWN_TABLE') throw error;
      first ??= error;
      unknown.push({ name, near: [...(error.details?.near ?? [])] });
    }
  }
  if (first !== undefined && tables.size === 0) throw first;
  return { tables: [...tables.values()], unknown };
}
