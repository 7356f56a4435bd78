import type { MessageHold } from '../held-bytes.ts';

const HEADER_BYTES = 4;
/** A packet of this length is continued by another one of the same message. */
const FULL_PACKET_BYTES = 0xffffff;

interface PacketParser {
  execute(chunk: Buffer): unknown;
}

/**
 * Reads the lengths of packets before the driver, which assembles messages of any length. Wraps the driver's parser,
 * through which everything passes from the first byte, with TLS and without.
 */
export function limitPackets(driver: object, hold: MessageHold, refuse: (why: Error) => void): void {
  const parser: unknown = Reflect.get(driver, 'packetParser');
  if (!isParser(parser)) throw new Error('The MySQL driver has no parser to wrap.');
  const refusalOf = packetWalk(hold);
  let isRefused = false;
  const execute = (chunk: Buffer): void => {
    if (isRefused) return;
    const refusal = refusalOf(chunk);
    if (refusal === undefined) {
      parser.execute(chunk);
    } else {
      isRefused = true;
      refuse(refusal);
    }
  };
  Reflect.set(driver, 'packetParser', { execute });
}

/** Takes received bytes, in whatever pieces; returns why a message in them cannot be held. */
export function packetWalk(hold: MessageHold): (chunk: Buffer) => Error | undefined {
  /** Bytes still to come of the current packet. */
  let left = 0;
  /** Bytes received of an incomplete header, and the length they give so far. */
  let headerBytes = 0;
  let length = 0;
  let goesOn = false;
  return (chunk) => {
    let at = Math.min(left, chunk.length);
    left -= at;
    while (at < chunk.length) {
      if (headerBytes === 0 && chunk.length - at >= HEADER_BYTES) {
        length = chunk.readUIntLE(at, 3);
        at += HEADER_BYTES;
      } else {
        if (headerBytes < 3) length += chunk.readUInt8(at) << (8 * headerBytes);
        headerBytes += 1;
        at += 1;
        if (headerBytes < HEADER_BYTES) continue;
        headerBytes = 0;
      }
      const refusal = goesOn ? hold.more(length) : hold.begin(length);
      if (refusal !== undefined) return refusal;
      goesOn = length === FULL_PACKET_BYTES;
      const skipped = Math.min(length, chunk.length - at);
      left = length - skipped;
      at += skipped;
      length = 0;
    }
    return undefined;
  };
}

function isParser(parser: unknown): parser is PacketParser {
  return typeof parser === 'object' && parser !== null && 'execute' in parser && typeof parser.execute === 'function';
}
