import { nameText, type PlainText, plain } from './plain-text.ts';

/** What a client is shown as that gives no name. */
export const UNNAMED_CLIENT = plain`(no name)`;

/** What a client calls itself, as it is shown. None can take the place of those without a name. */
export function clientNameText(given: string | undefined): PlainText {
  if (given === undefined || given.trim() === '') return UNNAMED_CLIENT;
  const name = nameText(given);
  return clientKey(name) === clientKey(UNNAMED_CLIENT) ? plain`"${name}"` : name;
}

/** Equal for names that people would take for the same. */
export function clientKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
