import type { Literals } from '../literals.ts';
import { literal, quoteName } from './quote.ts';

export const literals: Literals = {
  name: quoteName,
  text: literal,
  boolean: String,
  binary: (hex) => `decode('${hex}', 'hex')`,
};
