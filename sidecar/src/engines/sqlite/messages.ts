import type { Explanation } from '@devdb/shared/plans';
import { withRowsText } from '@devdb/shared/rows-text';
import type { ToolOutput } from '@devdb/shared/tools';
import type { SCHEMA_KINDS } from '@devdb/shared/tools/database/search-schema';
import type {
  Bindings,
  Caps,
  ExportFormat,
  ExportSummary,
  ReadOutcome,
  RowSet,
  WriteOutcome,
  WritePreview,
} from '../engine.ts';
import type { Included } from '../overview-facts.ts';
import type { Outline } from '../overview-outline.ts';
import type { EditableTable, RowChanges } from '../row-editing.ts';

/** A statement and its placeholders' values. */
export interface Bound {
  readonly sql: string;
  readonly params?: Bindings | undefined;
}

/** The requests to a child. `release` has no answer. */
export type Request =
  | ({ readonly op: 'read'; readonly caps: Caps } & Bound)
  | { readonly op: 'export'; readonly sql: string; readonly format: ExportFormat }
  | ({ readonly op: 'check' } & Bound)
  | ({ readonly op: 'preview' } & Bound)
  | ({ readonly op: 'write'; readonly caps: Caps; readonly expectedRows?: number | undefined } & Bound)
  | { readonly op: 'recover' }
  | { readonly op: 'editable'; readonly name: readonly string[] }
  | { readonly op: 'change-rows'; readonly statements: readonly string[] }
  | { readonly op: 'facts' }
  | { readonly op: 'tables' }
  | { readonly op: 'schema'; readonly table: string }
  | {
      readonly op: 'overview';
      readonly tables?: readonly string[] | undefined;
      readonly include?: readonly Included[] | undefined;
    }
  | { readonly op: 'search'; readonly pattern: string; readonly kind?: (typeof SCHEMA_KINDS)[number] | undefined }
  | { readonly op: 'explain'; readonly sql: string; readonly analyze: boolean }
  | { readonly op: 'release'; readonly wroteHere: boolean };

/** A request as a child gets it: with the time that its call has left, which bounds the wait for a locked file. */
export type Sent = Request & { readonly leftMs?: number | undefined };

export type Op = Request['op'];

/**
 * The answer to each request. A read's or write's rows come as text beside their answer, those of an export before it,
 * in chunks.
 */
export interface Answers {
  readonly read: ReadOutcome;
  readonly export: ExportSummary;
  readonly check: true;
  readonly recover: true;
  readonly preview: WritePreview;
  readonly write: WriteOutcome;
  readonly facts: ToolOutput<'get-database-type'>;
  readonly tables: string[];
  readonly schema: string;
  /** Without the rows of lookup tables, which the session reads. */
  readonly overview: Outline;
  readonly search: ToolOutput<'search-schema'>;
  readonly editable: EditableTable;
  readonly 'change-rows': RowChanges;
  readonly explain: Explanation;
}

type Guards = { readonly [Name in keyof Answers]: (value: unknown) => value is Answers[Name] };

/** Checks the outline of an answer without rows: the other side is the same build. */
export const isAnswer: Guards = {
  read: (value): value is ReadOutcome => hasKind(value, 'is-write'),
  export: (value): value is Answers['export'] => isRecord(value) && Array.isArray(value['columns']),
  check: (value): value is true => value === true,
  recover: (value): value is true => value === true,
  preview: (value): value is WritePreview => isRecord(value),
  write: (value): value is WriteOutcome => hasKind(value, 'count-differs') && typeof value['affectedRows'] === 'number',
  facts: (value): value is Answers['facts'] => isRecord(value) && value['type'] === 'sqlite',
  tables: (value): value is string[] => Array.isArray(value),
  schema: (value): value is string => typeof value === 'string',
  overview: (value): value is Answers['overview'] =>
    isRecord(value) && isRecord(value['answer']) && Array.isArray(value['lookups']),
  search: (value): value is Answers['search'] => isRecord(value) && Array.isArray(value['matches']),
  editable: (value): value is EditableTable => isRecord(value) && Array.isArray(value['columns']),
  'change-rows': (value): value is RowChanges =>
    hasKind(value, 'done') || (hasKind(value, 'rows-differ') && Array.isArray(value['counts'])),
  explain: (value): value is Answers['explain'] => isRecord(value) && Array.isArray(value['plan']),
};

const OPS = { ...isAnswer, release: true };

/** Whether a value is a request; its fields are trusted. */
export function isRequest(value: unknown): value is Sent {
  return isRecord(value) && typeof value['op'] === 'string' && Object.hasOwn(OPS, value['op']);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function hasKind(value: unknown, kind: string): value is Record<string, unknown> {
  return isRecord(value) && value['kind'] === kind;
}

/** The answer with its rows left as text; undefined when the rest cannot be read. */
export function readRowSet(rest: unknown, rows: string): RowSet | undefined {
  if (!isRowsRest(rest)) return undefined;
  const { columns, ...facts } = rest;
  return withRowsText(columns, rows, facts);
}

function isRowsRest(value: unknown): value is Omit<RowSet, 'rows'> {
  return isRecord(value) && Array.isArray(value['columns']) && typeof value['rowCount'] === 'number';
}
