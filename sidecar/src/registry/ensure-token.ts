import { chmodSync } from 'node:fs';
import { atomicWrite, type OnBroken, setAside } from '../host/files.ts';
import { FILE_MODE, type Home } from '../host/home.ts';
import type { Secret } from '../host/secret.ts';
import { newToken, readToken, UnreadableToken } from '../host/token.ts';
import type { HomeLock } from './home-lock.ts';

export interface EnsureTokenParts {
  readonly home: Home;
  readonly lock: HomeLock;
  readonly onBroken: OnBroken;
}

/**
 * The user's token, made by the first process that needs it; a damaged one is moved aside. Corrects the file's mode.
 */
export async function ensureToken({ home, lock, onBroken }: EnsureTokenParts, signal: AbortSignal): Promise<Secret> {
  const token = readIfWhole(home) ?? (await lock.run(signal, () => readOrMake(home, onBroken)));
  chmodSync(home.token, FILE_MODE);
  return token;
}

/** Needs no lock: the token is made once and never changed. */
function readIfWhole(home: Home): Secret | undefined {
  try {
    return readToken(home);
  } catch (error) {
    if (error instanceof UnreadableToken) return undefined;
    throw error;
  }
}

function readOrMake(home: Home, onBroken: OnBroken): Secret {
  try {
    const present = readToken(home);
    if (present) return present;
  } catch (cause) {
    if (!(cause instanceof UnreadableToken)) throw cause;
    onBroken({ file: home.token, movedTo: setAside(home.token, new Date()), cause });
  }
  const token = newToken();
  atomicWrite(home.token, `${token.open()}\n`, { durable: true });
  return token;
}
