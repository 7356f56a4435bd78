import { clientKey } from '@devdb/shared/client-name';
import type { FromActivityPage } from '@devdb/shared/protocol/activity-page';
import { button, element } from '../../page/elements.ts';
import { askedSentence } from './words.ts';

/** The clients about whose every call the user is asked, above the list: also those that have not called yet. */
export class AskedClients {
  readonly element = element('section', {
    class: 'asked',
    'aria-label': 'Clients you are always asked about',
    hidden: '',
  });
  readonly #say: (message: FromActivityPage) => void;
  #keys: ReadonlySet<string> = new Set();

  constructor(say: (message: FromActivityPage) => void) {
    this.#say = say;
  }

  show(names: readonly string[]): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.#keys = new Set(names.map(clientKey));
    this.element.hidden = names.length === 0;
    this.element.replaceChildren(element('ul', {}, ...names.map((name) => this.#item(name))));
    if (hadFocus) this.element.querySelector('button')?.focus();
  }

  has(client: string): boolean {
    return this.#keys.has(clientKey(client));
  }

  #item(client: string): HTMLElement {
    const end = () => this.#say({ kind: 'alwaysAsk', client, on: false });
    const sentence = askedSentence(client);
    return element('li', {}, sentence, ' ', button('Stop asking', end, { 'aria-label': `Stop asking. ${sentence}` }));
  }
}

/** In a call's details: begins or ends being asked about its client. */
export function askedSection(client: string, isAsked: boolean, say: (message: FromActivityPage) => void): HTMLElement {
  const choose = () => say({ kind: 'alwaysAsk', client, on: !isAsked });
  const note = isAsked
    ? `${askedSentence(client)} Without a yes they do not run.`
    : 'You are then asked before each call of this client, reads included.';
  const claim = 'The name is what the client calls itself: another client can use it, and this one another name.';
  return element(
    'section',
    {},
    element(
      'div',
      { class: 'actions' },
      button(isAsked ? 'Stop asking' : 'Always ask for this client', choose, { class: 'always' }),
    ),
    element('p', { class: 'note' }, `${note} ${claim}`),
  );
}
