import type { CallDetails } from '@devdb/shared/protocol/activity-methods';
import type { CallRecord } from '@devdb/shared/protocol/call-record';
import { button, element } from '../../page/elements.ts';
import type { DetailsParts } from './call-details.ts';
import { CallRow } from './call-row.ts';
import { hasText, isOpen } from './words.ts';

/** Rows that are made at first, and with each request for more. */
const PAGE = 100;

/** What the list shows of all calls. */
export const SHOWN = {
  all: 'All calls',
  open: 'Running',
  changed: 'Changes',
  wrong: 'Refused and failed',
} as const;
export type Shown = keyof typeof SHOWN;

export interface ListParts extends DetailsParts {
  readonly onOpened: (ids: readonly string[]) => void;
}

/** The calls, running ones first, then the newest. Arrow keys go from one to the next. */
export class CallList {
  readonly element = element('ul', { class: 'calls', role: 'list', 'aria-label': 'Calls' });
  readonly more: HTMLButtonElement;
  readonly #parts: ListParts;
  readonly #rows = new Map<string, CallRow>();
  #calls: readonly CallRecord[] = [];
  #opened = new Set<string>();
  #text = '';
  #shown: Shown = 'all';
  #most = PAGE;

  constructor(parts: ListParts, opened: readonly string[]) {
    this.#parts = parts;
    this.#opened = new Set(opened);
    const showMore = () => {
      this.#most += PAGE;
      this.draw(this.#calls);
    };
    this.more = button('Show more', showMore, { class: 'more' });
    this.element.addEventListener('keydown', (event) => this.#move(event));
    this.element.addEventListener('focusin', ({ target }) => this.#focused(target));
  }

  /** How many of the calls are on show or behind "Show more". */
  get fitting(): number {
    return this.#fitting().length;
  }

  filter(text: string, shown: Shown): void {
    this.#text = text;
    this.#shown = shown;
    this.#most = PAGE;
    this.draw(this.#calls);
  }

  draw(calls: readonly CallRecord[]): void {
    this.#calls = calls;
    const fitting = this.#fitting();
    const visible = fitting.slice(0, this.#most);
    const ids = new Set(visible.map(({ id }) => id));
    for (const [id, row] of this.#rows) {
      if (ids.has(id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    let at = this.element.firstElementChild;
    for (const call of visible) {
      const row = this.#rowOf(call);
      if (row.element === at) at = at.nextElementSibling;
      else this.element.insertBefore(row.element, at);
    }
    this.more.hidden = fitting.length <= this.#most;
    this.more.textContent = `Show more (${fitting.length - visible.length})`;
    this.#keepOneStop();
  }

  /** Whether the user is asked about a client may have changed. */
  redraw(): void {
    for (const row of this.#rows.values()) row.redraw();
  }

  tell(id: string, details: CallDetails): void {
    this.#rows.get(id)?.tell(details);
  }

  complain(id: string, problem: string): void {
    this.#rows.get(id)?.complain(problem);
  }

  #fitting(): CallRecord[] {
    return this.#calls
      .filter((call) => isIn(call, this.#shown) && hasText(call, this.#text))
      .sort((one, other) => Number(isOpen(other)) - Number(isOpen(one)) || other.number - one.number);
  }

  #rowOf(call: CallRecord): CallRow {
    const known = this.#rows.get(call.id);
    if (known !== undefined) {
      known.update(call);
      return known;
    }
    const row = new CallRow(call, {
      ...this.#parts,
      onToggle: (id, isOpened) => {
        if (isOpened) this.#opened.add(id);
        else this.#opened.delete(id);
        this.#parts.onOpened([...this.#opened]);
      },
    });
    this.#rows.set(call.id, row);
    if (this.#opened.has(call.id)) row.toggle();
    return row;
  }

  #heads(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>('.head')];
  }

  /** One row of the list is in the order of the Tab key. */
  #keepOneStop(): void {
    const heads = this.#heads();
    const current =
      heads.find((head) => head === document.activeElement) ?? heads.find((head) => head.tabIndex === 0) ?? heads[0];
    for (const head of heads) head.tabIndex = head === current ? 0 : -1;
  }

  #focused(target: EventTarget | null): void {
    if (!(target instanceof HTMLElement) || !target.classList.contains('head')) return;
    for (const head of this.#heads()) head.tabIndex = head === target ? 0 : -1;
  }

  #move(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLElement) || !event.target.classList.contains('head')) return;
    const heads = this.#heads();
    const at = heads.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: heads.length - 1 }[event.key];
    const next = to === undefined ? undefined : heads[to];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }
}

function isIn(call: CallRecord, shown: Shown): boolean {
  if (shown === 'open') return isOpen(call);
  if (shown === 'changed') return call.state === 'changed' || call.state === 'asking';
  return shown === 'all' || call.state === 'refused' || call.state === 'failed' || call.state === 'stopped';
}
