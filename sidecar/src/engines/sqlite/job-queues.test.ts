import {
  FRESH_PATIENCE_MS,
  FRESH_SUSPECT_MS,
  FRESH_TURN_MS,
  SLOW_PATIENCE_MS,
  SQLITE_FRESH_CHILDREN,
  SQLITE_MOST_FRESH_CHILDREN,
  SQLITE_MOST_SLOW_CHILDREN,
  SQLITE_SLOW_CHILDREN,
} from '@devdb/shared/limits';
import { JobQueues, type Queued } from './job-queues.ts';

/** One that has waited for so long. */
const waiting = (ms: number): Queued => ({ since: performance.now() - ms });

function queuesWith(name: 'fresh' | 'slow' | 'write', ...jobs: readonly Queued[]): JobQueues<Queued> {
  const queues = new JobQueues<Queued>();
  for (const job of jobs) queues.add(name, job);
  return queues;
}

it('starts the newest of those about which nothing is known, and the oldest once it has waited for its turn', () => {
  const [first, last] = [waiting(10), waiting(0)];
  expect(queuesWith('fresh', first, last).next('fresh', 0)).toBe(last);
  const patient = waiting(FRESH_TURN_MS + 1);
  expect(queuesWith('fresh', patient, last).next('fresh', 0)).toBe(patient);
});

it.each(['slow', 'write'] as const)('starts the oldest of those that are %s', (name) => {
  const [first, last] = [waiting(10), waiting(0)];
  expect(queuesWith(name, first, last).next(name, 0)).toBe(first);
});

it('gives places beyond the usual when the first has lost its patience, and only to who came lately', () => {
  const late = waiting(0);
  expect(queuesWith('fresh', late).next('fresh', SQLITE_FRESH_CHILDREN)).toBeUndefined();
  const impatient = waiting(FRESH_PATIENCE_MS + 1);
  expect(queuesWith('fresh', impatient, late).next('fresh', SQLITE_FRESH_CHILDREN)).toBe(late);
  expect(queuesWith('fresh', impatient, late).next('fresh', SQLITE_MOST_FRESH_CHILDREN)).toBeUndefined();
  expect(queuesWith('fresh', waiting(FRESH_SUSPECT_MS + 1)).next('fresh', SQLITE_FRESH_CHILDREN)).toBeUndefined();
  expect(queuesWith('slow', waiting(0)).places('slow')).toBe(SQLITE_SLOW_CHILDREN);
  expect(queuesWith('slow', waiting(SLOW_PATIENCE_MS + 1)).places('slow')).toBe(SQLITE_MOST_SLOW_CHILDREN);
});

it('lets one write at a time, however long others have waited', () => {
  expect(queuesWith('write', waiting(60_000)).next('write', 1)).toBeUndefined();
});

it('tells when patience ends next, and nothing when none will', () => {
  const queues = queuesWith('write', waiting(0));
  expect(queues.nextImpatienceMs()).toBeUndefined();
  queues.add('slow', waiting(SLOW_PATIENCE_MS + 1));
  expect(queues.nextImpatienceMs()).toBeUndefined();
  queues.add('fresh', waiting(0));
  expect(queues.nextImpatienceMs()).toBeLessThanOrEqual(FRESH_PATIENCE_MS);
});

it('has nobody left who has gone', () => {
  const [one, other] = [waiting(0), waiting(0)];
  const queues = queuesWith('slow', one, other);
  queues.leave(one);
  expect(queues.takeAll()).toEqual([other]);
  expect(queues.isEmpty('slow')).toBe(true);
  expect(queues.next('slow', 0)).toBeUndefined();
});
