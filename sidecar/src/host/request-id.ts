import { randomFillSync } from 'node:crypto';

const ID_BYTES = 6;
const IDS_AT_ONCE = 128;

/** Random bytes for the next ids: asking the system for six bytes takes longer than all else about an id. */
let stock: Buffer | undefined;
let used = 0;

/** A name of a call that no other call has. Models read it, and pay for each of its characters. */
export function newRequestId(): string {
  if (stock === undefined || used === stock.length) {
    stock = randomFillSync(Buffer.alloc(ID_BYTES * IDS_AT_ONCE));
    used = 0;
  }
  used += ID_BYTES;
  return stock.toString('base64url', used - ID_BYTES, used);
}
