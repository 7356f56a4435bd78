import { Writable } from 'node:stream';
import { createLog, type LogLevel, logLevelOf, streamSink } from './log.ts';
import { Secret } from './secret.ts';

const now = () => new Date('2026-01-02T03:04:05.678Z');

function logAt(level: LogLevel) {
  const lines: string[] = [];
  const log = createLog({ level, sinks: [(line) => lines.push(line)], now });
  return { log, lines, records: () => lines.map((line): unknown => JSON.parse(line)) };
}

test('an event is one line of JSON', () => {
  const { log, lines } = logAt('info');
  log('info', 'call', { tool: 'run-query', ms: 3, text: 'a\nb' });
  expect(lines).toEqual([
    '{"time":"2026-01-02T03:04:05.678Z","level":"info","event":"call","tool":"run-query","ms":3,"text":"a\\nb"}\n',
  ]);
});

test('only events of the level and above are written', () => {
  const { log, records } = logAt('warn');
  for (const level of ['error', 'warn', 'info', 'debug'] as const) log(level, level);
  expect(records()).toMatchObject([{ event: 'error' }, { event: 'warn' }]);
});

test('debug facts are written only at the level debug', () => {
  const [info, debug] = [logAt('info'), logAt('debug')];
  for (const { log } of [info, debug]) log('info', 'call', { ms: 1 }, { sql: 'SELECT 1' });
  expect(info.lines.join()).not.toContain('SELECT');
  expect(debug.records()).toMatchObject([{ ms: 1, sql: 'SELECT 1' }]);
});

test("facts do not replace the time, the level or the event's name", () => {
  const { log, records } = logAt('info');
  log('info', 'call', { level: 'x', time: 'y', event: 'z' });
  expect(records()).toEqual([{ time: '2026-01-02T03:04:05.678Z', level: 'info', event: 'call' }]);
});

test('a secret is never printed, however deep', () => {
  const { log, lines } = logAt('debug');
  const secret = new Secret('hunter2');
  log('error', 'x', { secret, deep: [{ secret }], error: Object.assign(new Error('no'), { secret }) }, { secret });
  expect(lines.join()).not.toContain('hunter2');
  expect(lines.join()).toContain('[secret]');
});

test('an error is written whole: its code, stack and cause', () => {
  const { log, records } = logAt('info');
  const cause = Object.assign(new Error('inner'), { code: 'E_X' });
  log('error', 'failed', { error: new TypeError('outer', { cause }) });
  expect(records()).toMatchObject([
    {
      error: {
        name: 'TypeError',
        message: 'outer',
        stack: expect.stringContaining('log.test'),
        cause: { message: 'inner', code: 'E_X' },
      },
    },
  ]);
});

test('a value JSON cannot carry does not end the process', () => {
  const { log, records } = logAt('info');
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  log('info', 'big', { rows: 2n ** 64n });
  log('info', 'circle', circle);
  expect(records()).toMatchObject([
    { rows: '18446744073709551616' },
    { event: 'circle', unprintable: expect.any(String) },
  ]);
});

test.each([
  ['debug', 'debug'],
  [' WARN ', 'warn'],
  ['', 'info'],
  ['loud', 'info'],
  [undefined, 'info'],
])('DEVDB_LOG_LEVEL=%s is the level %s', (text, level) => {
  expect(logLevelOf(text)).toBe(level);
});

test('a stream whose reader is gone does not end the process', async () => {
  const written: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      done(Object.assign(new Error('closed'), { code: 'EPIPE' }));
    },
  });
  const sink = streamSink(stream);
  sink('one\n');
  await new Promise((resolve) => stream.once('close', resolve));
  sink('two\n');
  expect(written).toEqual(['one\n']);
});
