import type { Progress } from '@devdb/shared/protocol';
import { type Changing, waitFor } from './waits.ts';

class Source implements Changing {
  readonly listeners = new Set<() => void>();

  onChange(listener: () => void) {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  change(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

function options(signal = new AbortController().signal) {
  const told: Progress[] = [];
  return { told, given: { signal, timeoutMs: 60_000, progress: (it: Progress) => told.push(it), message: 'Waiting.' } };
}

test('what is there already is answered at once, and nothing listens on', async () => {
  const source = new Source();
  const { told, given } = options();
  expect(await waitFor(source, () => 7, given)).toBe(7);
  expect(source.listeners.size).toBe(0);
  expect(told).toEqual([]);
});

test('a change ends the wait, and progress was reported', async () => {
  const source = new Source();
  const { told, given } = options();
  let value: string | undefined;
  const waiting = waitFor(source, () => value, given);
  source.change();
  value = 'there';
  source.change();
  expect(await waiting).toBe('there');
  expect(source.listeners.size).toBe(0);
  expect(told).toEqual([{ progress: 0, message: 'Waiting.' }]);
});

test('the end of the time is no value, the end of the call an error; both let go', async () => {
  const source = new Source();
  const { given } = options();
  expect(await waitFor(source, () => undefined, { ...given, timeoutMs: 1 })).toBeUndefined();
  const leaving = new AbortController();
  const waiting = waitFor(source, () => undefined, options(leaving.signal).given);
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'E_CANCELLED' });
  await expect(waitFor(source, () => undefined, options(leaving.signal).given)).rejects.toMatchObject({
    code: 'E_CANCELLED',
  });
  expect(source.listeners.size).toBe(0);
});

test('what fails while it looks is the end of the wait', async () => {
  const source = new Source();
  let isBroken = false;
  const look = () => {
    if (isBroken) throw new RangeError('gone');
    return undefined;
  };
  const waiting = waitFor(source, look, options().given);
  isBroken = true;
  source.change();
  await expect(waiting).rejects.toThrow(RangeError);
  expect(source.listeners.size).toBe(0);
});
