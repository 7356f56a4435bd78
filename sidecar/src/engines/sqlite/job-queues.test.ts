import { JobQueues, type Queued, type QueueName } from './job-queues.ts';
import {
  FRESH_SUSPECT_MS,
  FRESH_TURN_MS,
  SLOW_PATIENCE_MS,
  SQLITE_EXPORT_CHILDREN,
  SQLITE_FRESH_CHILDREN,
  SQLITE_MOST_FRESH_CHILDREN,
  SQLITE_MOST_SLOW_CHILDREN,
  SQLITE_SLOW_CHILDREN,
} from './limits.ts';

/** A job that has waited this long. */
const waiting = (ms: number): Queued => ({ since: performance.now() - ms });

function queuesWith(name: QueueName, ...jobs: readonly Queued[]): JobQueues<Queued> {
  const queues = new JobQueues<Queued>();
  for (const job of jobs) queues.add(name, job);
  return queues;
}

it('starts the newest of unknown speed, and the oldest once it has waited for its turn', () => {
  const [first, last] = [waiting(10), waiting(0)];
  expect(queuesWith('fresh', first, last).next('fresh', 0)).toBe(last);
  const patient = waiting(FRESH_TURN_MS + 1);
  expect(queuesWith('fresh', patient, last).next('fresh', 0)).toBe(patient);
});

it('keeps places for the newest, however long others have waited', () => {
  const late = waiting(0);
  const queues = queuesWith('fresh', waiting(60_000), waiting(FRESH_TURN_MS + 1), late);
  for (let running = SQLITE_FRESH_CHILDREN; running < SQLITE_MOST_FRESH_CHILDREN; running += 1) {
    expect(queues.next('fresh', running)).toBe(late);
  }
  expect(queues.next('fresh', SQLITE_MOST_FRESH_CHILDREN)).toBeUndefined();
  expect(queuesWith('fresh', waiting(FRESH_SUSPECT_MS + 1)).next('fresh', SQLITE_FRESH_CHILDREN)).toBeUndefined();
});

it('gives all places to those that have waited long when others wait for a lock', () => {
  const old = waiting(FRESH_SUSPECT_MS + 1);
  expect(queuesWith('fresh', old).next('fresh', SQLITE_MOST_FRESH_CHILDREN - 1, true)).toBe(old);
  expect(queuesWith('fresh', old).next('fresh', SQLITE_MOST_FRESH_CHILDREN, true)).toBeUndefined();
});

it.each(['slow', 'write', 'export'] as const)('starts the oldest in the queue %s', (name) => {
  const [first, last] = [waiting(10), waiting(0)];
  expect(queuesWith(name, first, last).next(name, 0)).toBe(first);
});

it('lets one more slow statement run each time the first has lost its patience, up to a limit', () => {
  for (let lost = 0; lost < 20; lost += 1) {
    const queues = queuesWith('slow', waiting(lost * SLOW_PATIENCE_MS + 1));
    expect(queues.places('slow')).toBe(Math.min(SQLITE_SLOW_CHILDREN + lost, SQLITE_MOST_SLOW_CHILDREN));
  }
});

it('lets one write at a time and few exports, however long others have waited', () => {
  expect(queuesWith('write', waiting(60_000)).next('write', 1)).toBeUndefined();
  expect(queuesWith('export', waiting(60_000)).next('export', SQLITE_EXPORT_CHILDREN)).toBeUndefined();
});

it('says when patience ends next, and nothing when it will not', () => {
  const queues = queuesWith('write', waiting(0));
  queues.add('fresh', waiting(0));
  expect(queues.nextImpatienceMs()).toBeUndefined();
  queues.add('slow', waiting(SLOW_PATIENCE_MS + 100));
  expect(queues.nextImpatienceMs()).toBeLessThanOrEqual(SLOW_PATIENCE_MS - 100);
  expect(queues.nextImpatienceMs()).toBeGreaterThan(0);
  expect(queuesWith('slow', waiting(SLOW_PATIENCE_MS * 100)).nextImpatienceMs()).toBeUndefined();
});

it('no longer has what was removed', () => {
  const [one, other] = [waiting(0), waiting(0)];
  const queues = queuesWith('slow', one, other);
  queues.leave(one);
  expect(queues.takeAll()).toEqual([other]);
  expect(queues.isEmpty('slow')).toBe(true);
  expect(queues.next('slow', 0)).toBeUndefined();
});
