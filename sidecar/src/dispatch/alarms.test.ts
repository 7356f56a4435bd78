import { Alarms } from './alarms.ts';

let rung: string[];
const ring = (name: string) => () => rung.push(name);

beforeEach(() => {
  rung = [];
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

test('alarms fire at their time, in whatever order they were set', () => {
  const alarms = new Alarms();
  alarms.set(60, ring('late'));
  alarms.set(20, ring('early'));
  alarms.set(40, ring('middle'));
  jest.advanceTimersByTime(19);
  expect(rung).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(rung).toEqual(['early']);
  jest.advanceTimersByTime(39);
  expect(rung).toEqual(['early', 'middle']);
  jest.advanceTimersByTime(1);
  expect(rung).toEqual(['early', 'middle', 'late']);
});

test('a cleared alarm stays silent, and later ones fire', () => {
  const alarms = new Alarms();
  const first = alarms.set(10, ring('first'));
  alarms.set(30, ring('second'));
  alarms.clear(first);
  jest.advanceTimersByTime(100);
  expect(rung).toEqual(['second']);
});

test('an alarm set by another one as it fires is kept', () => {
  const alarms = new Alarms();
  alarms.set(5, () => {
    rung.push('first');
    alarms.set(5, ring('second'));
  });
  alarms.set(300, ring('too late'));
  jest.advanceTimersByTime(100);
  expect(rung).toEqual(['first', 'second']);
});
