import { AppError } from '@devdb/shared/errors';
import * as z from 'zod';
import { columnsInstead, unknownTable } from '../unknown-names.ts';
import { allRelations } from './catalog.ts';
import { askCatalog } from './catalog-query.ts';
import type { Connections } from './pool.ts';
import { readableName, readableTable } from './quote.ts';
import { recordsBelow, type TreeNode } from './sql-tree.ts';

const columnName = z.object({ name: z.string() });

/** Adds similar names to an error about a name. Other errors are returned unchanged. */
export async function withNearNames(
  error: unknown,
  node: TreeNode | undefined,
  connections: Connections,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'E_SQL') return error;
  const code = error.details?.engineCode;
  const name = /"([^"]+)"/.exec(error.message)?.[1] ?? /(?:column|relation) (\S+)/.exec(error.message)?.[1];
  if (name === undefined || (code !== '42P01' && code !== '42703')) return error;
  try {
    return await (code === '42P01'
      ? nearTables(error, name, connections, signal)
      : nearColumns(error, name, node, connections, signal));
  } catch (cause) {
    // The suggestions are optional; the error itself is what the caller needs.
    signal.throwIfAborted();
    return cause instanceof AppError ? error : cause;
  }
}

async function nearTables(
  error: AppError,
  name: string,
  connections: Connections,
  signal: AbortSignal,
): Promise<AppError> {
  // As a statement names them: without its quotes Postgres reads "User" as a function of its own.
  const names = await askCatalog(connections, signal, async (catalog) =>
    (await allRelations(catalog)).map(readableTable),
  );
  const unknown = unknownTable(name, names);
  return new AppError('E_UNKNOWN_TABLE', error.message, {
    hint: unknown.hint,
    details: { ...error.details, ...unknown.details },
  });
}

async function nearColumns(
  error: AppError,
  name: string,
  node: TreeNode | undefined,
  connections: Connections,
  signal: AbortSignal,
): Promise<AppError> {
  const tables = tablesIn(node);
  const columns = await askCatalog(connections, signal, (catalog) =>
    catalog.rows(
      columnName,
      `SELECT a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
         JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped
          AND (n.nspname || '.' || c.relname = ANY (?::text[])
               OR c.relname = ANY (?::text[]) AND pg_table_is_visible(c.oid))
        ORDER BY c.relname, a.attnum`,
      [tables, tables],
    ),
  );
  const { near, hint } = columnsInstead(name, [...new Set(columns.map((column) => column.name))], readableName);
  return new AppError('E_SQL', error.message, {
    hint: near.length === 0 && columns.length === 0 ? error.hint : hint,
    details: { ...error.details, near },
  });
}

/** The tables that a statement names: as `schema.table`, or as `table` where the search path decides. */
function tablesIn(node: TreeNode | undefined): string[] {
  if (node === undefined) return [];
  // The table of an INSERT, UPDATE or DELETE has no node name around it.
  return [...recordsBelow(node.fields)].flatMap(({ schemaname, relname }) => {
    if (typeof relname !== 'string') return [];
    return typeof schemaname === 'string' ? `${schemaname}.${relname}` : relname;
  });
}
