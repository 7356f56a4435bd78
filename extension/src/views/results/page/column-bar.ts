import { button, element } from '../../page/elements.ts';
import type { ColumnLayout } from './column-layout.ts';

export interface ColumnBarParts {
  readonly layout: ColumnLayout;
  /** The active cell's column, by its number in the result. */
  readonly active: () => number;
  /** Called with the column that was the active one. */
  readonly changed: (column: number) => void;
}

/** Pins and hides the column of the active cell. */
export function columnBar({ layout, active, changed }: ColumnBarParts): HTMLElement {
  const showAll = button('', () => act(() => layout.showAll()), { hidden: layout.hidden === 0 });
  const act = (change: () => void) => {
    const column = active();
    change();
    tell();
    changed(column);
  };
  const tell = () => {
    showAll.hidden = layout.hidden === 0;
    showAll.textContent = `Show ${layout.hidden} hidden`;
  };
  tell();
  return element(
    'span',
    { class: 'group', role: 'group', 'aria-label': 'Columns' },
    button('Pin column', () => act(() => layout.togglePinned(active())), { title: 'Once more lets it go' }),
    button('Hide column', () => act(() => layout.hide(active()))),
    showAll,
  );
}
