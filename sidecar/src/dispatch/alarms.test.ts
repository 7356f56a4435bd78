import { setTimeout as after } from 'node:timers/promises';
import { Alarms } from './alarms.ts';

test('alarms fire at their time, in whatever order they were set', async () => {
  const alarms = new Alarms();
  const rung: string[] = [];
  const started = performance.now();
  await new Promise<void>((resolve) => {
    alarms.set(60, () => {
      rung.push(`late ${performance.now() - started >= 60}`);
      resolve();
    });
    alarms.set(20, () => rung.push(`early ${performance.now() - started >= 20}`));
    alarms.set(40, () => rung.push(`middle ${performance.now() - started >= 40}`));
    // Nothing else keeps the process alive.
    setTimeout(resolve, 5_000).unref();
  });
  expect(rung).toEqual(['early true', 'middle true', 'late true']);
});

test('a cleared alarm stays silent, and later ones fire', async () => {
  const alarms = new Alarms();
  const rung: string[] = [];
  const first = alarms.set(10, () => rung.push('first'));
  alarms.set(30, () => rung.push('second'));
  alarms.clear(first);
  await after(100);
  expect(rung).toEqual(['second']);
});

test('an alarm set by another one as it fires is kept', async () => {
  const alarms = new Alarms();
  const rung: string[] = [];
  alarms.set(5, () => {
    rung.push('first');
    alarms.set(5, () => rung.push('second'));
  });
  alarms.set(300, () => rung.push('too late'));
  await after(100);
  expect(rung).toEqual(['first', 'second']);
});
