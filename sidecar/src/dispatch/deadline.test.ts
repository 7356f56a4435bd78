import { getTables } from '@devdb/shared/tools/database/get-tables';
import { timeLeftMs } from '../host/time-left.ts';
import { Alarms } from './alarms.ts';
import { Deadline } from './deadline.ts';

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

test('the signal of a call tells how much time the call has left, and a question takes none of it', () => {
  const deadline = new Deadline(getTables, 10_000, new AbortController().signal, new Alarms());
  const left = () => timeLeftMs(deadline.signal);
  expect(left()).toBe(10_000);
  jest.advanceTimersByTime(1_000);
  expect(left()).toBe(9_000);
  deadline.pause();
  jest.advanceTimersByTime(60_000);
  expect(left()).toBe(9_000);
  deadline.resume();
  jest.advanceTimersByTime(4_000);
  expect(left()).toBe(5_000);
  deadline.end();
});

test('a signal without a deadline has no such time', () => {
  expect(timeLeftMs(new AbortController().signal)).toBeUndefined();
});
