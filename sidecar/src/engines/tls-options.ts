import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { AppError } from '@devdb/shared/errors';

/** A certificate's or key's text, which stands in the options or in a file that they name. */
export function pemText(value: unknown, option: string, projectRoot: string): string | undefined {
  const text = Array.isArray(value) ? value.join('\n') : value;
  if (typeof text !== 'string' || text === '') return undefined;
  if (text.includes('-----BEGIN')) return text;
  try {
    return readFileSync(resolve(projectRoot, text), 'utf8');
  } catch (cause) {
    throw new AppError('E_NO_CONNECTION', `The file that the connection's option ${option} names cannot be read.`, {
      hint: "Correct the path; it counts from the project's root.",
      cause,
    });
  }
}

/** A socket, or this machine: nobody listens in on the way. */
export function isLocal(host: string): boolean {
  if (host.startsWith('/') || host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

export interface FirstWay<W, C> {
  /** In the order in which they are tried; throws a sentence for options that name none. */
  readonly ways: () => readonly W[];
  readonly connect: (way: W) => Promise<C>;
  readonly isAboutWay: (error: unknown) => boolean;
  /** A refusal as a sentence. */
  readonly inWords: (error: unknown) => Error;
  readonly signal: AbortSignal;
}

/**
 * Connects by the first way that the server accepts. What was refused for the way it came is worth another way; a wrong
 * password is not. The first refusal is the one that is told.
 */
export async function byFirstWay<W, C>({ ways, connect, isAboutWay, inWords, signal }: FirstWay<W, C>): Promise<C> {
  try {
    const refusals: unknown[] = [];
    for (const way of ways()) {
      try {
        return await connect(way);
      } catch (error) {
        if (signal.aborted || !isAboutWay(error)) throw error;
        refusals.push(error);
      }
    }
    throw refusals[0];
  } catch (error) {
    signal.throwIfAborted();
    throw inWords(error);
  }
}
