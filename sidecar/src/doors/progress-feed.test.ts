import type { Progress } from '@devdb/shared/protocol/lines';
import { Heartbeat, ProgressFeed } from './progress-feed.ts';

it('reports that the call still runs while the tool is silent, and nothing after the end', async () => {
  const sent: Progress[] = [];
  const feed = new ProgressFeed((progress) => sent.push(progress), new Heartbeat(20));
  feed.report({ progress: 3 });
  while (sent.length < 4) await new Promise((resolve) => setImmediate(resolve));
  feed.end();
  feed.report({ progress: 9 });
  const values = sent.map(({ progress }) => progress);
  expect(values).toEqual([...values].sort((a, b) => a - b));
  expect(new Set(values).size).toBe(values.length);
  expect(Math.max(...values)).toBeLessThan(4);
  expect(sent.at(1)?.message).toMatch(/^Still running/);
});

it('beats for many calls with one timer, also after a time without any', () => {
  jest.useFakeTimers();
  try {
    const heartbeat = new Heartbeat(1_000);
    const sent: string[] = [];
    const feed = (name: string) => new ProgressFeed(() => sent.push(name), heartbeat);
    const [first, second] = [feed('first'), feed('second')];
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(999);
    expect(sent).toEqual(['first', 'second']);
    first.end();
    second.end();
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
    feed('third');
    jest.advanceTimersByTime(999);
    expect(sent).toEqual(['first', 'second', 'third']);
  } finally {
    jest.useRealTimers();
  }
});
