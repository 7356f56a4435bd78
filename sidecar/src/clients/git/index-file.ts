import { join } from 'node:path';
import { readGitFile, Undecided } from './undecided.ts';

// About a million files; reading that many takes some 50 ms.
const MAX_INDEX_BYTES = 64 * 1024 * 1024;
const MAX_NAME_BYTES = 16 * 1024;
/** Times, device, inode, mode, owner and size, before an entry's object name. */
const STAT_BYTES = 40;
const MODE_AT = 24;
const HEADER_BYTES = 12;
const FOLDER_MODE = 0o40000;
const EXTENDED = 0x4000;
/** The length of a name in its flags; this value means that long or longer. */
const LENGTH = 0x0fff;
const VERSIONS = [2, 3, 4];

interface Place {
  readonly gitDir: string;
  readonly hashBytes: number;
}

/**
 * Whether a working tree's index lists a path, given as Git writes it: from the top, with slashes. Letter case is
 * ignored, since the disk may ignore it. Throws Undecided where only Git could tell.
 */
export function isListed({ gitDir, hashBytes }: Place, path: string): boolean {
  const file = join(gitDir, 'index');
  const bytes = readGitFile(file, MAX_INDEX_BYTES);
  if (bytes === undefined) return false;
  const seen = readIndex(file, bytes, hashBytes, path);
  if (seen.isListed || seen.shared === undefined) return seen.isListed;
  // The other part of a split index. Entries deleted from it count as listed: that is the safe mistake.
  const sharedFile = join(gitDir, `sharedindex.${seen.shared}`);
  const shared = readGitFile(sharedFile, MAX_INDEX_BYTES);
  if (shared === undefined) throw new Undecided(`${sharedFile} is missing`);
  return readIndex(sharedFile, shared, hashBytes, path).isListed;
}

interface IndexFacts {
  readonly isListed: boolean;
  /** Of a split index: the name of the shared part. */
  readonly shared: string | undefined;
}

function readIndex(file: string, bytes: Buffer, hashBytes: number, path: string): IndexFacts {
  try {
    const { isListed, end } = readEntries(bytes, hashBytes, path);
    return { isListed, shared: readExtensions(bytes, end, hashBytes) };
  } catch (error) {
    // A number was read beyond the end.
    const reason = error instanceof Undecided ? error.message : 'it is damaged';
    throw new Undecided(`${file} is not understood: ${reason}`, { cause: error });
  }
}

function readEntries(bytes: Buffer, hashBytes: number, path: string): { isListed: boolean; end: number } {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || !VERSIONS.includes(version))
    throw new Undecided('its version is unknown');
  const wanted = new WantedPath(path);
  const name = new EntryName(bytes, version);
  let at = HEADER_BYTES;
  let isListed = false;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const isFolder = bytes.readUInt32BE(at + MODE_AT) === FOLDER_MODE;
    const flagsAt = at + STAT_BYTES + hashBytes;
    const flags = bytes.readUInt16BE(flagsAt);
    at = name.read(at, flagsAt + (flags & EXTENDED ? 4 : 2));
    if (Math.min(name.length, LENGTH) !== (flags & LENGTH)) throw new Undecided('it is damaged');
    if (isFolder && wanted.isBelow(name)) throw new Undecided('it is sparse and does not include this folder');
    isListed ||= wanted.is(name);
  }
  return { isListed, end: at };
}

/** Reads the names of the entries one after the other. */
class EntryName {
  readonly #bytes: Buffer;
  readonly #isPacked: boolean;
  readonly #name = Buffer.alloc(MAX_NAME_BYTES);
  #length = 0;

  constructor(bytes: Buffer, version: number) {
    this.#bytes = bytes;
    this.#isPacked = version === 4;
  }

  /** Reads the name at `nameAt` of the entry at `entryAt` and returns where the next entry begins. */
  read(entryAt: number, nameAt: number): number {
    const [kept, from] = this.#isPacked ? this.#keptOfLast(nameAt) : [0, nameAt];
    const end = this.#bytes.indexOf(0, from);
    const length = kept + end - from;
    if (end < 0 || kept < 0 || length > MAX_NAME_BYTES) throw new Undecided('it is damaged');
    this.#bytes.copy(this.#name, kept, from, end);
    this.#length = length;
    // Older versions pad with one to eight zeros.
    return this.#isPacked ? end + 1 : entryAt + (Math.floor((end - entryAt) / 8) + 1) * 8;
  }

  /** In version 4: how much of the previous name is kept, and where the rest of this one begins. */
  #keptOfLast(at: number): [number, number] {
    let next = at;
    let byte = this.#bytes.readUInt8(next++);
    let dropped = byte & 0x7f;
    while (byte >= 0x80) {
      byte = this.#bytes.readUInt8(next++);
      dropped = (dropped + 1) * 0x80 + (byte & 0x7f);
    }
    return [this.#length - dropped, next];
  }

  get length(): number {
    return this.#length;
  }

  /** The last byte; letters in lower case. */
  get lastByte(): number {
    return (this.#name[this.#length - 1] ?? 0) | 0x20;
  }

  toString(): string {
    return this.#name.toString('utf8', 0, this.#length);
  }
}

class WantedPath {
  readonly #folded: string;
  /** Distinguishes most names without reading them; undefined where the letter has several forms. */
  readonly #lastByte: number | undefined;

  constructor(path: string) {
    this.#folded = folded(path);
    const last = path.charCodeAt(path.length - 1);
    this.#lastByte = last < 0x80 ? last | 0x20 : undefined;
  }

  is(name: EntryName): boolean {
    if (this.#lastByte !== undefined && this.#lastByte !== name.lastByte) return false;
    return folded(name.toString()) === this.#folded;
  }

  /** A folder entry that stands for everything below it has a name ending in a slash. */
  isBelow(folder: EntryName): boolean {
    return this.#folded.startsWith(folded(folder.toString()));
  }
}

/** Disks that ignore letter case often ignore the Unicode form of accents too. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** The name of the shared part. An extension whose name starts in lower case changes the meaning of the entries. */
function readExtensions(bytes: Buffer, start: number, hashBytes: number): string | undefined {
  const end = bytes.length - hashBytes;
  let shared: string | undefined;
  let at = start;
  while (at < end) {
    const name = bytes.toString('latin1', at, at + 4);
    const body = at + 8;
    at = body + bytes.readUInt32BE(at + 4);
    if (name === 'link') shared = bytes.toString('hex', body, body + hashBytes);
    else if (name !== 'sdir' && !/^[A-Z]/.test(name))
      throw new Undecided('it has an extension that DevDB does not know');
  }
  if (at !== end) throw new Undecided('it is damaged');
  return shared === undefined || /^0*$/.test(shared) ? undefined : shared;
}
