import { AppError } from '@devdb/shared/errors';
import { PROGRESS_INTERVAL_MS } from '@devdb/shared/limits';
import type { Progress } from '@devdb/shared/protocol';

/** Something that says when it has changed. */
export interface Changing {
  onChange(listener: () => void): { dispose(): void };
}

export interface WaitOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly progress: (progress: Progress) => void;
  /** What is waited for, for a person who watches. */
  readonly message: string;
}

/** The first value that is there, now or after a change; undefined when the time is up. */
export function waitFor<T>(
  source: Changing,
  look: () => T | undefined,
  { signal, timeoutMs, progress, message }: WaitOptions,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const ends: (() => void)[] = [];
    const settle = (act: () => void) => {
      for (const end of ends.splice(0)) end();
      act();
    };
    const check = () => {
      try {
        const value = look();
        if (value !== undefined) settle(() => resolve(value));
        return value !== undefined;
      } catch (error) {
        settle(() => reject(error));
        return true;
      }
    };
    if (check()) return;
    const onAbort = () => settle(() => reject(new AppError('E_CANCELLED', 'The call was ended.')));
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    ends.push(() => signal.removeEventListener('abort', onAbort));
    const listening = source.onChange(check);
    ends.push(() => listening.dispose());
    const late = setTimeout(() => settle(() => resolve(undefined)), timeoutMs);
    ends.push(() => clearTimeout(late));
    let seconds = 0;
    const tell = () => progress({ progress: seconds, message });
    tell();
    const ticker = setInterval(() => {
      seconds += PROGRESS_INTERVAL_MS / 1000;
      tell();
    }, PROGRESS_INTERVAL_MS);
    ends.push(() => clearInterval(ticker));
  });
}
