import { type Envelope, envelopeText, errorText, toMcpResult } from './envelope.ts';

const meta = { requestId: 'r', timestamp: '2026-01-01T00:00:00.000Z', duration: 1 };
const success = (data: unknown): Envelope => ({ ok: true, type: 'success', data, meta });

test('a field shown raw is the string itself', () => {
  expect(envelopeText(success({ schema: 'CREATE TABLE "t" (a)' }), { as: 'raw', field: 'schema' })).toBe(
    'CREATE TABLE "t" (a)',
  );
});

test('a field shown as JSON is that value alone', () => {
  expect(envelopeText(success({ tables: ['a', 'b'] }), { as: 'json', field: 'tables' })).toBe('["a","b"]');
});

test('everything else is compact JSON of the data', () => {
  expect(envelopeText(success({ rows: [[1]], truncated: false }), { as: 'json' })).toBe(
    '{"rows":[[1]],"truncated":false}',
  );
});

test('an error reads code, message and hint, with one full stop between', () => {
  const error = { code: 'E_SQL', message: 'near "x": syntax error', retryable: false } as const;
  expect(errorText(error)).toBe('[E_SQL] near "x": syntax error');
  expect(errorText({ ...error, hint: 'Mend it.' })).toBe('[E_SQL] near "x": syntax error. Hint: Mend it.');
  expect(errorText({ ...error, message: 'Done.', hint: 'Go.' })).toBe('[E_SQL] Done. Hint: Go.');
});

test('an MCP result carries the envelope, and isError only on errors', () => {
  expect(toMcpResult(success({ a: 1 }), { as: 'json' })).toEqual({
    content: [{ type: 'text', text: '{"a":1}' }],
    structuredContent: success({ a: 1 }),
  });
  const failed: Envelope = {
    ok: false,
    type: 'error',
    error: { code: 'E_TIMEOUT', message: 'm', retryable: true },
    meta,
  };
  expect(toMcpResult(failed, { as: 'json' })).toMatchObject({ isError: true, structuredContent: failed });
});
