import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Socket } from 'node:net';

/** A listener that speaks just enough of a protocol to ask for a password. */
export interface RogueServer {
  readonly port: number;
  /** Every byte it received. */
  readonly received: () => Buffer;
  readonly end: () => Promise<void>;
}

/** Answers what a client sends; called with an empty chunk on connect. */
type Talk = (chunk: Buffer, socket: Socket) => void;

async function listen(talkTo: () => Talk): Promise<RogueServer> {
  const chunks: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const talk = talkTo();
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      talk(chunk, socket);
    });
    talk(Buffer.alloc(0), socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The rogue server has no port.');
  return {
    port: address.port,
    received: () => Buffer.concat(chunks),
    end: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

const CLEAR_TEXT = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const SCRAM = Buffer.concat([
  Buffer.from([0x52, 0, 0, 0, 23, 0, 0, 0, 10]),
  Buffer.from('SCRAM-SHA-256\0\0', 'latin1'),
]);
const SSL_REQUEST_BYTES = 8;

/** Postgres without TLS that asks for the password itself: at once, or after a harmless request. */
export function roguePostgres(behindScram = false): Promise<RogueServer> {
  return listen(() => {
    let answers = behindScram ? [SCRAM, CLEAR_TEXT] : [CLEAR_TEXT];
    return (chunk, socket) => {
      if (chunk.length === 0) return;
      if (chunk.length === SSL_REQUEST_BYTES) socket.write('N');
      else {
        const [next, ...rest] = answers;
        answers = rest;
        if (next) socket.write(next);
        else socket.end();
      }
    };
  });
}

const KEYS = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** The rogue MySQL server's key, with which it could decrypt what it received. */
export const ROGUE_PRIVATE_KEY = KEYS.privateKey;

function packet(sequence: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(body.length, 0, 3);
  head[3] = sequence;
  return Buffer.concat([head, body]);
}

function greeting(plugin: string): Buffer {
  // Protocol 4.1, plugins, secure connection; no TLS.
  const capabilities = 0x0000_0200 | 0x0008_0000 | 0x0000_8000 | 0x0000_0008;
  const low = Buffer.alloc(2);
  low.writeUInt16LE(capabilities & 0xffff);
  const high = Buffer.alloc(2);
  high.writeUInt16LE(capabilities >>> 16);
  const parts = [Buffer.from([10]), Buffer.from('8.4.0\0'), Buffer.from([1, 0, 0, 0]), Buffer.alloc(8, 0x41)];
  const rest = [Buffer.from([0]), low, Buffer.from([45, 2, 0]), high, Buffer.from([21]), Buffer.alloc(10)];
  return packet(
    0,
    Buffer.concat([...parts, ...rest, Buffer.alloc(12, 0x42), Buffer.from([0]), Buffer.from(`${plugin}\0`)]),
  );
}

function switchTo(plugin: string): Buffer {
  return Buffer.concat([Buffer.from([0xfe]), Buffer.from(`${plugin}\0`), Buffer.alloc(20, 0x43), Buffer.from([0])]);
}

const FULL_AUTHENTICATION = Buffer.from([1, 4]);
const PUBLIC_KEY = Buffer.concat([Buffer.from([1]), Buffer.from(KEYS.publicKey)]);

/** MySQL without TLS that asks for the password by one of the plugins, whatever its greeting says. */
export function rogueMysql(plugin: string, greets = plugin): Promise<RogueServer> {
  return listen(() => {
    const answers = [
      switchTo(plugin),
      ...(plugin === 'caching_sha2_password' ? [FULL_AUTHENTICATION] : []),
      ...(plugin === 'mysql_clear_password' ? [] : [PUBLIC_KEY]),
    ];
    return (chunk, socket) => {
      if (chunk.length === 0) {
        socket.write(greeting(greets));
        return;
      }
      const next = answers.shift();
      if (next) socket.write(packet(((chunk[3] ?? 0) + 1) & 0xff, next));
      else socket.end();
    };
  });
}
