import type { CallDetails } from '@devdb/shared/protocol/activity-methods';
import type { FromActivityPage } from '@devdb/shared/protocol/activity-page';
import type { CallRecord } from '@devdb/shared/protocol/call-record';
import { button, element } from '../../page/elements.ts';
import { askedSection } from './asked-clients.ts';
import { factsOf, hasPlan } from './words.ts';

/** What a click in the details does, and what is known beside the call. */
export interface DetailsParts {
  readonly say: (message: FromActivityPage) => void;
  /** Whether the user is asked about every call of the client. */
  readonly isAsked: (client: string) => boolean;
}

type Result = NonNullable<CallDetails['result']>;

/** What one call asked for and got. */
export function detailsOf(
  call: CallRecord,
  details: CallDetails | undefined,
  problem: string,
  { say, isAsked }: DetailsParts,
): Node[] {
  const { id, title } = call;
  const { statement, databaseId, input, result, error } = details ?? {};
  const asked = statement ?? input;
  const name = statement === undefined ? 'Input' : 'Statement';
  return [
    ...(problem === '' ? [] : [element('p', { class: 'problem', role: 'alert' }, problem)]),
    ...(error === undefined ? [] : [errorBox(error)]),
    ...(asked === undefined ? [] : [textBox(name, `${name} of ${title}`, asked)]),
    ...(asked === undefined
      ? []
      : [
          element(
            'div',
            { class: 'actions' },
            button(`Copy ${name.toLowerCase()}`, () => say({ kind: 'copy', id })),
            ...(statement === undefined ? [] : statementButtons(call, databaseId !== undefined, say)),
          ),
        ]),
    ...(result === undefined ? [] : [resultTable(result, call)]),
    factList(call),
    askedSection(call.client, isAsked(call.client), say),
  ];
}

/** A statement from before a reload is there without its values, and runs nowhere. */
function statementButtons(
  { id, tool }: CallRecord,
  hasDatabase: boolean,
  say: (message: FromActivityPage) => void,
): HTMLElement[] {
  const open = button(hasDatabase ? 'Re-run in the editor' : 'Open in editor', () => say({ kind: 'open', id }));
  return hasDatabase && hasPlan(tool) ? [button('Show plan', () => say({ kind: 'plan', id })), open] : [open];
}

function errorBox({ code, message, hint }: NonNullable<CallDetails['error']>): HTMLElement {
  return element(
    'div',
    { class: 'error' },
    element('p', {}, element('strong', {}, code), ` ${message}`),
    ...(hint === undefined ? [] : [element('p', { class: 'note' }, `Hint to the agent: ${hint}`)]),
  );
}

function textBox(name: string, label: string, text: string): HTMLElement {
  const box = element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, text);
  return element('section', {}, element('h2', {}, name), box);
}

function resultTable({ columns, rows }: Result, { rows: total = rows.length }: CallRecord): HTMLElement {
  const title = rows.length < total ? `First ${rows.length} of ${total.toLocaleString('en')} rows` : 'Rows';
  const table = element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...columns.map((column) => element('th', { scope: 'col' }, column)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(cellOf)))),
  );
  const box = element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': title }, table);
  return element('section', {}, element('h2', {}, title), box);
}

/** NULL is unlike an empty text. */
function cellOf(cell: Result['rows'][number][number]): HTMLElement {
  if (cell === null) return element('td', { class: 'null' }, 'NULL');
  return element('td', {}, typeof cell === 'string' ? cell : JSON.stringify(cell));
}

function factList(call: CallRecord): HTMLElement {
  const facts = factsOf(call, new Date(call.startedAt).toLocaleString());
  const earlier = 'From before the window was reloaded: values were not kept.';
  return element(
    'section',
    {},
    element('dl', {}, ...facts.flatMap(([label, value]) => [element('dt', {}, label), element('dd', {}, value)])),
    ...(call.isEarlier === true ? [element('p', { class: 'note' }, earlier)] : []),
  );
}
