/** The result of `work`, unless the signal aborts first: then it rejects at once. `work` itself continues. */
export function unlessAborted<T>(
  work: PromiseLike<T>,
  signal: AbortSignal,
  reasonOf: (signal: AbortSignal) => unknown = ({ reason }) => reason,
): Promise<T> {
  return raced(work, signal, () => Promise.reject(reasonOf(signal)));
}

/** The result of `work`, or undefined as soon as the signal aborts. `work` itself continues. */
export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T | undefined> {
  return raced(work, signal, () => undefined);
}

/** Resolves once the signal has aborted, at once where it has already. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Runs `work`; `stop` makes it fail as soon as the signal aborts. */
export async function stoppedBy<T>(signal: AbortSignal, stop: () => void, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A signal that aborts with the other one, or when the time is up. */
export function withTimeout(signal: AbortSignal, ms: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}

/** How long some work may take, with the reason it gets when that is over, and what else ends it. */
export interface TimeLimit {
  readonly ms: number;
  readonly reason: () => unknown;
  readonly signals?: readonly AbortSignal[];
}

/** Runs `work` with a signal that ends it; the timer ends with the work. */
export async function withTimeLimit<T>(
  { ms, reason, signals = [] }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(reason()), ms);
  try {
    return await work(AbortSignal.any([...signals, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

// Not with Promise.withResolvers, which the oldest Node of the stdio entry does not have.
function raced<T, End>(work: PromiseLike<T>, signal: AbortSignal, end: () => End | Promise<End>): Promise<T | End> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(end());
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    void Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}
