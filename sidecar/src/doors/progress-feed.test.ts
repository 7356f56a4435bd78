import type { Progress } from '@devdb/shared/protocol/lines';
import { ProgressFeed } from './progress-feed.ts';

it('says that the call still runs while the tool is silent, and nothing after the end', async () => {
  const sent: Progress[] = [];
  const feed = new ProgressFeed((progress) => sent.push(progress), 20);
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
