import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Home } from './home.ts';
import { readOfHome, UnreadableFile } from './read-file.ts';
import { Secret } from './secret.ts';

const TOKEN_BYTES = 32;
const NONCE_BYTES = 16;
const TOKEN_FORM = /^[0-9a-f]{64}$/;

/** The token file holds something other than a token. */
export class UnreadableToken extends UnreadableFile {
  constructor(file: string) {
    super(
      `${file} does not hold a DevDB token.`,
      "Reload a project's window: DevDB then moves the file aside and creates a new one.",
    );
    this.name = 'UnreadableToken';
  }
}

/** The user's token; undefined when no sidecar has run yet. */
export function readToken(home: Pick<Home, 'token'>): Secret | undefined {
  const text = readOfHome(home.token)?.trim();
  if (text === undefined) return undefined;
  if (!TOKEN_FORM.test(text)) throw new UnreadableToken(home.token);
  return new Secret(text);
}

/** A new random token. */
export function newToken(): Secret {
  return new Secret(randomBytes(TOKEN_BYTES).toString('hex'));
}

/**
 * The proof that only a holder of the token can give for this nonce, project and port. The port keeps a stranger from
 * relaying the proof of the real sidecar, which listens elsewhere.
 */
export function proveToken(token: Secret, nonce: string, root: string, port: number): string {
  return createHmac('sha256', token.open()).update(`${nonce}\n${root}\n${port}`).digest('hex');
}

/** A sidecar as the registry names it, and the token it has to know. */
export interface Peer {
  readonly port: number;
  /** The canonical root the sidecar must have open. */
  readonly root: string;
  readonly token: Secret;
}

/** The proof required before the token is sent: by now, a port in the registry may belong to another program. */
export class Challenge {
  readonly nonce = randomBytes(NONCE_BYTES).toString('hex');
  readonly #peer: Peer;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  isMetBy(proof: unknown): boolean {
    const { token, root, port } = this.#peer;
    return typeof proof === 'string' && equalSecrets(proof, proveToken(token, this.nonce, root, port));
  }
}

/** Compares two secrets or proofs in constant time. */
export function equalSecrets(one: string, other: string): boolean {
  // Hashing first gives both sides the same length, which timingSafeEqual requires.
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
