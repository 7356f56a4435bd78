import { getEventListeners } from 'node:events';
import { unlessAborted, untilAborted, whenAborted, withTimeLimit, withTimeout } from './abort.ts';

const never = new Promise<never>(() => undefined);
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => unhandled.push(reason);

beforeAll(() => process.on('unhandledRejection', onUnhandled));
afterAll(() => process.off('unhandledRejection', onUnhandled));

/** Node reports an unhandled rejection after a turn of the event loop. */
async function oneTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe.each([
  ['unlessAborted', unlessAborted],
  ['untilAborted', untilAborted],
])('%s', (_name, wait) => {
  it('gives the result or the failure of the work, and then no longer listens', async () => {
    const { signal } = new AbortController();
    expect(await wait(Promise.resolve(7), signal)).toBe(7);
    await expect(wait(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
    await oneTurn();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('does not report a failure of the work after the abort as unhandled', async () => {
    const stop = new AbortController();
    const work = Promise.withResolvers<number>();
    const waiting = wait(work.promise, stop.signal).catch(() => undefined);
    stop.abort();
    await waiting;
    work.reject(new Error('too late'));
    await oneTurn();
    expect(unhandled).toEqual([]);
  });
});

test('an abort that has happened is not waited for', async () => {
  const stop = new AbortController();
  const waiting = whenAborted(stop.signal);
  stop.abort();
  await waiting;
  await whenAborted(stop.signal);
});

describe('an abort', () => {
  it('rejects with its own reason, or with the one that the caller makes of it', async () => {
    const stop = new AbortController();
    const plain = unlessAborted(never, stop.signal);
    const made = unlessAborted(never, stop.signal, ({ reason }) => new Error(`because of ${reason}`));
    stop.abort('a whim');
    await expect(plain).rejects.toBe('a whim');
    await expect(made).rejects.toThrow('because of a whim');
  });

  it('gives undefined where the caller goes on without the result', async () => {
    const stop = new AbortController();
    const waiting = untilAborted(never, stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
  });

  it('before the call wins over work that is done', async () => {
    const signal = AbortSignal.abort('early');
    await expect(unlessAborted(Promise.resolve(1), signal)).rejects.toBe('early');
    expect(await untilAborted(Promise.resolve(1), signal)).toBeUndefined();
  });

  it('ends a signal with a timeout too', () => {
    const stop = new AbortController();
    const signal = withTimeout(stop.signal, 60_000);
    stop.abort('left');
    expect(signal.reason).toBe('left');
  });
});

describe('a time that is up', () => {
  it('ends a signal with a timeout', async () => {
    const signal = withTimeout(new AbortController().signal, 1);
    await expect(unlessAborted(never, signal)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('ends limited work with the given reason', async () => {
    const limit = { ms: 1, reason: () => new Error('too slow') };
    await expect(withTimeLimit(limit, (signal) => unlessAborted(never, signal))).rejects.toThrow('too slow');
  });
});

it('work that is done in time never gets the signal, and leaves no timer', async () => {
  jest.useFakeTimers();
  try {
    const reason = jest.fn();
    const limit = { ms: 10, reason, signals: [new AbortController().signal] };
    expect(await withTimeLimit(limit, async (signal) => signal.aborted)).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(11);
    expect(reason).not.toHaveBeenCalled();
  } finally {
    jest.useRealTimers();
  }
});

it('limited work also ends with the signals of its caller', async () => {
  const stop = new AbortController();
  const limit = { ms: 60_000, reason: () => 'late', signals: [stop.signal] };
  const working = withTimeLimit(limit, (signal) => unlessAborted(never, signal));
  stop.abort('left');
  await expect(working).rejects.toBe('left');
});
