import { CallSlots } from './call-slots.ts';

function held(): { work: () => Promise<void>; end: () => void; started: () => boolean } {
  let end: () => void = () => undefined;
  let started = false;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = () => {
    started = true;
    return over;
  };
  return { work, end, started: () => started };
}

const never = new AbortController().signal;

it('lets a limited number in, and the next when one leaves, in order', async () => {
  const slots = new CallSlots(1);
  const [first, second, third] = [held(), held(), held()];
  const runs = [first, second, third].map(({ work }) => slots.run(never, work));
  expect([first, second, third].map(({ started }) => started())).toEqual([true, false, false]);
  first.end();
  await runs[0];
  await Promise.resolve();
  expect([second.started(), third.started()]).toEqual([true, false]);
  second.end();
  third.end();
  await Promise.all(runs);
});

it('passes the place on even when the work fails', async () => {
  const slots = new CallSlots(1);
  await expect(slots.run(never, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(await slots.run(never, () => Promise.resolve(1))).toBe(1);
});

it('lets a waiting one go when it is cancelled, and no other call loses its place', async () => {
  const slots = new CallSlots(1);
  const [first, waiting, last] = [held(), held(), held()];
  const stop = new AbortController();
  const running = slots.run(never, first.work);
  const cancelled = slots.run(stop.signal, waiting.work);
  const next = slots.run(never, last.work);
  stop.abort();
  await expect(cancelled).rejects.toThrow('Cancelled');
  expect(last.started()).toBe(false);
  first.end();
  last.end();
  await Promise.all([running, next]);
  expect(waiting.started()).toBe(false);
});
