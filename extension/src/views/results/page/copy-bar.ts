import { button, element, select } from '../../page/elements.ts';
import type { CopyForm } from '../page-messages.ts';

const FORMS = [
  ['tsv', 'TSV'],
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['insert', 'INSERT'],
  ['markdown', 'Markdown'],
] as const satisfies readonly (readonly [CopyForm, string])[];

/** Copies what is selected in a form of its user's choice. */
export function copyBar(copy: (form: CopyForm) => void): HTMLElement {
  const forms = select('Copy as', FORMS);
  return element(
    'span',
    { class: 'group' },
    button('Copy', () => copy((FORMS.find(([form]) => form === forms.value) ?? FORMS[0])[0])),
    forms,
  );
}
