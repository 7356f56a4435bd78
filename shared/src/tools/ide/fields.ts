import * as z from 'zod';
import { MAX_FOUND_FILES, MAX_RESULT_BYTES } from '../../limits.ts';

/** Fields that several tools of the editor share, described once. */
export const pathInProject = z.string().min(1).max(4_096).describe('Path from the project root');

/** Text to write. The body of a call bounds it too. */
export const text = z.string().describe('The new text');

/** How many files an answer lists. */
export const fileLimit = z.int().min(1).max(MAX_FOUND_FILES).optional().describe('Files to list; 32 KiB by default');

/** How much of a text an answer holds. */
export const byteLimit = z
  .int()
  .min(1_024)
  .max(MAX_RESULT_BYTES)
  .optional()
  .describe('Bytes to give, 32768 by default');

/** What is looked for: it goes to another program, whose arguments hold no NUL. */
export const needle = z
  .string()
  .min(1)
  .max(2_000)
  .regex(/^[^\0]*$/, 'without NUL');

/** What every answer that may be cut says. */
export const cut = {
  truncated: z.boolean(),
  rest: z.string().optional().describe('What is missing, and how to get it'),
} as const;
