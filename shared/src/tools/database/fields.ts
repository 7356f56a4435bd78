import * as z from 'zod';
import { ENGINE_KINDS } from '../../engines.ts';
import { MAX_QUERY_TIMEOUT_MS, MAX_SQL_BYTES } from '../../limits.ts';

/** Fields that several tools share. */
export const connection = z.string().min(1).optional().describe('Id from list-connections');

export const table = z.string().min(1).describe('As get-tables names it, e.g. billing.invoices');

export const query = z.string().min(1).max(MAX_SQL_BYTES).describe('One SQL statement');

export const timeoutMs = z
  .int()
  .min(1)
  .max(MAX_QUERY_TIMEOUT_MS)
  .optional()
  .describe('Stops the statement on the server');

/** A JSON value as the engines' encoder makes it. Checked there, not again for each of a million cells. */
export type Cell = string | number | boolean | null | { readonly bytes: number; readonly hex: string };
export const rows = z.custom<readonly (readonly Cell[])[]>(Array.isArray, 'an array of rows');

export const columns = z.array(z.object({ name: z.string(), type: z.string() }));

export const engineType = z.enum(ENGINE_KINDS);
