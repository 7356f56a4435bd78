import * as z from 'zod';
import { ENGINE_KINDS } from '../../engines.ts';
import { MAX_QUERY_TIMEOUT_MS, MAX_SQL_BYTES } from '../../limits.ts';

/** Fields that several tools share. */
export const connection = z.string().min(1).optional().describe('An id from list-connections; omit it for the default');

export const table = z
  .string()
  .min(1)
  .describe('Table or view name as get-tables gives it, e.g. users or billing.invoices');

export const query = z
  .string()
  .min(1)
  .max(MAX_SQL_BYTES)
  .describe('One SQL statement; get-database-type names the dialect');

export const timeoutMs = z
  .int()
  .min(1)
  .max(MAX_QUERY_TIMEOUT_MS)
  .optional()
  .describe('Milliseconds after which the statement is stopped on the server, at most 600000');

/** A JSON value as the engines' encoder makes it. Checked there, not again for each of a million cells. */
export type Cell = string | number | boolean | null | { readonly bytes: number; readonly hex: string };
export const rows = z.custom<readonly (readonly Cell[])[]>(Array.isArray, 'an array of rows');

export const columns = z.array(z.object({ name: z.string(), type: z.string() }));

export const engineType = z.enum(ENGINE_KINDS);
