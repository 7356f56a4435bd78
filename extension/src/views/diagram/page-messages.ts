import { MOST_DIAGRAM_TABLES } from '@devdb/shared/limits';
import type { SchemaGraph } from '@devdb/shared/protocol/schema-graph';
import * as z from 'zod';
import type { KeptDiagram } from './kept-diagram.ts';
import { MOST_DIAGRAM_KEYS } from './limits.ts';

export type { GraphKey, GraphTable, SchemaGraph } from '@devdb/shared/protocol/schema-graph';

/** A place in the diagram, in its own units: pixels where it is shown neither larger nor smaller. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where everything stands: tables and keys in the order in which they were asked about. */
export interface Placed extends Size {
  readonly tables: readonly Point[];
  /** The corners of each key's line. */
  readonly keys: readonly (readonly Point[])[];
}

/** Messages to the page. */
export type ToPage =
  | {
      readonly kind: 'graph';
      readonly graph: SchemaGraph;
      readonly title: string;
      readonly kept: KeptDiagram;
    }
  | { readonly kind: 'placed'; readonly ask: number; readonly placed: Placed }
  | { readonly kind: 'refused'; readonly ask: number; readonly message: string }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'done'; readonly message: string };

const MAX_FILE_CHARS = 64 * 1024 * 1024;

const length = z.number().min(1).max(100_000);
const table = z.int().min(0).max(MOST_DIAGRAM_TABLES);

/** What the page asks for. */
export const fromPageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('refresh') }),
  z.strictObject({
    kind: z.literal('place'),
    ask: z.int(),
    tables: z.array(z.strictObject({ width: length, height: length })).max(MOST_DIAGRAM_TABLES),
    keys: z.array(z.strictObject({ from: table, to: table })).max(MOST_DIAGRAM_KEYS),
  }),
  z.strictObject({ kind: z.literal('openData'), table: z.string() }),
  z.strictObject({ kind: z.literal('copy'), text: z.string().max(MAX_FILE_CHARS), what: z.string().max(100) }),
  z.strictObject({ kind: z.literal('saveText'), text: z.string().max(MAX_FILE_CHARS) }),
  /** A picture in base64. */
  z.strictObject({ kind: z.literal('savePicture'), base64: z.base64().max(MAX_FILE_CHARS) }),
]);
export type FromPage = z.infer<typeof fromPageSchema>;
export type PlaceRequest = Pick<Extract<FromPage, { kind: 'place' }>, 'tables' | 'keys'>;
