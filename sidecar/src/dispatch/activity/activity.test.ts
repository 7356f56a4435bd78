import { plain } from '@devdb/shared/plain-text';
import { MAX_KEPT_CALL_BYTES, MAX_KEPT_CALLS } from '../limits.ts';
import { Activity, type RecordedCall } from './activity.ts';

function begin(activity: Activity, id: string, input: unknown = { query: 'SELECT 1' }): RecordedCall {
  return activity.begin({
    id,
    tool: 'run-query',
    title: 'Run a query',
    door: 'mcp',
    client: plain`agent`,
    root: '/p',
    arrived: new Date(0),
    input,
  });
}

const OK = { ms: 1, data: { rowCount: 0 } };

test('a call is listed from its beginning, and its end is added to it', () => {
  const activity = new Activity();
  const call = begin(activity, 'a');
  expect(activity.list()).toMatchObject([{ id: 'a', state: 'running', subject: 'SELECT 1', client: 'agent' }]);
  call.uses({ id: 'sqlite:shop', name: plain`shop`, kind: 'sqlite' });
  call.end({ ms: 2.5, data: { columns: [{ name: 'n', type: '' }], rows: [[1]], rowCount: 1, truncated: true } });
  expect(activity.list()).toMatchObject([
    { id: 'a', state: 'read', connection: 'shop', rows: 1, truncated: true, ms: 2.5 },
  ]);
  expect(activity.details('a')).toEqual({
    statement: 'SELECT 1',
    databaseId: 'sqlite:shop',
    result: { columns: ['n'], rows: [[1]] },
  });
});

test('what is reported after the end changes nothing', () => {
  const activity = new Activity();
  const call = begin(activity, 'a');
  call.end(OK);
  const changed: string[] = [];
  activity.watch((id) => changed.push(id));
  call.asking(true);
  call.end({ ms: 9, error: { code: 'E_SQL', message: plain`late`, retryable: false } });
  expect([activity.list()[0]?.state, changed]).toEqual(['read', []]);
});

test('changes are distinguished from reads, and who answered is kept', () => {
  const activity = new Activity();
  const call = begin(activity, 'a', { query: 'DELETE FROM t' });
  call.asking(true);
  expect(activity.list()).toMatchObject([{ state: 'asking' }]);
  call.asking(false);
  call.decided({ by: 'editor', answer: 'once' });
  call.changes();
  call.end({ ms: 1, data: { rowCount: 0, affectedRows: 3 } });
  expect(activity.list()).toMatchObject([
    { state: 'changed', changedRows: 3, decisions: [{ by: 'editor', answer: 'once' }] },
  ]);
});

test.each([
  ['E_APPROVAL_DENIED', 'refused'],
  ['E_CONFIRMATION_REQUIRED', 'refused'],
  ['E_READ_ONLY', 'refused'],
  ['E_SQL', 'failed'],
  ['E_CANCELLED', 'failed'],
] as const)('a call that ends with %s was %s', (code, state) => {
  const activity = new Activity();
  begin(activity, 'a').end({ ms: 1, error: { code, message: plain`Why.`, retryable: false } });
  expect(activity.list()).toMatchObject([{ state, code }]);
  expect(activity.details('a').error).toEqual({ code, message: 'Why.' });
});

test('a person can stop a call that runs, with a reason the agent reads, but none that has ended', () => {
  const activity = new Activity();
  const call = begin(activity, 'a');
  const reasons: unknown[] = [];
  call.stoppable((reason) => reasons.push(reason));
  expect(activity.stop('a')).toBe(true);
  expect(reasons).toMatchObject([{ code: 'E_CANCELLED', message: 'A person stopped this call in the editor.' }]);
  call.end({ ms: 1, error: { code: 'E_CANCELLED', message: plain`Stopped.`, retryable: true } });
  expect(activity.list()).toMatchObject([{ state: 'stopped' }]);
  expect([activity.stop('a'), activity.stop('unknown')]).toEqual([false, false]);
});

test('a call that a person stopped too late is shown as it ended', () => {
  const activity = new Activity();
  const call = begin(activity, 'a');
  call.stoppable(() => undefined);
  activity.stop('a');
  call.end(OK);
  expect(activity.list()).toMatchObject([{ state: 'read' }]);
});

test('the oldest ended calls make room, and a running one stays however many follow', () => {
  const activity = new Activity();
  begin(activity, 'running');
  for (let n = 0; n < MAX_KEPT_CALLS + 10; n += 1) begin(activity, `call ${n}`).end(OK);
  const ids = activity.list().map(({ id }) => id);
  expect(ids).toHaveLength(MAX_KEPT_CALLS);
  expect([ids[0], ids[1], ids.at(-1)]).toEqual(['running', 'call 11', `call ${MAX_KEPT_CALLS + 9}`]);
  expect(() => activity.details('call 0')).toThrow(expect.objectContaining({ code: 'E_NOT_FOUND' }));
});

test('long statements are bounded in bytes together', () => {
  const activity = new Activity();
  const query = `SELECT '${'x'.repeat(MAX_KEPT_CALL_BYTES / 10)}'`;
  for (let n = 0; n < 20; n += 1) begin(activity, `call ${n}`, { query }).end(OK);
  expect(activity.list().length).toBeGreaterThan(5);
  expect(activity.list().length).toBeLessThan(10);
});

test('calls of an earlier window stand before those of this one, once, and go first', () => {
  const before = new Activity();
  for (const id of ['a', 'b', 'c']) begin(before, id, { query: `SELECT '${id}' -- secret` }).end(OK);
  const activity = new Activity();
  begin(activity, 'c').end(OK);
  activity.restore(before.whole(false));
  expect(activity.list()).toMatchObject([
    { id: 'a', isEarlier: true, subject: "SELECT '?'" },
    { id: 'b', isEarlier: true },
    { id: 'c', subject: 'SELECT 1' },
  ]);
  expect(activity.whole(false).map(({ details }) => details.statement)).toEqual([
    "SELECT '?'  ",
    "SELECT '?'  ",
    'SELECT ?',
  ]);
});
