import { MOST_DIAGRAM_TABLES } from '@devdb/shared/limits';
import type { GraphKey, GraphTable, SchemaGraph } from '@devdb/shared/protocol/schema-graph';
import { guessedKeys } from './guessed-keys.ts';
import { MAX_GRAPH_BYTES, MOST_GRAPH_COLUMNS } from './limits.ts';
import type { OverviewTable } from './overview-facts.ts';

/**
 * The tables with the keys between them. Where there are more than fit, those are taken that are nearest to the named
 * ones; without names, the most joined.
 */
export function schemaGraph(all: readonly OverviewTable[], named: readonly OverviewTable[] | undefined): SchemaGraph {
  const byName = new Map(all.map((table) => [table.name, table]));
  const keys = new Map(all.map((table) => [table.name, declaredKeys(table, byName)]));
  for (const { table, parent, column, key } of guessedKeys(all)) {
    const guess = { columns: [column], parent: parent.name, parentColumns: [key], isGuessed: true };
    keys.set(table.name, [...(keys.get(table.name) ?? []), guess]);
  }
  const tables: GraphTable[] = [];
  let room = MAX_GRAPH_BYTES;
  for (const table of ranked(all, named, keys).slice(0, MOST_DIAGRAM_TABLES)) {
    const entry = entryOf(table, keys.get(table.name) ?? []);
    room -= Buffer.byteLength(JSON.stringify(entry));
    if (room < 0) break;
    tables.push(entry);
  }
  return { tables: withoutLooseKeys(tables), left: all.length - tables.length };
}

function declaredKeys(table: OverviewTable, byName: ReadonlyMap<string, OverviewTable>): GraphKey[] {
  return table.keys.flatMap(({ columns, parentName, parentColumns }) =>
    parentName === undefined || !byName.has(parentName)
      ? []
      : [{ columns: [...columns], parent: parentName, parentColumns: [...parentColumns], isGuessed: false }],
  );
}

function entryOf({ name, kind, columns }: OverviewTable, keys: readonly GraphKey[]): GraphTable {
  return {
    name,
    kind,
    columns: columns.slice(0, MOST_GRAPH_COLUMNS).map(({ name: column, type, isKey, notNull }) => ({
      name: column,
      type,
      isKey,
      notNull,
    })),
    ...(columns.length > MOST_GRAPH_COLUMNS ? { columnCount: columns.length } : {}),
    keys: [...keys],
  };
}

type Keys = ReadonlyMap<string, readonly GraphKey[]>;

/** The order in which tables are taken. */
function ranked(
  all: readonly OverviewTable[],
  named: readonly OverviewTable[] | undefined,
  keys: Keys,
): readonly OverviewTable[] {
  if (named === undefined && all.length <= MOST_DIAGRAM_TABLES) return all;
  const neighbours = neighboursOf(keys);
  const steps = named === undefined ? undefined : stepsFrom(named, neighbours);
  const stepsTo = ({ name }: OverviewTable) => steps?.get(name) ?? Number.MAX_SAFE_INTEGER;
  const joins = ({ name }: OverviewTable) => neighbours.get(name)?.size ?? 0;
  return [...all].sort((a, b) => stepsTo(a) - stepsTo(b) || joins(b) - joins(a));
}

function neighboursOf(keys: Keys): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (one: string, other: string) => found.set(one, (found.get(one) ?? new Set()).add(other));
  for (const [name, ofTable] of keys) {
    for (const { parent } of ofTable) {
      if (parent === name) continue;
      add(name, parent);
      add(parent, name);
    }
  }
  return found;
}

function stepsFrom(
  named: readonly OverviewTable[],
  neighbours: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, number> {
  const steps = new Map(named.map(({ name }) => [name, 0]));
  // A map's iteration reaches what is added meanwhile.
  for (const [name, distance] of steps) {
    for (const next of neighbours.get(name) ?? []) if (!steps.has(next)) steps.set(next, distance + 1);
  }
  return steps;
}

/** A key to a table that did not fit has no other end. */
function withoutLooseKeys(tables: readonly GraphTable[]): GraphTable[] {
  const names = new Set(tables.map(({ name }) => name));
  return tables.map((table) => ({ ...table, keys: table.keys.filter(({ parent }) => names.has(parent)) }));
}
