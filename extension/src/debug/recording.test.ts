import { matching } from './patterns.ts';
import {
  compared,
  countsOf,
  eventFacts,
  exceptionsOf,
  filtered,
  grouped,
  healthOf,
  hourOf,
  inRuns,
  printedBefore,
  type Recording,
} from './recording.ts';
import type { RecordedEvent } from './session-record.ts';

type Told = readonly [kind: RecordedEvent['kind'], text?: string, detail?: string, file?: string];

/** A recording of these events, one each 10 ms. */
function recording(told: readonly Told[], exitCode?: number): Recording {
  const events = told.map(([kind, text = '', detail, file], at) => ({
    at: at + 1,
    time: 1_000 + at * 10,
    kind,
    text,
    ...(detail === undefined ? {} : { detail }),
    ...(file === undefined ? {} : { file }),
  }));
  const session = {
    sessionId: 's',
    sessionName: 'app',
    adapterType: 'node',
    live: false,
    startedAt: '',
    durationMs: 0,
    dropped: 0,
    ...(exitCode === undefined ? {} : { exitCode }),
  };
  return { session, startedAt: 1_000, events };
}

const RUN = recording([
  ['started', 'app'],
  ['output', 'one\n', 'stdout', 'a.js'],
  ['output', 'two\n', 'stderr', 'b.js'],
  ['stopped', 'Paused', 'exception'],
  ['exception', 'Error: boom\n  at a.js', 'Error'],
  ['output', 'three\n', 'stdout', 'a.js'],
  ['ended'],
]);

test('events are reported with the time since the start', () => {
  const [, first] = RUN.events;
  expect(first && eventFacts(RUN, first)).toEqual({
    at: 2,
    ms: 10,
    kind: 'output',
    text: 'one\n',
    detail: 'stdout',
    file: 'a.js',
  });
});

test('filters hold all together', () => {
  expect(filtered(RUN, { kinds: ['output'], detail: 'stdout' }).map(({ text }) => text)).toEqual(['one\n', 'three\n']);
  expect(filtered(RUN, { text: 'boom' })).toHaveLength(1);
  expect(filtered(RUN, { fromMs: 20, toMs: 30 }).map(({ kind }) => kind)).toEqual(['output', 'stopped']);
  expect(filtered(RUN, {})).toHaveLength(RUN.events.length);
});

test('an exception is one, whether only its stop was reported or also what was thrown', () => {
  expect(exceptionsOf(RUN).map(({ text }) => text)).toEqual(['Error: boom\n  at a.js']);
  const bare = recording([
    ['stopped', 'first', 'exception'],
    ['stopped', 'second', 'exception'],
    ['exception', 'Error: second'],
    ['stopped', '', 'breakpoint'],
  ]);
  expect(exceptionsOf(bare).map(({ text }) => text)).toEqual(['first', 'Error: second']);
  const [thrown] = exceptionsOf(RUN);
  expect(thrown && printedBefore(RUN, thrown, 1)).toEqual(['two\n']);
  expect(thrown && printedBefore(RUN, thrown, 0)).toEqual([]);
});

test('a run is well, has thrown, or has failed', () => {
  expect(healthOf(recording([['started'], ['ended']], 0))).toBe('ok');
  expect(healthOf(RUN)).toBe('threw');
  expect(healthOf(recording([['ended']], 1))).toBe('failed');
  expect(healthOf(recording([['failed', 'no such program', 'launch']]))).toBe('failed');
  // An expression that cannot be evaluated is the agent's own.
  expect(healthOf(recording([['failed', 'x is not defined', 'evaluate']]))).toBe('ok');
});

test('output in a row is put together, and what is printed is counted by group', () => {
  expect(inRuns(RUN.events).map(({ kind, text }) => [kind, text])).toEqual([
    ['started', 'app'],
    ['output', '2 outputs'],
    ['stopped', 'Paused'],
    ['exception', 'Error: boom\n  at a.js'],
    ['output', 'three\n'],
    ['ended', ''],
  ]);
  const outputs = filtered(RUN, { kinds: ['output'] });
  expect(grouped(outputs, ({ file }) => file ?? '')).toEqual([
    { group: 'a.js', events: 2, characters: 10 },
    { group: 'b.js', events: 1, characters: 4 },
  ]);
  expect(countsOf(RUN)).toMatchObject({ output: 3, exception: 1 });
  expect(hourOf(Date.UTC(2026, 0, 2, 23, 59, 59, 999))).toBe('2026-01-02T23:00Z');
});

test('two runs are compared by their counts, their exceptions and the lines that they printed, however they came', () => {
  const other = recording([['output', 'one\ntw'], ['output', 'o\nfour\n'], ['ended']]);
  expect(compared(RUN, other, 'outputs')).toEqual({
    onlyInA: ['three'],
    onlyInB: ['four'],
    firstDifference: { line: 3, a: 'three', b: 'four' },
  });
  expect(compared(RUN, RUN, 'outputs')).toEqual({ onlyInA: [], onlyInB: [] });
  expect(compared(RUN, other, 'exceptions')).toEqual({ onlyInA: ['Error: boom\n  at a.js'], onlyInB: [] });
  expect(compared(RUN, other, 'counts').counts).toMatchObject({ output: { a: 3, b: 2 }, exception: { a: 1, b: 0 } });
});

test('a pattern finds its texts; one that is wrong, or made to take for ever, is refused in time', () => {
  expect(matching(['an Error', 'fine', 'error'], 'error', false)).toEqual([0, 2]);
  expect(matching(['an Error', 'fine', 'error'], 'error', true)).toEqual([2]);
  expect(() => matching([], '(', false)).toThrow(/cannot be used/);
  const started = performance.now();
  expect(() => matching(['a'.repeat(60)], '(a+)+b', false)).toThrow(/takes longer/);
  expect(performance.now() - started).toBeLessThan(5_000);
});
