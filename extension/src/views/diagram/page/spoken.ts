import type { GraphKey, GraphTable } from '../page-messages.ts';

/** More is heard in the tree, column by column. */
const MOST_COLUMNS = 40;

/** A table as a screen reader reads it: its columns, what it references and what references it. */
export function spokenTable(table: GraphTable, tables: readonly GraphTable[]): string {
  const { name, kind, columns, columnCount = columns.length, keys } = table;
  const spoken = columns.slice(0, MOST_COLUMNS).map(({ name: column, type, isKey }) => {
    return [column, ...(type === '' ? [] : [type]), ...(isKey ? ['key'] : [])].join(' ');
  });
  const more = columnCount > spoken.length ? [`and ${columnCount - spoken.length} more`] : [];
  const from = tables.flatMap((other) =>
    other.name !== name && other.keys.some(({ parent }) => parent === name) ? [other.name] : [],
  );
  const count = `${columnCount} ${columnCount === 1 ? 'column' : 'columns'}`;
  return [
    `${name}, ${kind}, ${count}${spoken.length === 0 ? '' : `: ${[...spoken, ...more].join(', ')}`}`,
    ...(keys.length === 0 ? [] : [`references ${keys.map(spokenEnd).join(', ')}`]),
    ...(from.length === 0 ? [] : [`referenced by ${from.join(', ')}`]),
  ].join('; ');
}

function spokenEnd({ columns, parent, isGuessed }: GraphKey): string {
  return `${parent} by ${columns.join(' and ')}${isGuessed ? ' (guessed)' : ''}`;
}

/** A key in one line: `orders(customer_id) → customers(id)`. */
export function keyLine(table: string, { columns, parent, parentColumns, isGuessed }: GraphKey): string {
  const to = parentColumns.length === 0 ? parent : `${parent}(${parentColumns.join(', ')})`;
  return `${table}(${columns.join(', ')}) → ${to}${isGuessed ? ' (guessed)' : ''}`;
}
