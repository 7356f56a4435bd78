import { RECORDED_BYTES, RECORDED_EVENTS } from './limits.ts';
import { SessionRecord } from './session-record.ts';

let changes = 0;

function recorded(): SessionRecord {
  let [count, time] = [0, 0];
  changes = 0;
  return new SessionRecord({
    facts: { id: 's', name: 'app.js', type: 'node' },
    count: () => {
      count += 1;
      return count;
    },
    now: () => {
      time += 5;
      return time;
    },
    onChange: () => {
      changes += 1;
    },
  });
}

const event = (name: string, body: object = {}) => ({ type: 'event', seq: 1, event: name, body });
const request = (seq: number, command: string, args: object = {}) => ({
  type: 'request',
  seq,
  command,
  arguments: args,
});
const response = (request_seq: number, command: string, success = true, body: object = {}) => ({
  type: 'response',
  seq: 1,
  request_seq,
  command,
  success,
  body,
});

test('a stop holds until the program runs on, and a stop that comes before the answer is the new one', () => {
  const record = recorded();
  expect(record.stop).toBeUndefined();
  record.fromAdapter(event('stopped', { reason: 'breakpoint', threadId: 3 }));
  const first = record.stop;
  expect(first).toMatchObject({ reason: 'breakpoint', threadId: 3 });
  expect(record.stopOf(3)).toBe(first);
  expect(record.stopOf(4)).toBeUndefined();
  record.toAdapter(request(1, 'next', { threadId: 3 }));
  expect(record.stop).toBeUndefined();
  record.fromAdapter(event('stopped', { reason: 'step', threadId: 3 }));
  record.fromAdapter(response(1, 'next'));
  expect(record.stop).toMatchObject({ reason: 'step' });
  expect(record.stop?.at).toBeGreaterThan(first?.at ?? 0);
  record.fromAdapter(event('continued', { threadId: 3 }));
  expect(record.stop).toBeUndefined();
});

test('a step that the adapter refuses leaves the program where it stands', () => {
  const record = recorded();
  record.fromAdapter(event('stopped', { reason: 'pause', threadId: 1 }));
  const { stop } = record;
  record.toAdapter(request(1, 'stepOut', { threadId: 1 }));
  record.fromAdapter(response(1, 'stepOut', false));
  expect(record.stop).toBe(stop);
});

test('all threads stand with one where the adapter says so, and one that runs on leaves the others where it does not', () => {
  const record = recorded();
  record.fromAdapter(event('stopped', { reason: 'breakpoint', threadId: 1, allThreadsStopped: true }));
  expect(record.stopOf(9)).toMatchObject({ threadId: 1 });
  record.toAdapter(request(1, 'continue', { threadId: 1 }));
  expect(record.stopOf(9)).toBeUndefined();
  record.fromAdapter(event('stopped', { reason: 'breakpoint', threadId: 1 }));
  record.fromAdapter(event('stopped', { reason: 'breakpoint', threadId: 2 }));
  record.toAdapter(request(2, 'next', { threadId: 2 }));
  expect(record.stop).toMatchObject({ threadId: 1 });
});

test('what was learned at one stop does not hold at the next', () => {
  const record = recorded();
  const { epoch } = record;
  record.fromAdapter(event('stopped', { reason: 'breakpoint', threadId: 1 }));
  expect(record.epoch).toBe(epoch);
  record.toAdapter(request(1, 'continue', { threadId: 1 }));
  expect(record.epoch).toBeGreaterThan(epoch);
});

test("a failed launch is reported in the adapter's own words", () => {
  const record = recorded();
  record.toAdapter(request(1, 'launch'));
  const error = { error: { id: 1, format: 'No {what} here', variables: { what: 'program' } } };
  record.fromAdapter(response(1, 'launch', false, error));
  expect([record.launched, record.launchFailure]).toEqual([false, 'No program here']);
});

test('an adapter that breaks is a fault, and one that is cut off at the end is not', () => {
  const broken = recorded();
  broken.fail('It crashed.');
  expect(broken.fault).toBe('It crashed.');
  const ended = recorded();
  ended.fromAdapter(event('terminated'));
  ended.fail('read error');
  expect(ended.fault).toBeUndefined();
  const stopped = recorded();
  stopped.toAdapter(request(1, 'disconnect'));
  stopped.fail('read error');
  expect(stopped.fault).toBeUndefined();
});

test('breakpoints are where the adapter puts them, also when it does so later', () => {
  const record = recorded();
  const args = { source: { path: '/p/a.js' }, breakpoints: [{ line: 2 }, { line: 8 }] };
  record.toAdapter(request(1, 'setBreakpoints', args));
  const bound = [
    { id: 1, verified: false, message: 'not yet' },
    { id: 2, verified: true, line: 9 },
  ];
  record.fromAdapter(response(1, 'setBreakpoints', true, { breakpoints: bound }));
  expect(record.breakpoints.find('/p/a.js', 2)).toMatchObject({ verified: false, message: 'not yet' });
  expect(record.breakpoints.boundTo('/p/a.js', 9)).toMatchObject({ asked: 8 });
  record.fromAdapter(event('breakpoint', { reason: 'changed', breakpoint: { id: 1, verified: true, line: 3 } }));
  expect(record.breakpoints.find('/p/a.js', 2)).toMatchObject({ verified: true, line: 3 });
});

test('an exception is reported once per stop, however often it is asked about', () => {
  const record = recorded();
  record.fromAdapter(event('stopped', { reason: 'exception', threadId: 1 }));
  for (const seq of [1, 2]) {
    record.toAdapter(request(seq, 'exceptionInfo'));
    record.fromAdapter(response(seq, 'exceptionInfo', true, { exceptionId: 'Error', description: 'Error: boom' }));
  }
  expect([...record.events].filter(({ kind }) => kind === 'exception')).toMatchObject([{ text: 'Error: boom' }]);
});

test('where a thread stands is known from any answer about its stack, until something moves', () => {
  const record = recorded();
  let seq = 0;
  const ask = (args: object) => {
    seq += 1;
    record.toAdapter(request(seq, 'stackTrace', args));
    return seq;
  };
  const answer = (to: number, line: number) =>
    record.fromAdapter(response(to, 'stackTrace', true, { stackFrames: [{ id: 7, name: 'main', line, column: 1 }] }));
  const stop = (reason: string) => record.fromAdapter(event('stopped', { reason, threadId: 1 }));
  stop('breakpoint');
  answer(ask({ threadId: 1, startFrame: 1, levels: 19 }), 99);
  expect(record.topFrames.of(1)).toBeUndefined();
  answer(ask({ threadId: 1, levels: 1 }), 3);
  expect(record.topFrames.of(1)).toMatchObject({ id: 7, line: 3 });
  expect(record.topFrames.of(2)).toBeUndefined();
  record.fromAdapter(event('invalidated', { areas: ['stacks'] }));
  expect(record.topFrames.of(1)).toBeUndefined();
  const late = ask({ threadId: 1 });
  record.toAdapter(request(90, 'next', { threadId: 1 }));
  stop('step');
  answer(late, 3);
  expect(record.topFrames.of(1)).toBeUndefined();
  answer(ask({ threadId: 1 }), 4);
  // A breakpoint that evaluating has come to: the program stands elsewhere without having been let run on.
  stop('breakpoint');
  expect(record.topFrames.of(1)).toBeUndefined();
  answer(ask({ threadId: 1 }), 5);
  record.toAdapter(request(91, 'continue', { threadId: 1 }));
  expect(record.topFrames.of(1)).toBeUndefined();
});

test('a program that prints without end fills no more than the record', () => {
  const record = recorded();
  const line = 'x'.repeat(10_000);
  for (let at = 0; at < 2 * RECORDED_EVENTS; at += 1) record.fromAdapter(event('output', { output: `${at} ${line}` }));
  const kept = [...record.events];
  const bytes = kept.reduce((sum, { text }) => sum + 2 * text.length, 0);
  expect(bytes).toBeLessThanOrEqual(RECORDED_BYTES);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.at(-1)?.text).toMatch(new RegExp(`^${2 * RECORDED_EVENTS - 1} x+… \\(\\d+ characters\\)$`));
  expect(record.dropped).toBeGreaterThan(RECORDED_EVENTS);
});

test('the end is reported once, nothing is paused any more, and nonsense is ignored', () => {
  const record = recorded();
  record.fromAdapter(event('stopped', { reason: 'breakpoint', threadId: 1 }));
  for (const nonsense of [undefined, 3, {}, event('stopped', { threadId: 'x' }), { type: 'response' }, event('output')])
    record.fromAdapter(nonsense);
  expect(record.stop).toBeDefined();
  record.end();
  const told = changes;
  record.end();
  expect(changes).toBe(told);
  expect([record.stop, record.endedAt === undefined]).toEqual([undefined, false]);
});

test('how long the adapter takes is measured by command', () => {
  const record = recorded();
  record.toAdapter(request(1, 'evaluate'));
  record.fromAdapter(response(1, 'evaluate'));
  record.toAdapter(request(2, 'evaluate'));
  record.fromAdapter(response(2, 'evaluate', false));
  expect(record.times.get('evaluate')).toMatchObject({ count: 2, failed: 1 });
  expect(record.times.get('evaluate')?.mostMs).toBeGreaterThan(0);
});

test('messages count without the parts that an adapter may leave out', () => {
  const record = recorded();
  record.toAdapter({ type: 'request', seq: 1, command: 'launch' });
  record.fromAdapter({ type: 'response', seq: 1, request_seq: 1, command: 'launch', success: true });
  expect(record.launched).toBe(true);
  record.toAdapter({ type: 'request', seq: 2, command: 'restart' });
  expect(record.restartedAt).toBeGreaterThan(0);
  record.fromAdapter({ type: 'event', seq: 1, event: 'terminated' });
  record.fail('read error');
  expect(record.fault).toBeUndefined();
});
