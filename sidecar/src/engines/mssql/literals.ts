import type { Literals } from '../literals.ts';
import { literal, quoteName } from './quote.ts';

export const literals: Literals = {
  name: quoteName,
  text: literal,
  boolean: (value) => (value ? '1' : '0'),
  binary: (hex) => `0x${hex}`,
};
