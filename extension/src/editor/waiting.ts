import { setTimeout as after } from 'node:timers/promises';
import { unlessAborted } from '@devdb/shared/abort';
import { AppError } from '@devdb/shared/errors';
import type { Progress } from '@devdb/shared/protocol';
import * as vscode from 'vscode';

/** What ends a wait, and who hears that it goes on. */
export interface Waiting {
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

/** The result of work that cannot be stopped, or E_CANCELLED as soon as the signal aborts. */
export function untilEnded<T>(work: Thenable<T>, signal: AbortSignal): Promise<T> {
  return unlessAborted(work, signal, ended);
}

const TELL_MS = 1_000;

/** The result of work that takes long: while it goes on, the caller hears so every second. */
export async function told<T>({ progress, signal }: Waiting, message: () => string, work: Thenable<T>): Promise<T> {
  const began = performance.now();
  const ticker = setInterval(
    () => progress({ progress: Math.round((performance.now() - began) / 1_000), message: message() }),
    TELL_MS,
  );
  try {
    return await untilEnded(work, signal);
  } finally {
    clearInterval(ticker);
  }
}

/** A command of the editor that answers a question. */
export async function asked<T>(
  signal: AbortSignal,
  command: string,
  ...args: readonly unknown[]
): Promise<T | undefined> {
  return untilEnded(vscode.commands.executeCommand<T | undefined>(command, ...args), signal);
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await after(ms, undefined, { signal });
  } catch {
    throw ended();
  }
}

/** Resolves with the next event that fits, or when the time is up; rejects when the signal aborts. */
export async function nextEvent<T>(
  event: vscode.Event<T>,
  fits: (value: T) => boolean,
  withinMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  let listening: vscode.Disposable | undefined;
  const stop = new AbortController();
  const seen = new Promise<boolean>((resolve) => {
    listening = event((value) => {
      if (fits(value)) resolve(true);
    });
  });
  const late = pause(withinMs, AbortSignal.any([signal, stop.signal])).then(
    () => false,
    (error: unknown) => {
      if (signal.aborted) throw error;
      return false;
    },
  );
  try {
    return await Promise.race([seen, late]);
  } finally {
    listening?.dispose();
    stop.abort();
  }
}

function ended(): AppError {
  return new AppError('E_CANCELLED', 'The call was ended.');
}
