import { overviewText } from '@devdb/shared/overview-text';
import type { SchemaGraph } from '@devdb/shared/protocol/schema-graph';
import { type GuessedKey, guessedKeys } from './guessed-keys.ts';
import {
  MAX_OVERVIEW_BYTES,
  MOST_LOOKUPS,
  MOST_REFERENCES,
  OVERVIEW_CHARS_PER_TOKEN,
  WIDE_OVERVIEW_TOKENS,
} from './limits.ts';
import type { NamedTables } from './named-tables.ts';
import { GRAPH, type Included, keyText, type OverviewTable } from './overview-facts.ts';
import { isLookup, kindColumns, softDeleteColumns } from './overview-hints.ts';
import { columnText, type Overview, type TableEntry } from './overview-text.ts';
import { schemaGraph } from './schema-graph.ts';

/** An overview without the rows of its lookup tables, and where they are. */
export interface Outline {
  readonly answer: Overview;
  readonly lookups: readonly LookupPlace[];
  /** The schema as a graph, where that was asked for: then the answer is empty. */
  readonly graph?: SchemaGraph;
}

export interface LookupPlace {
  readonly name: string;
  /** The table in a statement of our own. */
  readonly from: string;
  /** The first column is the key, so that it gives the rows their order. */
  readonly ordered: boolean;
}

/** Put together from all tables of the schema, or from those that were named. */
export function outline(
  all: readonly OverviewTable[],
  named: NamedTables<OverviewTable> | undefined,
  include: readonly Included[] = [],
): Outline {
  const wanted = named?.tables ?? all;
  const known = [...all, ...wanted.filter((table) => !all.includes(table))];
  if (include.includes(GRAPH)) return { answer: NOTHING, lookups: [], graph: schemaGraph(known, named?.tables) };
  const schema = { all: known, guesses: guessedKeys(known), referenced: referencedNames(known) };
  const answer = named === undefined ? whole(wanted, schema) : ofNamed(wanted, named.unknown, schema);
  const flagged = answer.tables.filter(({ lookup }) => include.includes('lookups') && lookup === true);
  const more =
    flagged.length > MOST_LOOKUPS
      ? `Only ${MOST_LOOKUPS} lookup tables have their rows with them: name the others in tables.`
      : '';
  return {
    answer: more === '' ? answer : { ...answer, more: joined(answer.more, more) },
    lookups: flagged.slice(0, MOST_LOOKUPS).flatMap(({ name }) => placeOf(known, name)),
  };
}

const NOTHING: Overview = { tables: [], foreignKeys: [], truncated: false };

/** The graph of an outline that was asked for with it. */
export function graphOf({ graph }: Outline): SchemaGraph {
  if (graph === undefined) throw new Error('The schema came without its graph.');
  return graph;
}

interface Schema {
  readonly all: readonly OverviewTable[];
  readonly guesses: readonly GuessedKey[];
  readonly referenced: ReadonlySet<string>;
}

/** Names of the tables that another table's declared key points to. */
function referencedNames(all: readonly OverviewTable[]): Set<string> {
  return new Set(
    all.flatMap(({ name, keys }) => keys.flatMap(({ parentName = name }) => (parentName === name ? [] : parentName))),
  );
}

function placeOf(all: readonly OverviewTable[], name: string): LookupPlace[] {
  const table = all.find((one) => one.name === name);
  return table === undefined ? [] : [{ name, from: table.from, ordered: table.columns[0]?.isKey === true }];
}

function ofNamed(
  wanted: readonly OverviewTable[],
  unknown: NonNullable<Overview['unknown']>,
  schema: Schema,
): Overview {
  const names = new Set(wanted.map(({ name }) => name));
  const referencedBy = schema.all.flatMap((table) =>
    names.has(table.name)
      ? []
      : table.keys.flatMap((key) => (names.has(key.parentName ?? '') ? keyText(table, key) : [])),
  );
  const guesses = schema.guesses.filter(({ table, parent }) => names.has(table.name) || names.has(parent.name));
  const beside = {
    ...(referencedBy.length === 0 ? {} : { referencedBy: referencedBy.slice(0, MOST_REFERENCES) }),
    ...guessesTold(guesses),
    ...(unknown.length === 0 ? {} : { unknown: [...unknown] }),
  };
  const full = within(
    wanted,
    wanted.map((table) => entryOf(table, schema)),
    beside,
  );
  if (referencedBy.length <= MOST_REFERENCES) return full;
  const more = `${referencedBy.length - MOST_REFERENCES} more foreign keys point to these tables.`;
  return { ...full, truncated: true, more: joined(full.more, more) };
}

/** All tables: with all columns, or, where those are too many, with those of the most joined tables alone. */
function whole(wanted: readonly OverviewTable[], schema: Schema): Overview {
  const entries = wanted.map((table) => entryOf(table, schema));
  const beside = guessesTold(schema.guesses);
  const full = within(wanted, entries, beside);
  const most = WIDE_OVERVIEW_TOKENS * OVERVIEW_CHARS_PER_TOKEN;
  if (wanted.length === 1 || (!full.truncated && overviewText(full).length <= most)) return full;
  const brief = wanted.map((table, at) => withKeysAlone(table, entries[at] ?? entryOf(table, schema)));
  const room = most - overviewText(within(wanted, brief, beside)).length;
  const chosen = mostJoined(wanted, entries, brief, room);
  const told = brief.map((entry, at) => (chosen.has(at) ? (entries[at] ?? entry) : entry));
  const answer = within(wanted, told, beside);
  const left = answer.tables.filter(({ columnCount }) => columnCount !== undefined).length;
  if (left === 0) return answer;
  const more = `${left} tables are listed with their key columns alone: name them in tables for all of their columns.`;
  return { ...answer, truncated: true, more: joined(more, answer.more ?? '') };
}

function guessesTold(guesses: readonly GuessedKey[]): Pick<Overview, 'guessedKeys'> {
  return guesses.length === 0 ? {} : { guessedKeys: guesses.slice(0, MOST_REFERENCES).map(({ text }) => text) };
}

/** Which tables get all of their columns, until there is no room: the most joined first. */
function mostJoined(
  wanted: readonly OverviewTable[],
  entries: readonly TableEntry[],
  brief: readonly TableEntry[],
  room: number,
): Set<number> {
  const joins = new Map<string, number>();
  const count = (name: string) => joins.set(name, (joins.get(name) ?? 0) + 1);
  for (const { name, keys } of wanted) {
    for (const { parentName } of keys) {
      count(name);
      if (parentName !== undefined) count(parentName);
    }
  }
  const ranked = wanted.map(({ name }, at) => ({ at, joins: joins.get(name) ?? 0 })).sort((a, b) => b.joins - a.joins);
  const chosen = new Set<number>();
  let left = room;
  for (const { at } of ranked) {
    const extra = (entries[at]?.columns.join(', ').length ?? 0) - (brief[at]?.columns.join(', ').length ?? 0);
    if (extra > left) continue;
    left -= extra;
    chosen.add(at);
  }
  return chosen;
}

function entryOf(table: OverviewTable, schema: Schema): TableEntry {
  const softDelete = softDeleteColumns(table);
  const kinds = kindColumns(table);
  return {
    name: table.name,
    kind: table.kind,
    columns: table.columns.map(columnText),
    rows: table.rows,
    ...(table.atMost === true && table.rows !== null ? { atMost: true } : {}),
    ...(isLookup(table, schema.referenced.has(table.name)) ? { lookup: true } : {}),
    ...(softDelete.length === 0 ? {} : { softDelete }),
    ...(kinds.length === 0 ? {} : { kinds }),
    ...(table.comment === undefined ? {} : { comment: table.comment }),
    ...(table.indexes === undefined || table.indexes.length === 0 ? {} : { indexes: [...table.indexes] }),
    ...(table.definition === undefined ? {} : { definition: table.definition }),
  };
}

/** The primary key and the columns of foreign keys. */
function withKeysAlone(table: OverviewTable, entry: TableEntry): TableEntry {
  const inKeys = new Set(table.keys.flatMap(({ columns }) => columns));
  const columns = table.columns.filter(({ name, isKey }) => isKey || inKeys.has(name)).map(columnText);
  if (columns.length === entry.columns.length) return entry;
  return { ...entry, columns, columnCount: entry.columns.length };
}

type Beside = Pick<Overview, 'referencedBy' | 'guessedKeys' | 'unknown'>;

/** As many tables with their foreign keys as fit into one answer. */
function within(wanted: readonly OverviewTable[], entries: readonly TableEntry[], beside: Beside): Overview {
  const tables: TableEntry[] = [];
  const foreignKeys: string[] = [];
  let room = MAX_OVERVIEW_BYTES - encodedBytes(beside);
  for (const [at, entry] of entries.entries()) {
    const table = wanted[at];
    const keys = table?.keys.map((key) => keyText(table, key)) ?? [];
    const size = encodedBytes(entry) + encodedBytes(keys);
    if (size > room) return full(tables, foreignKeys, beside, entries, room);
    room -= size;
    tables.push(entry);
    foreignKeys.push(...keys);
  }
  return { tables, foreignKeys, ...beside, truncated: false };
}

function full(
  told: TableEntry[],
  foreignKeys: string[],
  beside: Beside,
  entries: readonly TableEntry[],
  room: number,
): Overview {
  // A single table may be too large: its first columns are better than nothing.
  const [first] = entries;
  const tables = told.length > 0 || first === undefined ? told : [firstColumns(first, room)];
  const left = entries.length - tables.length;
  const more =
    left === 0
      ? 'The table has more columns than one answer holds: get-schema lists all of them.'
      : `${left} more tables did not fit: get-tables lists the names, search-schema finds them.`;
  return { tables, foreignKeys, ...beside, truncated: true, more };
}

function firstColumns({ indexes: _indexes, definition: _definition, ...entry }: TableEntry, bytes: number): TableEntry {
  let room = bytes - encodedBytes({ ...entry, columns: [] });
  const end = entry.columns.findIndex((column) => {
    room -= encodedBytes(column);
    return room < 0;
  });
  return end < 0 ? entry : { ...entry, columns: entry.columns.slice(0, end), columnCount: entry.columns.length };
}

function joined(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined && sentence !== '').join(' ');
}

/** Including the comma after it. */
function encodedBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}
