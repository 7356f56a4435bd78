import { nameWords, singulars } from './name-words.ts';
import { keyText, type OverviewTable } from './overview-facts.ts';
import type { OverviewColumn } from './overview-text.ts';

/** A column that is named like the key of another table, without a declared foreign key. */
export interface GuessedKey {
  readonly table: OverviewTable;
  readonly parent: OverviewTable;
  readonly column: string;
  /** The parent's column. */
  readonly key: string;
  readonly text: string;
}

interface Target {
  readonly table: OverviewTable;
  readonly key: OverviewColumn;
}

/** Names of a key that say nothing about whose key it is. */
const NAMELESS = new Set(['id', 'uuid', 'guid', 'code', 'key', 'name', 'no', 'number', 'oid', 'pk', 'rowid', 'ref']);

/** The columns of tables that are named like the key of exactly one other table and could hold its values. */
export function guessedKeys(tables: readonly OverviewTable[]): GuessedKey[] {
  const targets = targetsOf(tables);
  return tables.flatMap((table) => {
    if (!holdsRows(table)) return [];
    const declared = new Set(table.keys.flatMap(({ columns }) => columns));
    return table.columns.flatMap((column) => {
      if (declared.has(column.name)) return [];
      const target = targetOf(table, column, targets);
      return target === undefined ? [] : guess(table, column, target);
    });
  });
}

function guess(table: OverviewTable, column: OverviewColumn, { table: parent, key }: Target): GuessedKey {
  const facts = { columns: [column.name], parent: parent.written, parentColumns: [key.name] };
  return { table, parent, column: column.name, key: key.name, text: keyText(table, facts) };
}

function holdsRows({ kind }: OverviewTable): boolean {
  return kind.endsWith('table') && kind !== 'virtual table';
}

/** Every way to name the single-column key of a table, such as `customer id`; more than one table may share it. */
function targetsOf(tables: readonly OverviewTable[]): Map<string, Target[]> {
  const found = new Map<string, Target[]>();
  for (const table of tables) {
    const [key, ...more] = table.columns.filter(({ isKey }) => isKey);
    if (key === undefined || more.length > 0 || !holdsRows(table)) continue;
    for (const name of namesOf(table, key)) found.set(name, [...(found.get(name) ?? []), { table, key }]);
  }
  return found;
}

function namesOf(table: OverviewTable, key: OverviewColumn): Set<string> {
  const words = nameWords(key.name);
  const own = words.join(' ');
  const names = new Set(NAMELESS.has(own) || words.length === 1 ? [] : [own]);
  // Without its schema: `billing.invoices` is referred to by `invoice_id`.
  const tableWords = nameWords(table.name.slice(table.name.indexOf('.') + 1));
  const last = tableWords.at(-1);
  if (last === undefined) return names;
  for (const singular of singulars(last)) {
    const stem = [...tableWords.slice(0, -1), singular].join(' ');
    names.add(`${stem} ${own}`);
  }
  return names;
}

/** The longest end of the column's name that names a key: `home_team_id` is a team's. */
function targetOf(
  table: OverviewTable,
  column: OverviewColumn,
  targets: ReadonlyMap<string, readonly Target[]>,
): Target | undefined {
  const words = nameWords(column.name);
  for (let skipped = 0; skipped < words.length - 1; skipped += 1) {
    const named = targets.get(words.slice(skipped).join(' '));
    if (named === undefined) continue;
    const fits = named.filter(({ table: parent, key }) => parent !== table && fitTogether(column.type, key.type));
    const near = fits.filter(({ table: parent }) => schemaOf(parent) === schemaOf(table));
    const [only, ...others] = near.length > 0 ? near : fits;
    return only === undefined || others.length > 0 || pointsBothWays(column, only) ? undefined : only;
  }
  return undefined;
}

/** Two tables with keys of the same name: which of them points to the other is not known. */
function pointsBothWays(column: OverviewColumn, { key }: Target): boolean {
  return column.isKey && nameWords(column.name).join(' ') === nameWords(key.name).join(' ');
}

function schemaOf({ name }: OverviewTable): string {
  return name.slice(0, Math.max(name.indexOf('.'), 0));
}

/** A whole number does not refer to a text. */
function fitTogether(one: string, other: string): boolean {
  const [a, b] = [typeClass(one), typeClass(other)];
  return a === undefined || b === undefined || a === b;
}

function typeClass(type: string): 'number' | 'text' | 'unique' | undefined {
  if (/uuid|uniqueidentifier/i.test(type)) return 'unique';
  if (/\b(?:tiny|small|medium|big)?int(?:eger|\d)?\b|serial|numeric|decimal|number/i.test(type)) return 'number';
  return /char|text|clob|string/i.test(type) ? 'text' : undefined;
}
