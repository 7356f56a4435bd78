import type { MenuEntry } from '../../page/menu.ts';
import type { RowSort } from '../page-messages.ts';
import type { ColumnLayout } from './column-layout.ts';

export interface ColumnEntriesParts {
  readonly layout: ColumnLayout;
  /** The active cell's column: its number in the result, and its name. */
  readonly column: number;
  readonly name: string;
  readonly sorted: RowSort | undefined;
  readonly sortBy: (sort: RowSort | undefined) => void;
  /** Has the database sort the whole table; undefined where the rows are not simply those of one. */
  readonly sortTable: ((descending: boolean) => void) | undefined;
  readonly fit: () => void;
  /** Other columns are on show. */
  readonly changed: () => void;
}

/** What can be done with the column of the active cell, and with those that are hidden. */
export function columnEntries(parts: ColumnEntriesParts): readonly MenuEntry[] {
  const { layout, column, name, sorted, sortBy, sortTable, fit, changed } = parts;
  const doing = (change: () => void) => () => {
    change();
    changed();
  };
  const shown = shortened(name);
  const rows = sortTable === undefined ? '' : 'these rows ';
  const hidden = layout.hidden === 1 ? 'Show 1 hidden column' : `Show ${layout.hidden} hidden columns`;
  const whole = (descending: boolean) => ({
    label: `Sort the whole table by ${shown}, ${descending ? 'descending' : 'ascending'}`,
    act: () => sortTable?.(descending),
  });
  return [
    { label: `Sort ${rows}by ${shown}, ascending`, act: () => sortBy({ column, descending: false }) },
    { label: `Sort ${rows}by ${shown}, descending`, act: () => sortBy({ column, descending: true }) },
    ...(sorted === undefined ? [] : [{ label: 'Show rows as they came', act: () => sortBy(undefined) }]),
    ...(sortTable === undefined ? [] : [whole(false), whole(true)]),
    'line',
    {
      label: layout.isPinned(column) ? `Unpin ${shown}` : `Pin ${shown}`,
      act: doing(() => layout.togglePinned(column)),
    },
    { label: `Hide ${shown}`, act: doing(() => layout.hide(column)) },
    ...(layout.hidden === 0 ? [] : [{ label: hidden, act: doing(() => layout.showAll()) }]),
    { label: `Fit ${shown} to its values`, act: fit, keys: 'Alt+\u2190 Alt+\u2192' },
  ];
}

function shortened(name: string): string {
  return name.length <= 30 ? name : `${name.slice(0, 29)}\u2026`;
}
