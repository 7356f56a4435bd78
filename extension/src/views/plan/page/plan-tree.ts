import type { CostedNode } from '@devdb/shared/plans';
import { element } from '../../page/elements.ts';
import { openRows, type PlanRow, planRows } from './plan-rows.ts';
import { columnsOf, stepTitle } from './words.ts';

/** A step with this part of the cost stands out. */
const LARGE_SHARE = 0.3;

/** The steps as a tree with columns. Arrow keys go from row to row, open and close; one row is in the order of Tab. */
export class PlanTree {
  readonly view = element('div', { class: 'tree' });
  #rows: readonly PlanRow[] = [];
  #closed = new Set<number>();
  #current = 0;

  show(plan: readonly CostedNode[]): void {
    this.#rows = planRows(plan);
    this.#closed = new Set();
    this.#current = 0;
    this.#draw();
  }

  #draw(): void {
    const columns = columnsOf(this.#rows);
    const head = (title: string, isNumber: boolean): HTMLElement =>
      element('th', { scope: 'col', role: 'columnheader', class: isNumber && 'number' }, title);
    const heads = [head('Step', false), ...columns.map(({ title, isNumber }) => head(title, isNumber))];
    const body = element('tbody', { role: 'rowgroup' });
    for (const row of openRows(this.#rows, this.#closed)) body.append(this.#row(row, columns));
    const table = element(
      'table',
      { role: 'treegrid', 'aria-label': 'Steps of the plan' },
      element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...heads)),
      body,
    );
    body.addEventListener('keydown', (event) => this.#press(event));
    this.view.replaceChildren(table);
  }

  #row(row: PlanRow, columns: ReturnType<typeof columnsOf>): HTMLElement {
    const { id, level, hasChildren, share = 0 } = row;
    const isClosed = this.#closed.has(id);
    const mark = element('span', { class: 'mark', 'aria-hidden': 'true' }, hasChildren ? (isClosed ? '▸' : '▾') : '');
    const step = element('td', { role: 'rowheader', class: 'step' }, mark, stepTitle(row));
    step.style.paddingInlineStart = `${0.5 + 1.2 * (level - 1)}em`;
    const cells = columns.map(({ textOf, isNumber }) =>
      element('td', { role: 'gridcell', class: isNumber && 'number' }, textOf(row)),
    );
    const made = element(
      'tr',
      {
        role: 'row',
        'data-id': id,
        tabindex: id === this.#current ? 0 : -1,
        'aria-level': level,
        'aria-posinset': row.position,
        'aria-setsize': row.siblings,
        'aria-expanded': hasChildren ? String(!isClosed) : undefined,
        class: share >= LARGE_SHARE && 'costly',
      },
      step,
      ...cells,
    );
    mark.addEventListener('click', () => this.#toggle(id));
    made.addEventListener('focus', () => this.#becomeCurrent(id));
    return made;
  }

  #press(event: KeyboardEvent): void {
    const shown = openRows(this.#rows, this.#closed);
    const at = shown.findIndex(({ id }) => id === this.#current);
    const row = shown[at];
    if (row === undefined) return;
    const isOpen = row.hasChildren && !this.#closed.has(row.id);
    const to = {
      ArrowDown: shown[at + 1]?.id,
      ArrowUp: shown[at - 1]?.id,
      Home: shown[0]?.id,
      End: shown.at(-1)?.id,
      ArrowRight: isOpen ? shown[at + 1]?.id : undefined,
      ArrowLeft: isOpen ? undefined : row.parent,
    }[event.key];
    const toggles =
      (event.key === 'ArrowRight' && row.hasChildren && !isOpen) ||
      (event.key === 'ArrowLeft' && isOpen) ||
      (event.key === 'Enter' && row.hasChildren);
    if (to === undefined && !toggles) return;
    event.preventDefault();
    if (toggles) this.#toggle(row.id);
    else if (to !== undefined) this.#focus(to);
  }

  #toggle(id: number): void {
    if (!this.#closed.delete(id)) this.#closed.add(id);
    this.#current = id;
    this.#draw();
    this.#focus(id);
  }

  #focus(id: number): void {
    this.#rowOf(id)?.focus();
  }

  #becomeCurrent(id: number): void {
    const [from, to] = [this.#rowOf(this.#current), this.#rowOf(id)];
    if (from !== undefined) from.tabIndex = -1;
    if (to !== undefined) to.tabIndex = 0;
    this.#current = id;
  }

  #rowOf(id: number): HTMLElement | undefined {
    return this.view.querySelector<HTMLElement>(`[data-id="${id}"]`) ?? undefined;
  }
}
