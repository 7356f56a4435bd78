import type { Connections } from './pool.ts';
import type { ReachBook } from './reach.ts';
import type { TypeBook } from './type-book.ts';

/** One database: its connections, and what is kept about it between calls. */
export interface Database {
  readonly connections: Connections;
  readonly types: TypeBook;
  readonly reach: ReachBook;
}
