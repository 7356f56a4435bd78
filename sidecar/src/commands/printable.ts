import { stripVTControlCharacters } from 'node:util';

/** Text from a project's files on its way to a terminal, which it must not steer: no escapes, no hidden characters. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
