import type { AdvisedFlag } from '@devdb/shared/plans';
import { button, element } from '../../page/elements.ts';
import type { FromPlanPage } from '../page-messages.ts';
import { FLAG_TITLES } from './words.ts';

/** The warnings about a plan, with what helps. */
export function flagList(flags: readonly AdvisedFlag[], say: (message: FromPlanPage) => void): HTMLElement {
  const items = flags.map(({ flag, table, message, createIndex }, at) => {
    const title = table === undefined ? FLAG_TITLES[flag] : `${FLAG_TITLES[flag]}: ${table}`;
    return element(
      'li',
      { class: 'flag' },
      element('h2', {}, title),
      element('p', {}, message),
      ...(createIndex === undefined ? [] : [indexBox(createIndex, at, say)]),
    );
  });
  const none = 'Nothing in this plan is worth a warning.';
  return element(
    'section',
    { class: 'flags', 'aria-label': 'Warnings' },
    flags.length === 0 ? element('p', { class: 'note' }, none) : element('ul', {}, ...items),
  );
}

function indexBox(createIndex: string, flag: number, say: (message: FromPlanPage) => void): HTMLElement {
  return element(
    'div',
    { class: 'index' },
    element('code', {}, createIndex),
    button('Copy CREATE INDEX', () => say({ kind: 'copy-index', flag })),
    button('Open in an editor', () => say({ kind: 'open-index', flag })),
  );
}
