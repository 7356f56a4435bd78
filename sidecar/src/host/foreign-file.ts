import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';

// The only place that reads a file whose path or kind others decide: the path in a repository, a connection or an
// editor's settings may be an endless device, a pipe without a writer, or another machine's share.

/** Why a file is not read. The reason follows the file's name in messages. */
export class UnfitFile extends Error {
  readonly code: 'EISDIR' | 'NOT_REGULAR' | 'TOO_LARGE' | 'NOT_LOCAL';

  constructor(code: UnfitFile['code'], reason: string) {
    super(reason);
    this.name = 'UnfitFile';
    this.code = code;
  }
}

/** Without blocking: a pipe's other end may never open. And a terminal must not become the process's own. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const CHUNK_BYTES = 64 * 1024;

const DEVICES = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])[ .:]*$/i;

/**
 * Why a path written by others is not a file of this machine, decided before anything touches it: even looking at a
 * share sends this user's name and a password proof to its host. Undefined for a path that may be looked at.
 */
export function notLocal(path: string, platform: string = process.platform): string | undefined {
  if (/^[\\/]{2}/.test(path)) return 'names another machine or a device, not a local file';
  if (/^file:/i.test(path)) return 'is a URL, not a path';
  return notAFile(path, platform);
}

/** The same for a path below a folder that may itself be on a share, as a project may. */
function notAFile(path: string, platform: string): string | undefined {
  if (path.includes('\0')) return 'holds a NUL character';
  if (platform !== 'win32') return undefined;
  const names = path
    .replace(/^[\\/]{2}[?.][\\/]/, '')
    .replace(/^[a-z]:/i, '')
    .split(/[\\/]/);
  if (names.some((name) => DEVICES.test(name.split('.', 1)[0] ?? ''))) return 'names a device of Windows';
  return names.some((name) => name.includes(':')) ? 'names a stream of a file' : undefined;
}

/** The bytes of a regular file on this machine, up to a limit. Throws UnfitFile, or the system's own error. */
export function readForeignSync(path: string, maxBytes: number, links?: 'not through a link'): Buffer {
  return withForeignSync(path, links, (file, stats) => {
    const chunks = new Chunks(stats, maxBytes);
    for (let room = chunks.room(); chunks.took(room, readSync(file, room, 0, room.length, null)); )
      room = chunks.room();
    return chunks.whole;
  });
}

/** The first bytes of a regular file on this machine, and its size. */
export function readHeadSync(path: string, bytes: number): { readonly head: Buffer; readonly size: number } {
  return withForeignSync(path, undefined, (file, { size }) => {
    const head = Buffer.alloc(bytes);
    return { head: head.subarray(0, readSync(file, head, 0, bytes, 0)), size };
  });
}

function withForeignSync<T>(
  path: string,
  links: 'not through a link' | undefined,
  use: (file: number, stats: Stats) => T,
): T {
  checkPath(path);
  // Also checked before opening: on some devices opening alone has an effect.
  checkKind(links === undefined ? statSync(path) : lstatSync(path));
  // What has become a link since then is not followed either; the system's error says so.
  const file = openSync(path, links === undefined ? FLAGS : FLAGS | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(file);
    checkKind(stats);
    return use(file, stats);
  } finally {
    closeSync(file);
  }
}

/** The same without blocking this thread; the signal ends it. */
export async function readForeign(path: string, maxBytes: number, signal?: AbortSignal): Promise<Buffer> {
  checkPath(path);
  checkKind(await stat(path));
  const file = await open(path, FLAGS);
  try {
    const stats = await file.stat();
    checkKind(stats);
    const chunks = new Chunks(stats, maxBytes);
    let room = chunks.room();
    while (chunks.took(room, (await file.read(room, 0, room.length, null)).bytesRead)) {
      signal?.throwIfAborted();
      room = chunks.room();
    }
    return chunks.whole;
  } finally {
    await file.close();
  }
}

function checkPath(path: string): void {
  const reason = notAFile(path, process.platform);
  if (reason !== undefined) throw new UnfitFile('NOT_LOCAL', reason);
}

function checkKind(stats: Stats): void {
  if (stats.isSymbolicLink()) throw new UnfitFile('NOT_REGULAR', 'is a link');
  if (stats.isDirectory()) throw new UnfitFile('EISDIR', 'is a folder');
  if (!stats.isFile()) throw new UnfitFile('NOT_REGULAR', 'is not a regular file');
}

/** What was read so far. Bytes are counted, since some file systems do not report sizes. */
class Chunks {
  readonly #chunks: Buffer[] = [];
  readonly #maxBytes: number;
  readonly #size: number;
  #bytes = 0;

  constructor({ size }: Stats, maxBytes: number) {
    this.#size = size;
    this.#maxBytes = maxBytes;
    this.#check(size);
  }

  get whole(): Buffer {
    return Buffer.concat(this.#chunks, this.#bytes);
  }

  /** Where the next bytes go: a byte more than the file says it has, so that one read tells whether there is more. */
  room(): Buffer {
    const left = this.#size - this.#bytes;
    return Buffer.allocUnsafe(left > 0 ? left + 1 : CHUNK_BYTES);
  }

  /** Whether there may be more. */
  took(room: Buffer, bytes: number): boolean {
    this.#bytes += bytes;
    this.#check(this.#bytes);
    this.#chunks.push(room.subarray(0, bytes));
    return bytes > 0 && this.#bytes !== this.#size;
  }

  #check(bytes: number): void {
    if (bytes > this.#maxBytes) throw new UnfitFile('TOO_LARGE', `is larger than ${this.#maxBytes / 1024} KiB`);
  }
}
