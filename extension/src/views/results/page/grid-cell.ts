import type { VirtualItem } from '@tanstack/virtual-core';
import { element } from '../../page/elements.ts';
import type { Look } from './cells.ts';
import type { RowMark } from './row-marks.ts';

/** Where a column is. */
export type Placed = Pick<VirtualItem, 'index' | 'start' | 'size'>;

export interface ShownCell {
  readonly row: number;
  readonly placed: Placed;
  /** Undefined while its row is not there. */
  readonly look: (Look & { readonly isEdited?: boolean }) | undefined;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  /** Its column refers to another table. */
  readonly isLink: boolean;
  readonly isPinned: boolean;
}

const WAITING = { text: '…', kind: 'waiting', isEdited: false } as const;

/** One cell of the grid. */
export function cellView({ row, placed, look, isActive, isSelected, isLink, isPinned }: ShownCell): HTMLElement {
  const { text, kind, isEdited = false } = look ?? WAITING;
  const marks = [
    isActive ? 'active' : '',
    isSelected ? 'selected' : '',
    isEdited ? 'typed' : '',
    isLink && kind !== 'null' ? 'link' : '',
  ];
  const view = element(
    'div',
    {
      role: 'gridcell',
      id: `cell-${row}-${placed.index}`,
      class: ['cell', kind, ...marks].filter((one) => one !== '').join(' '),
      'aria-colindex': placed.index + 2,
      'aria-selected': String(isSelected),
      'data-row': row,
      'data-column': placed.index,
      title: isEdited ? 'Edited, not applied yet' : undefined,
    },
    text,
  );
  putAt(view, placed, isPinned);
  return view;
}

/** A row without its cells. */
export function rowView(row: number, start: number, mark: RowMark | undefined): HTMLElement {
  const number = element(
    'div',
    { role: 'rowheader', class: 'cell number', 'aria-colindex': 1, title: mark?.label },
    mark === undefined ? '' : element('span', { role: 'img', class: 'mark', 'aria-label': mark.label }, mark.sign),
    (row + 1).toLocaleString('en'),
  );
  const view = element('div', { role: 'row', class: `row ${mark?.kind ?? ''}`, 'aria-rowindex': row + 2 }, number);
  view.style.transform = `translateY(${start}px)`;
  return view;
}

/** A pinned one keeps its place while the others scroll below it. */
export function putAt(view: HTMLElement, { start, size }: Placed, isPinned: boolean): void {
  view.classList.toggle('pinned', isPinned);
  view.style.left = `${start}px`;
  view.style.width = `${size}px`;
}
