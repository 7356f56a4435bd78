import { randomBytes } from 'node:crypto';

/** A name of a call that no other call has. Models read it, and pay for each of its characters. */
export function newRequestId(): string {
  return randomBytes(6).toString('base64url');
}
