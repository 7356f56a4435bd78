import { plain } from '@devdb/shared/plain-text';
import type { CallRecord } from '@devdb/shared/protocol/call-record';
import { askedSentence, decisionOf, hasText, measuresOf, newsOf } from './words.ts';

const CALL: CallRecord = {
  id: 'a',
  number: 1,
  tool: plain`run-query`,
  title: plain`Run a query`,
  client: plain`Claude Code`,
  door: 'rest',
  root: '/shop',
  startedAt: '2026-01-01T00:00:00.000Z',
  subject: plain`SELECT 1`,
  connection: plain`shop.db`,
  state: 'read',
  decisions: [],
};

const call = (change: Partial<CallRecord>): CallRecord => ({ ...CALL, ...change });

test.each<[Partial<CallRecord>, string]>([
  [{}, ''],
  [{ state: 'running' }, ''],
  [{ state: 'changed' }, 'No question was needed'],
  [{ state: 'changed', decisions: [{ by: 'editor', answer: 'once' }] }, 'You allowed it'],
  [
    { state: 'changed', decisions: [{ by: 'client', answer: 'session' }] },
    'You allowed it for this session, in Claude Code',
  ],
  [{ state: 'changed', decisions: [{ by: 'earlier', answer: 'session' }] }, 'You allowed it for this session'],
  [
    {
      state: 'changed',
      decisions: [
        { by: 'client', answer: 'none' },
        { by: 'editor', answer: 'once' },
      ],
    },
    'You allowed it',
  ],
  [{ state: 'refused', code: 'E_APPROVAL_DENIED', decisions: [{ by: 'editor', answer: 'no' }] }, 'You said no'],
  [
    { state: 'refused', code: 'E_APPROVAL_DENIED', decisions: [{ by: 'client', answer: 'no' }] },
    'You said no, in Claude Code',
  ],
  [
    { state: 'refused', code: 'E_APPROVAL_DENIED', decisions: [{ by: 'editor', answer: 'none' }] },
    'The question got no answer',
  ],
  [{ state: 'refused', code: 'E_APPROVAL_DENIED' }, 'Changes are switched off'],
  [{ state: 'refused', code: 'E_CONFIRMATION_REQUIRED' }, 'No user could be asked'],
  [{ state: 'stopped', code: 'E_CANCELLED' }, 'You stopped it'],
  [{ state: 'failed', code: 'E_SQL' }, 'E_SQL'],
  [{ state: 'failed', code: 'E_UNREACHABLE' }, 'DevDB ended before it did'],
])('%j reads as %j', (change, told) => {
  expect(decisionOf(call(change))).toBe(told);
});

test.each<[Partial<CallRecord>, readonly string[]]>([
  [{}, []],
  [{ rows: 1, ms: 0.4 }, ['1 row', '< 1 ms']],
  [{ rows: 1_500, truncated: true, ms: 999.4 }, ['first 1,500 rows', '999 ms']],
  [{ changedRows: 3, rows: 0, ms: 61_000 }, ['3 rows changed', '1 min 1 s']],
  [{ changedRows: 1, rows: 1, ms: 1_260 }, ['1 row changed', '1 row', '1.3 s']],
  [{ ms: 59_970 }, ['60.0 s']],
])('%j is measured as %j', (change, told) => {
  expect(measuresOf(call(change))).toEqual(told);
});

test('a screen reader hears of several calls in one sentence', () => {
  expect(newsOf([])).toBe('');
  expect(newsOf([CALL])).toBe('Run a query by Claude Code: Read.');
  const refused = call({ state: 'refused', decisions: [{ by: 'editor', answer: 'no' }] });
  expect(newsOf([CALL, refused])).toBe('2 calls. The last: Run a query by Claude Code: Refused, You said no.');
});

test('a client goes by the name it gives itself, and one without a name is called that', () => {
  expect(askedSentence('evil')).toBe('You are asked before each call of the client that calls itself “evil”.');
  expect(askedSentence('(no name)')).toBe('You are asked before each call of clients that give no name.');
});

test('a call is found by anything that the list shows of it, in any case', () => {
  for (const text of ['', 'select', 'CLAUDE', 'shop.db', 'run-query', 'read']) expect(hasText(CALL, text)).toBe(true);
  expect(hasText(CALL, 'nothing')).toBe(false);
});
