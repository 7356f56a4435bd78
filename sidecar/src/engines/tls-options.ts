import { realpathSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, join, relative, sep } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { MAX_CONFIG_FILE_BYTES } from '@devdb/shared/limits';
import { notLocal, readForeignSync, UnfitFile } from '../host/foreign-file.ts';
import { isClearTextRefusal } from './clear-text.ts';

/** Which files a connection may name. */
export interface FilePlace {
  readonly projectRoot: string;
  /** The user approved the connection with these paths. */
  readonly approved: boolean;
}

/** The text of a certificate or key, given in the options or in a file they name. */
export function pemText(value: unknown, option: string, place: FilePlace): string | undefined {
  const text = Array.isArray(value) ? value.join('\n') : value;
  if (typeof text !== 'string' || text === '') return undefined;
  if (text.includes('-----BEGIN')) return text;
  const wrong = notLocal(text);
  if (wrong !== undefined) throw unreadable(option, wrong);
  try {
    const file = realpathSync(isAbsolute(text) ? text : join(place.projectRoot, text));
    if (!place.approved && !isBelow(realpathSync(place.projectRoot), file)) throw outside(option);
    return readForeignSync(file, MAX_CONFIG_FILE_BYTES).toString('utf8');
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unreadable(option, cause instanceof UnfitFile ? cause.message : 'cannot be read', cause);
  }
}

function isBelow(root: string, file: string): boolean {
  const way = relative(root, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function unreadable(option: string, reason: string, cause?: unknown): AppError {
  const what = `The file that the connection's option ${option} names ${reason}.`;
  return new AppError('E_NO_CONNECTION', what, { hint: "Correct the path; it counts from the project's root.", cause });
}

function outside(option: string): AppError {
  const what = `The file that the connection's option ${option} names is outside the project.`;
  const hint = 'A person can approve the connection with `devdb trust`, or put the file into the project.';
  return new AppError('E_NO_CONNECTION', what, { hint });
}

/** A socket, or this machine: no network is between. */
export function isLocal(host: string): boolean {
  if (host.startsWith('/') || host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

export interface FirstWay<W, C> {
  /** In the order to try them; throws an explained error for options that allow none. */
  readonly ways: () => readonly W[];
  readonly connect: (way: W) => Promise<C>;
  readonly isAboutWay: (error: unknown) => boolean;
  /** Explains a refusal. */
  readonly inWords: (error: unknown) => Error;
  readonly signal: AbortSignal;
}

/**
 * Connects in the first way that the server accepts. A refusal because of the way is worth another attempt; a wrong
 * password is not. The first refusal is reported, unless a later one was a demand for the password in clear text.
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
    throw refusals.find(isClearTextRefusal) ?? refusals[0];
  } catch (error) {
    signal.throwIfAborted();
    throw inWords(error);
  }
}
