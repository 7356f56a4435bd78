import type { ToolOutput } from '@devdb/shared/tools';
import { MAX_OVERVIEW_BYTES } from './limits.ts';

export type Overview = ToolOutput<'get-overview'>;
export type TableEntry = Overview['tables'][number];

export interface OverviewColumn {
  /** As it would be written in a statement. */
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
  readonly notNull: boolean;
  readonly isUnique: boolean;
  readonly isGenerated: boolean;
}

/** One column as get-overview shows it. */
export function columnText({ name, type, isKey, notNull, isUnique, isGenerated }: OverviewColumn): string {
  const marks = [
    isKey ? 'PK' : '',
    notNull ? 'NOT NULL' : '',
    isUnique ? 'UNIQUE' : '',
    isGenerated ? 'GENERATED' : '',
  ];
  return [name, type, ...marks].filter((part) => part !== '').join(' ');
}

/** What is said besides the tables, about the names that were asked for. */
export interface Beside {
  readonly referencedBy: readonly string[];
  readonly unknown: NonNullable<Overview['unknown']>;
}

/** Combines tables and their foreign keys into one answer until it is full; `read` is not called for the rest. */
export function untilFull<Table>(
  wanted: readonly Table[],
  read: (table: Table) => { readonly entry: TableEntry; readonly foreignKeys: readonly string[] },
  { referencedBy, unknown }: Beside = NOTHING_BESIDE,
): Overview {
  const tables: TableEntry[] = [];
  const graph: string[] = [];
  const beside = {
    ...(referencedBy.length === 0 ? {} : { referencedBy: referencedBy.slice(0, MOST_REFERENCES) }),
    ...(unknown.length === 0 ? {} : { unknown: [...unknown] }),
  };
  let room = MAX_OVERVIEW_BYTES - encodedBytes(beside);
  for (const table of wanted) {
    const { entry, foreignKeys } = read(table);
    const size = encodedBytes(entry) + encodedBytes(foreignKeys);
    if (size > room) {
      // A single table may be too large: its first columns are better than nothing.
      const told = tables.length > 0 ? tables : [firstColumns(entry, room)];
      return { tables: told, foreignKeys: graph, ...beside, truncated: true };
    }
    room -= size;
    tables.push(entry);
    graph.push(...foreignKeys);
  }
  return { tables, foreignKeys: graph, ...beside, truncated: referencedBy.length > MOST_REFERENCES };
}

const NOTHING_BESIDE: Beside = { referencedBy: [], unknown: [] };
/** A table that everything points to, such as users, is referenced more often than helps. */
const MOST_REFERENCES = 100;

function firstColumns(entry: TableEntry, bytes: number): TableEntry {
  let room = bytes - encodedBytes({ ...entry, columns: [] });
  const end = entry.columns.findIndex((column) => {
    room -= encodedBytes(column);
    return room < 0;
  });
  const comment = `${entry.columns.length} columns, of which the first are listed`;
  return end < 0 ? entry : { ...entry, columns: entry.columns.slice(0, end), comment };
}

/** Including the comma after it. */
function encodedBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}
