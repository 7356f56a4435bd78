import type { Literals } from '../literals.ts';
import { quoteName } from './quote.ts';

/** A backslash escapes unless the session says otherwise, so a text with one is written as its bytes. */
export const literals: Literals = {
  name: quoteName,
  text: (text) =>
    text.includes('\\')
      ? `CONVERT(x'${Buffer.from(text, 'utf8').toString('hex')}' USING utf8mb4)`
      : `'${text.replaceAll("'", "''")}'`,
  boolean: (value) => (value ? '1' : '0'),
  binary: (hex) => `x'${hex}'`,
};
