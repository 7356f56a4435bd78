import {
  type Envelope,
  encodeEnvelope,
  envelopeText,
  mcpResultPieces,
  type TextForm,
  toMcpResult,
} from './envelope.ts';
import { errorText } from './errors.ts';
import { plain } from './plain-text.ts';
import { withRowsText } from './rows-text.ts';

const meta = { requestId: 'r', timestamp: '2026-01-01T00:00:00.000Z', duration: 1 };
const success = (data: unknown): Envelope => ({ ok: true, type: 'success', data, meta });

test('a field shown raw is the string itself', () => {
  expect(envelopeText(success({ schema: 'CREATE TABLE "t" (a)' }), { as: 'raw', field: 'schema' })).toBe(
    'CREATE TABLE "t" (a)',
  );
});

test('a field shown as JSON is only that value', () => {
  expect(envelopeText(success({ tables: ['a', 'b'] }), { as: 'json', field: 'tables' })).toBe('["a","b"]');
});

test('a remark follows below the text, where the data has one', () => {
  const form = { as: 'raw', field: 'text', note: 'rest' } as const;
  expect(envelopeText(success({ text: 'one\n', rest: 'There is more.' }), form)).toBe('one\n\n\n[There is more.]');
  expect(envelopeText(success({ text: 'one\n' }), form)).toBe('one\n');
  const list = success({ files: ['a'], rest: 'There is more.' });
  expect(envelopeText(list, { as: 'json', field: 'files', note: 'rest' })).toBe('["a"]\n\n[There is more.]');
});

test('everything else is compact JSON of the data', () => {
  expect(envelopeText(success({ rows: [[1]], truncated: false }), { as: 'json' })).toBe(
    '{"rows":[[1]],"truncated":false}',
  );
});

test('an error reads code, message and hint, with one full stop between', () => {
  const error = { code: 'E_SQL', message: plain`near "x": syntax error`, retryable: false } as const;
  expect(errorText(error)).toBe('[E_SQL] near "x": syntax error');
  expect(errorText({ ...error, hint: plain`Mend it.` })).toBe('[E_SQL] near "x": syntax error. Hint: Mend it.');
  expect(errorText({ ...error, message: plain`Done.`, hint: plain`Go.` })).toBe('[E_SQL] Done. Hint: Go.');
});

test('an MCP result carries the envelope, and isError only on errors', () => {
  expect(toMcpResult(success({ a: 1 }), { as: 'json' })).toEqual({
    content: [{ type: 'text', text: '{"a":1}' }],
    structuredContent: success({ a: 1 }),
  });
  const failed: Envelope = {
    ok: false,
    type: 'error',
    error: { code: 'E_TIMEOUT', message: plain`m`, retryable: true },
    meta,
  };
  expect(toMcpResult(failed, { as: 'json' })).toMatchObject({ isError: true, structuredContent: failed });
});

const failure: Envelope = {
  ok: false,
  type: 'error',
  error: { code: 'E_SQL', message: plain`m`, retryable: false },
  meta,
};
const rowsAsText = withRowsText([{ name: 'a "b"', type: 'TEXT' }], '[["é\\n"],[null]]', {
  rowCount: 2,
  truncated: false,
});

test.each<[string, Envelope, TextForm]>([
  ['plain data', success({ a: [1, '"'] }), { as: 'json' }],
  ['one field of it', success({ a: [1, '"'] }), { as: 'json', field: 'a' }],
  ['a field as it is', success({ a: 'x\ny' }), { as: 'raw', field: 'a' }],
  ['rows that are text', success(rowsAsText), { as: 'json' }],
  ['rows briefly', success(rowsAsText), { as: 'rows' }],
  [
    'several answers',
    success({
      answers: [
        { query: 1, ...rowsAsText },
        { query: 2, error: {} },
      ],
    }),
    { as: 'answers' },
  ],
  ['the rows alone', success(rowsAsText), { as: 'json', field: 'rows' }],
  ['an error', failure, { as: 'json' }],
])('encodes %s like the encoded value', (_what, envelope, form) => {
  expect(encodeEnvelope(envelope)).toBe(JSON.stringify(envelope));
  expect(mcpResultPieces(envelope, form).join('')).toBe(JSON.stringify(toMcpResult(envelope, form)));
});
