import * as z from 'zod';
import { once } from '../once.ts';
import { isPlain, isPlainLines, type PlainLines, type PlainText } from '../plain-text.ts';

/** Text for people in a message between two processes. Text that is not plain is refused. */
export const plainField = once(() =>
  z.custom<PlainText>((value) => typeof value === 'string' && isPlain(value), 'one plain line'),
);

/** The same for several lines. */
export const plainLinesField = once(() =>
  z.custom<PlainLines>((value) => typeof value === 'string' && isPlainLines(value), 'plain lines'),
);
