import type { Readable } from 'node:stream';
import { PARENT_CHECK_INTERVAL_MS, SHUTDOWN_GRACE_MS } from '@devdb/shared/limits';

export interface ShutdownParts {
  /** Ends the process's lifetime; resolves when everything is closed. */
  readonly end: (reason: string) => Promise<unknown>;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
  readonly graceMs?: number;
}

/** A function that ends the process once: in order, or hard when that takes too long. Calling it again changes nothing. */
export function shutdown({ end, exit, graceMs = SHUTDOWN_GRACE_MS }: ShutdownParts): (reason: string) => void {
  let begun = false;
  return (reason) => {
    if (begun) return;
    begun = true;
    // Not unref'd: it is what ends a process in which something hangs.
    const hardStop = setTimeout(() => exit(1), graceMs);
    end(reason).then(
      () => {
        clearTimeout(hardStop);
        exit(0);
      },
      () => {
        clearTimeout(hardStop);
        exit(1);
      },
    );
  };
}

export interface WatchParentParts {
  /** The pipe from the parent. Somebody has to read it, or its end is never seen. */
  readonly input: Readable;
  /** Called once, when the parent has closed the pipe or is gone. */
  readonly onGone: (reason: string) => void;
  /** The parent's process id now: a process whose parent has died gets another one, except on Windows. */
  readonly parentPid?: () => number;
  readonly intervalMs?: number;
}

/** Watches for the end of the process that started this one. Returns a function that stops watching. */
export function watchParent({
  input,
  onGone,
  parentPid,
  intervalMs = PARENT_CHECK_INTERVAL_MS,
}: WatchParentParts): () => void {
  const first = parentPid?.();
  let watching = true;
  const gone = (reason: string) => {
    if (!watching) return;
    stop();
    onGone(reason);
  };
  const timer = parentPid && setInterval(() => parentPid() !== first && gone('the parent process is gone'), intervalMs);
  timer?.unref();
  const stop = () => {
    watching = false;
    clearInterval(timer);
  };
  // The listeners stay: an error of the pipe that comes later must not end the process by being unheard.
  for (const event of ['end', 'close', 'error']) input.on(event, () => gone('the pipe from the parent was closed'));
  if (input.destroyed || input.readableEnded) queueMicrotask(() => gone('the pipe from the parent was closed'));
  return stop;
}
