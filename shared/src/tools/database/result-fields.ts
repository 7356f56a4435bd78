import * as z from 'zod';
import { MAX_RESULT_ROWS } from '../../limits.ts';
import { columns, rows } from './fields.ts';

export const limit = z.int().min(1).max(MAX_RESULT_ROWS).optional().describe('Most rows, 500 by default');

export const cut = z
  .array(z.object({ row: z.int(), column: z.int(), length: z.int() }))
  .optional()
  .describe('Cells cut at 4 KiB: zero-based row and column, and the full length in bytes');

/** The rows of a statement, as far as the caps let them through. */
export const resultFields = {
  columns,
  rows,
  rowCount: z.int(),
  truncated: z.boolean(),
  cut,
  messages: z.array(z.string()).optional().describe('Notices and warnings of the engine'),
};
