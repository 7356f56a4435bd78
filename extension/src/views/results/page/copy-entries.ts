import type { MenuEntry } from '../../page/menu.ts';
import type { CopyForm } from '../page-messages.ts';

const FORMS = [
  ['tsv', 'TSV'],
  ['csv', 'CSV'],
  ['json', 'JSON'],
  ['insert', 'INSERT'],
  ['markdown', 'Markdown'],
] as const satisfies readonly (readonly [CopyForm, string])[];

/** Copies what is selected in a form of its user's choice. */
export function copyEntries(copy: (form: CopyForm) => void): readonly MenuEntry[] {
  return FORMS.map(([form, name], at) => ({
    label: `Copy as ${name}`,
    act: () => copy(form),
    ...(at === 0 ? { keys: 'Ctrl+C' } : {}),
  }));
}
