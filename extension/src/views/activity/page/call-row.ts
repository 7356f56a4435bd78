import type { CallDetails } from '@devdb/shared/protocol/activity-methods';
import type { CallRecord } from '@devdb/shared/protocol/call-record';
import { button, element } from '../../page/elements.ts';
import { type DetailsParts, detailsOf } from './call-details.ts';
import { decisionOf, isOpen, measuresOf, verdictOf } from './words.ts';

export interface RowParts extends DetailsParts {
  /** The row was opened or closed. */
  readonly onToggle: (id: string, isOpened: boolean) => void;
}

/** One call in the list: a line that opens into its details, with Stop while it runs. */
export class CallRow {
  readonly element = element('li', { class: 'call' });
  readonly head: HTMLButtonElement;
  readonly #parts: RowParts;
  readonly #body: HTMLDivElement;
  #call: CallRecord;
  #details: CallDetails | undefined;
  #problem = '';

  constructor(call: CallRecord, parts: RowParts) {
    this.#parts = parts;
    this.#call = call;
    const id = `details-${call.id}`;
    this.head = element('button', {
      type: 'button',
      class: 'head',
      'aria-expanded': 'false',
      'aria-controls': id,
      tabindex: '-1',
    });
    this.head.addEventListener('click', () => this.toggle());
    this.#body = element('div', { class: 'details', id, hidden: '' });
    this.element.append(this.head, this.#body);
    this.#draw();
  }

  get call(): CallRecord {
    return this.#call;
  }

  get isOpened(): boolean {
    return !this.#body.hidden;
  }

  /** The call has changed. */
  update(call: CallRecord): void {
    const isNews = JSON.stringify(call) !== JSON.stringify(this.#call);
    this.#call = call;
    if (!isNews) return;
    this.#draw();
    if (this.isOpened) this.#parts.say({ kind: 'details', id: call.id });
  }

  /** Whether the user is asked about its client may have changed. */
  redraw(): void {
    this.#draw();
  }

  toggle(): void {
    this.#body.hidden = this.isOpened;
    this.head.setAttribute('aria-expanded', String(this.isOpened));
    if (this.isOpened) this.#parts.say({ kind: 'details', id: this.#call.id });
    this.#drawDetails();
    this.#parts.onToggle(this.#call.id, this.isOpened);
  }

  tell(details: CallDetails): void {
    this.#details = details;
    this.#problem = '';
    this.#drawDetails();
  }

  complain(problem: string): void {
    this.#problem = problem;
    this.#drawDetails();
  }

  #draw(): void {
    const call = this.#call;
    const { id, title, client, subject, connection, startedAt } = call;
    this.element.dataset['state'] = call.state;
    const decision = decisionOf(call);
    const asked = this.#parts.isAsked(client) ? ['asked each time'] : [];
    const facts = [client, ...asked, ...(connection === undefined ? [] : [connection]), ...measuresOf(call)];
    this.head.replaceChildren(
      element(
        'span',
        { class: 'line' },
        element('span', { class: 'verdict' }, verdictOf(call)),
        element('span', { class: 'title' }, title),
        element('time', { datetime: startedAt }, clockOf(startedAt)),
      ),
      ...(decision === '' ? [] : [element('span', { class: 'decision' }, decision)]),
      ...(subject === '' ? [] : [element('code', { class: 'subject' }, subject)]),
      element('span', { class: 'facts' }, facts.join(' · ')),
    );
    this.element.querySelector('.stop')?.remove();
    if (isOpen(call)) {
      const label = `Stop ${title} by ${client}`;
      this.element.insertBefore(
        button('Stop', () => this.#parts.say({ kind: 'stop', id }), { class: 'stop', 'aria-label': label }),
        this.#body,
      );
    }
    this.#drawDetails();
  }

  #drawDetails(): void {
    if (!this.isOpened) return;
    // What is drawn again while the keyboard is in it keeps the keyboard.
    const held = stopOf(this.#body.querySelector(':focus'));
    this.#body.replaceChildren(...detailsOf(this.#call, this.#details, this.#problem, this.#parts));
    if (held === undefined) return;
    const stops = [...this.#body.querySelectorAll<HTMLElement>('button, [tabindex]')];
    stops.find((stop) => stopOf(stop) === held)?.focus();
  }
}

/** Tells the Tab key's stops apart across drawings: by their texts, of which only that of the choice about the client changes. */
function stopOf(element: Element | null): string | undefined {
  if (element === null) return undefined;
  return element.classList.contains('always') ? 'always' : (element.getAttribute('aria-label') ?? element.textContent);
}

function clockOf(startedAt: string): string {
  const date = new Date(startedAt);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}
