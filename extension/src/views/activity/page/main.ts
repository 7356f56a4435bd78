import type { FromActivityPage, ToActivityPage } from '@devdb/shared/protocol/activity-page';
import type { CallRecord } from '@devdb/shared/protocol/call-record';
import { button, element } from '../../page/elements.ts';
import { Announcer } from './announcer.ts';
import { AskedClients } from './asked-clients.ts';
import { CallList, SHOWN, type Shown } from './call-list.ts';
import { isOpen } from './words.ts';

/** What survives while the view is hidden. */
interface Remembered {
  readonly text: string;
  readonly shown: Shown;
  readonly opened: readonly string[];
}

declare function acquireVsCodeApi(): {
  postMessage(message: FromActivityPage): void;
  getState(): Remembered | undefined;
  setState(state: Remembered): void;
};

const editor = acquireVsCodeApi();
const say = (message: FromActivityPage) => editor.postMessage(message);
let remembered: Remembered = editor.getState() ?? { text: '', shown: 'all', opened: [] };
const remember = (change: Partial<Remembered>) => {
  remembered = { ...remembered, ...change };
  editor.setState(remembered);
};

const calls = new Map<string, CallRecord>();
let hasCalls = false;
const asked = new AskedClients(say);
const list = new CallList(
  { say, isAsked: (client) => asked.has(client), onOpened: (opened) => remember({ opened }) },
  remembered.opened,
);
const status = element('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
const announcer = new Announcer(status);
const summary = element('p', { class: 'summary' });
const search = element('input', { type: 'search', placeholder: 'Filter', 'aria-label': 'Filter calls' });
const choice = element(
  'select',
  { 'aria-label': 'Which calls' },
  ...Object.entries(SHOWN).map(([value, label]) => element('option', { value }, label)),
);
const nothing = element('p', { class: 'note', hidden: '' }, 'No call fits the filter.');
const welcome = element(
  'div',
  { class: 'welcome', hidden: '' },
  element('p', {}, 'No agent has called yet.'),
  element(
    'p',
    { class: 'note' },
    'Each call appears here as it happens: what it asked for, in which database, who allowed it, and what came back. You can stop one that runs.',
  ),
  button('Connect an agent', () => say({ kind: 'setUp' }), { class: 'primary' }),
);
const bar = element(
  'div',
  { class: 'bar' },
  element('div', { class: 'filter', role: 'search' }, search, choice),
  summary,
);

function draw(): void {
  const all = [...calls.values()];
  list.draw(all);
  const running = all.filter(isOpen).length;
  const asking = all.filter(({ state }) => state === 'asking').length;
  const parts = [
    ...(running > asking ? [`${running - asking} running`] : []),
    ...(asking > 0 ? [`${asking} waiting for an answer`] : []),
    all.length === 1 ? '1 call' : `${all.length.toLocaleString('en')} calls`,
  ];
  summary.textContent = parts.join(' · ');
  const isEmpty = hasCalls && all.length === 0;
  welcome.hidden = !isEmpty;
  bar.hidden = all.length === 0;
  nothing.hidden = all.length === 0 || list.fitting > 0;
}

function filter(): void {
  const shown = Object.keys(SHOWN).includes(choice.value) ? readShown(choice.value) : 'all';
  remember({ text: search.value, shown });
  list.filter(search.value, shown);
  draw();
}

function readShown(value: string): Shown {
  if (value === 'open' || value === 'changed' || value === 'wrong') return value;
  return 'all';
}

function hear(message: ToActivityPage): void {
  if (message.kind === 'details') list.tell(message.id, message.details);
  if (message.kind === 'problem') list.complain(message.id, message.message);
  if (message.kind === 'alwaysAsk') {
    asked.show(message.clients);
    list.redraw();
  }
  if (message.kind !== 'calls') return;
  if (message.isWhole) calls.clear();
  for (const call of message.calls) calls.set(call.id, call);
  if (!message.isWhole) announcer.add(message.calls);
  hasCalls = true;
  draw();
}

search.value = remembered.text;
choice.value = remembered.shown;
search.addEventListener('input', filter);
choice.addEventListener('change', filter);
addEventListener('message', (event: MessageEvent<ToActivityPage>) => hear(event.data));
document.querySelector('main')?.append(asked.element, bar, welcome, list.element, nothing, list.more, status);
list.filter(search.value, remembered.shown);
draw();
say({ kind: 'ready' });
