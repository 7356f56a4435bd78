import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Home } from './home.ts';
import { readOfHome, UnreadableFile } from './read-file.ts';
import { Secret } from './secret.ts';

const TOKEN_BYTES = 32;
const NONCE_BYTES = 16;
const TOKEN_FORM = /^[0-9a-f]{64}$/;

/** The token file holds something else than a token. */
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

/** A fresh token that nobody has seen. */
export function newToken(): Secret {
  return new Secret(randomBytes(TOKEN_BYTES).toString('hex'));
}

/**
 * What only a holder of the token can answer to this nonce for this project on this port. The port keeps a stranger
 * from passing on the answer of the real sidecar, which listens elsewhere.
 */
export function proveToken(token: Secret, nonce: string, root: string, port: number): string {
  return createHmac('sha256', token.open()).update(`${nonce}\n${root}\n${port}`).digest('hex');
}

/** A sidecar as the registry names it, and the token that it has to know. */
export interface Peer {
  readonly port: number;
  /** The canonical root that the sidecar has to have open. */
  readonly root: string;
  readonly token: Secret;
}

/** What the other side has to answer before the token is sent to it: a port in the registry may be anyone's by now. */
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

/** Compares two secrets or proofs in a time that depends on neither. */
export function equalSecrets(one: string, other: string): boolean {
  // Hashing first makes both sides equally long, which timingSafeEqual demands.
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
