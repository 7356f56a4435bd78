import * as z from 'zod';
import type { ShownTree } from '../../capped.ts';

/** What all tools that look at a place in code share, described once. */
export const codePath = z.string().min(1).describe('Project file');

const number = z.int().min(1).optional();

export const line = number.describe('1-based line');

/** Where a symbol is: by its name, or by line and column. */
export const place = {
  path: codePath,
  symbol: z.string().min(1).optional().describe('Name or Class.method'),
  line,
  column: number.describe('Instead of symbol'),
} as const;

/** Half a place is none. */
export const NO_PLACE = 'give symbol, or line and column';

export function isPlace({ symbol, line, column }: PlaceInput): boolean {
  return symbol === undefined ? line !== undefined && column !== undefined : column === undefined;
}

interface PlaceInput {
  readonly symbol?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

export const limit = (most: number) => z.int().min(1).max(10_000).default(most).describe('Most results');

export const truncated = z.boolean();
export const rest = z.string().optional().describe('How to get what is not shown');

/** Where something stands: `src/a.ts:3`. */
export const at = z.string();

/** The lines of a file that an answer speaks of: `3: const a = 1;`. */
export const fileLines = z.object({ path: z.string(), count: z.int(), lines: z.array(z.string()) });

export interface SymbolNode {
  readonly name: string;
  readonly kind: string;
  /** In the outline of a file: `3` or `3-9`. */
  readonly lines?: string;
  /** In a list of the project: `src/a.ts:3`. */
  readonly at?: string;
  readonly detail?: string;
}

export interface CallNode {
  readonly name: string;
  readonly at: string;
  /** The lines in which it is called. */
  readonly calls?: readonly string[];
}

export interface TypeNode {
  readonly name: string;
  readonly kind: string;
  readonly at: string;
  readonly text: string;
}

/** The editor makes the nodes itself; a tree is not walked once more. */
export function treeOf<Node extends object>() {
  return z.custom<readonly ShownTree<Node>[]>(Array.isArray, 'an array of nodes');
}

export const PLACE_ERRORS = [
  'E_FILE_NOT_FOUND',
  'E_OUTSIDE_PROJECT',
  'E_SYMBOL_NOT_FOUND',
  'E_AMBIGUOUS_SYMBOL',
  'E_NO_PROVIDER',
] as const;

/** A language server may still be starting, and on a slow machine that takes its time. */
export const READ_TIMEOUT_MS = 30_000;
