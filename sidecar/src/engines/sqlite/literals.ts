import type { Literals } from '../literals.ts';
import { quoteName } from './quote.ts';

/** SQLite's text ends at a NUL, which has to be put together. */
export const literals: Literals = {
  name: quoteName,
  text: (text) =>
    text
      .split('\0')
      .map((part) => `'${part.replaceAll("'", "''")}'`)
      .join(' || char(0) || '),
  boolean: (value) => (value ? '1' : '0'),
  binary: (hex) => `x'${hex}'`,
};
