import { Transform, type TransformCallback } from 'node:stream';
import type { MessageHold } from '../../held-bytes.ts';
import { MAX_SERVER_MESSAGE_BYTES } from '../../limits.ts';
import { type LengthClass, lengthClass, packRawColumn, READ_RAW, TDS } from './tds-types.ts';

const TOKEN = {
  RETURNSTATUS: 0x79,
  COLMETADATA: 0x81,
  RETURNVALUE: 0xac,
  ROW: 0xd1,
  NBCROW: 0xd2,
  DONE: 0xfd,
  DONEPROC: 0xfe,
  DONEINPROC: 0xff,
} as const;
/** ORDER, TABNAME, COLINFO, ERROR, INFO, LOGINACK, ENVCHANGE, SSPI: their length is in the next two bytes. */
const WITH_LENGTH = new Set([0xa9, 0xa4, 0xa5, 0xaa, 0xab, 0xad, 0xe3, 0xed]);
const DONE_BYTES = 12;
const NULL_SHORT = 0xffff;
const NULL_PARTS = 0xffffffffffffffffn;
const UNKNOWN_PARTS = 0xfffffffffffffffen;
const TEXT_HEAD_BYTES = 8;
/** User type, flags, type number, and what follows the type number of the types that are changed. */
const COLUMN_HEAD_BYTES = 11;
const LONGEST_BINARY = 8000;
/** How much of an unwanted answer is discarded before other work gets a turn. */
const DROP_SLICE_BYTES = 256 * 1024;

interface Column {
  readonly length: LengthClass;
  readonly raw: boolean;
}

interface TypeInfo {
  readonly type: number;
  readonly length: LengthClass;
  readonly maxLength: number;
  readonly precision: number;
  readonly scale: number;
}

/**
 * Sits between the connection and the driver's reader of results. The driver turns decimals and money into floating
 * point, and loses offsets and fractions of times: columns of these types are redeclared as binary, so that their raw
 * bytes arrive, and the original type travels in a number the driver passes on. Everything else passes unchanged.
 */
export class RawValues extends Transform {
  readonly type: number;
  readonly resetConnection: boolean;
  ignore: boolean;
  readonly #walk: Generator<void, never>;
  readonly #hold: MessageHold;
  #in: Buffer = Buffer.alloc(0);
  #at = 0;
  /** From here on the input has not been passed on yet. */
  #kept = 0;
  #out: Buffer = Buffer.alloc(0);
  #length = 0;
  #columns: readonly Column[] = [];
  #isDropped = false;
  #droppedBytes = 0;

  constructor(
    message: { readonly type: number; readonly resetConnection: boolean; readonly ignore: boolean },
    hold: MessageHold,
  ) {
    super();
    this.#hold = hold;
    this.type = message.type;
    this.resetConnection = message.resetConnection;
    this.ignore = message.ignore;
    this.#walk = this.#tokens();
  }

  /** The rest is unwanted: it is discarded unread, and its end is not reported. */
  discardRest(): void {
    this.#isDropped = true;
    this.#hold.end();
  }

  override _flush(callback: TransformCallback): void {
    // The driver's reader may be in the middle of a row, and would take the end for a broken connection.
    if (!this.#isDropped) callback();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    if (this.#isDropped) {
      this.#skipChunk(chunk, callback);
      return;
    }
    this.#in = this.#kept === this.#in.length ? chunk : Buffer.concat([this.#in.subarray(this.#kept), chunk]);
    this.#at -= this.#kept;
    this.#kept = 0;
    try {
      this.#walk.next();
      this.#keep();
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    const out = this.#out.subarray(0, this.#length);
    // What has been passed on belongs to the reader now.
    this.#out = Buffer.alloc(0);
    this.#length = 0;
    callback(null, out.length === 0 ? undefined : out);
  }

  /** In slices, because rows may arrive as fast as the network allows and other work needs its turn. */
  #skipChunk({ length }: Buffer, callback: TransformCallback): void {
    this.#droppedBytes += length;
    if (this.#droppedBytes < DROP_SLICE_BYTES) {
      callback();
      return;
    }
    this.#droppedBytes = 0;
    setImmediate(callback);
  }

  *#tokens(): Generator<void, never> {
    for (;;) {
      while (this.#lacks(1)) yield;
      // The driver keeps the values of a row until the last one has arrived.
      this.#hold.begin(0);
      const token = this.#in.readUInt8(this.#at);
      this.#at += 1;
      if (token === TOKEN.ROW) yield* this.#row(false);
      else if (token === TOKEN.NBCROW) yield* this.#row(true);
      else if (token === TOKEN.COLMETADATA) yield* this.#metadata();
      else if (token === TOKEN.RETURNVALUE) yield* this.#returnValue();
      else if (token === TOKEN.RETURNSTATUS) yield* this.#skip(4);
      else if (token >= TOKEN.DONE) yield* this.#skip(DONE_BYTES);
      else if (WITH_LENGTH.has(token)) yield* this.#skip(yield* this.#short());
      else throw new Error(`The server sent a token of an unknown kind: 0x${token.toString(16)}.`);
    }
  }

  *#metadata(): Generator<void, void> {
    const count = yield* this.#short();
    const columns: Column[] = [];
    for (let i = 0; count !== NULL_SHORT && i < count; i += 1) columns.push(yield* this.#column());
    this.#columns = columns;
  }

  *#column(): Generator<void, Column> {
    // A column, and the token after the last one, take more bytes than this, so a type to be changed is complete here.
    while (this.#lacks(COLUMN_HEAD_BYTES)) yield;
    this.#keep();
    const start = this.#at;
    const flags = this.#in.readUInt16LE(start + 4);
    // No server value may be mistaken for the mark.
    if (this.#in.readUInt32LE(start) >>> 28 !== 0) this.#in.writeUInt32LE(0, start);
    this.#at += 6;
    const info = yield* this.#typeInfo();
    const raw = READ_RAW.has(info.type);
    if (raw) {
      this.#declareBinary(info, flags);
      this.#kept = this.#at;
    }
    if (info.length.by === 'pointer') yield* this.#tableNames();
    yield* this.#skip((yield* this.#byte()) * 2);
    return { length: info.length, raw };
  }

  #declareBinary({ type, maxLength, precision, scale }: TypeInfo, flags: number): void {
    this.#write(9);
    const at = this.#length - 9;
    this.#out.writeUInt32LE(
      packRawColumn({ type, length: type === TDS.VARIANT ? 0 : maxLength, precision, scale }),
      at,
    );
    this.#out.writeUInt16LE(flags, at + 4);
    this.#out.writeUInt8(TDS.VARBINARY, at + 6);
    this.#out.writeUInt16LE(LONGEST_BINARY, at + 7);
  }

  /** Skips the type of a column or parameter. */
  *#typeInfo(): Generator<void, TypeInfo> {
    const type = yield* this.#byte();
    let maxLength = 0;
    let precision = 0;
    let scale = 0;
    if (type === TDS.DECIMAL || type === TDS.NUMERIC) {
      maxLength = yield* this.#byte();
      precision = yield* this.#byte();
      scale = yield* this.#byte();
    } else if (type === TDS.TIME || type === TDS.DATETIME2 || type === TDS.DATETIMEOFFSET) {
      scale = yield* this.#byte();
    } else if (type === TDS.UDT) {
      yield* this.#skip(2);
      for (let i = 0; i < 3; i += 1) yield* this.#skip((yield* this.#byte()) * 2);
      yield* this.#skip((yield* this.#short()) * 2);
    } else if (type === TDS.XML) {
      if ((yield* this.#byte()) === 1) {
        for (let i = 0; i < 2; i += 1) yield* this.#skip((yield* this.#byte()) * 2);
        yield* this.#skip((yield* this.#short()) * 2);
      }
    } else if (type !== TDS.DATE) {
      maxLength = yield* this.#declaredLength(type);
    }
    const length = lengthClass(type, maxLength);
    if (length === undefined) throw new Error(`The server sent a column of an unknown type: 0x${type.toString(16)}.`);
    return { type, length, maxLength, precision, scale };
  }

  *#declaredLength(type: number): Generator<void, number> {
    const by = lengthClass(type, 0)?.by;
    if (by === 'byte') return yield* this.#byte();
    if (by === 'short') {
      const length = yield* this.#short();
      // For texts a collation follows the length.
      if (type !== TDS.VARBINARY && type !== TDS.BINARY) yield* this.#skip(5);
      return length;
    }
    if (by !== 'long' && by !== 'pointer') return 0;
    while (this.#lacks(4)) yield;
    const length = this.#in.readUInt32LE(this.#at);
    this.#at += 4;
    if (by === 'pointer' && type !== TDS.IMAGE) yield* this.#skip(5);
    return length;
  }

  *#tableNames(): Generator<void, void> {
    const parts = yield* this.#byte();
    for (let i = 0; i < parts; i += 1) yield* this.#skip((yield* this.#short()) * 2);
  }

  *#returnValue(): Generator<void, void> {
    yield* this.#skip(2);
    yield* this.#skip((yield* this.#byte()) * 2);
    yield* this.#skip(1 + 4 + 2);
    const { length } = yield* this.#typeInfo();
    yield* this.#value({ length, raw: false });
  }

  *#row(mayLeaveOut: boolean): Generator<void, void> {
    const columns = this.#columns;
    let nulls: Uint8Array | undefined;
    if (mayLeaveOut) {
      const bytes = (columns.length + 7) >> 3;
      while (this.#lacks(bytes)) yield;
      // Copied: the underlying buffer changes when more data arrives.
      nulls = Uint8Array.from(this.#in.subarray(this.#at, this.#at + bytes));
      this.#at += bytes;
    }
    for (let i = 0; i < columns.length; i += 1) {
      const column = columns[i];
      if (column === undefined || (nulls !== undefined && ((nulls[i >> 3] ?? 0) >> (i & 7)) & 1)) continue;
      if (column.length.by !== 'short' || column.raw) {
        yield* this.#value(column);
        continue;
      }
      while (this.#lacks(2)) yield;
      const length = this.#in.readUInt16LE(this.#at);
      this.#at += 2;
      if (length !== NULL_SHORT) yield* this.#skip(length);
    }
  }

  *#value({ length, raw }: Column): Generator<void, void> {
    switch (length.by) {
      case 'type':
        if (raw) yield* this.#rawValue(0, length.bytes);
        else yield* this.#skip(length.bytes);
        break;
      case 'byte': {
        while (this.#lacks(1)) yield;
        const bytes = this.#in.readUInt8(this.#at);
        if (raw) yield* this.#rawValue(1, bytes);
        else yield* this.#skip(1 + bytes);
        break;
      }
      case 'short': {
        const bytes = yield* this.#short();
        if (bytes !== NULL_SHORT) yield* this.#skip(bytes);
        break;
      }
      case 'long': {
        while (this.#lacks(4)) yield;
        const bytes = this.#in.readUInt32LE(this.#at);
        if (raw) yield* this.#rawValue(4, bytes);
        else yield* this.#skip(4 + bytes);
        break;
      }
      case 'pointer':
        yield* this.#pointer();
        break;
      default:
        yield* this.#parts();
    }
  }

  /** A value with its own form of length gets a two-byte length; an empty one is NULL. */
  *#rawValue(head: number, bytes: number): Generator<void, void> {
    while (this.#lacks(head + bytes)) yield;
    this.#keep();
    this.#write(2);
    this.#out.writeUInt16LE(bytes === 0 ? NULL_SHORT : bytes, this.#length - 2);
    this.#kept = this.#at + head;
    this.#at = this.#kept + bytes;
  }

  *#pointer(): Generator<void, void> {
    const pointer = yield* this.#byte();
    if (pointer === 0) return;
    yield* this.#skip(pointer + TEXT_HEAD_BYTES);
    while (this.#lacks(4)) yield;
    const bytes = this.#in.readUInt32LE(this.#at);
    this.#at += 4;
    this.#announce(bytes);
    yield* this.#skip(bytes);
  }

  *#parts(): Generator<void, void> {
    while (this.#lacks(8)) yield;
    const total = this.#in.readBigUInt64LE(this.#at);
    this.#at += 8;
    if (total === NULL_PARTS) return;
    let announced = total === UNKNOWN_PARTS ? 0 : Number(total);
    this.#announce(announced);
    let sum = 0;
    for (;;) {
      while (this.#lacks(4)) yield;
      const bytes = this.#in.readUInt32LE(this.#at);
      this.#at += 4;
      if (bytes === 0) return;
      sum += bytes;
      if (sum > announced) {
        this.#announce(sum - announced);
        announced = sum;
      }
      yield* this.#skip(bytes);
    }
  }

  #announce(bytes: number): void {
    const refusal = this.#hold.more(bytes);
    if (refusal !== undefined) throw refusal;
  }

  *#byte(): Generator<void, number> {
    while (this.#lacks(1)) yield;
    const value = this.#in.readUInt8(this.#at);
    this.#at += 1;
    return value;
  }

  *#short(): Generator<void, number> {
    while (this.#lacks(2)) yield;
    const value = this.#in.readUInt16LE(this.#at);
    this.#at += 2;
    return value;
  }

  /** Bytes that pass unchanged, however many: what has arrived is passed on at once. */
  *#skip(bytes: number): Generator<void, void> {
    let left = bytes;
    for (;;) {
      const there = Math.min(left, this.#in.length - this.#at);
      this.#at += there;
      left -= there;
      if (left === 0) return;
      yield;
    }
  }

  /** Whether more data is needed for this many bytes. What was read so far is passed on meanwhile. */
  #lacks(bytes: number): boolean {
    return this.#at + bytes > this.#in.length;
  }

  /** Passes on what was read and stays unchanged. */
  #keep(): void {
    const bytes = this.#at - this.#kept;
    if (bytes === 0) return;
    this.#write(bytes);
    this.#in.copy(this.#out, this.#length - bytes, this.#kept, this.#at);
    this.#kept = this.#at;
  }

  /** Makes room for this many more bytes. */
  #write(bytes: number): void {
    this.#length += bytes;
    if (this.#length <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#out.length * 2, this.#in.length * 2));
    this.#out.copy(larger, 0, 0, this.#length - bytes);
    this.#out = larger;
  }
}

/** The length at which the server should cut texts, one above the limit, so that a cut text is noticed. */
export const TEXT_SIZE = MAX_SERVER_MESSAGE_BYTES + 2;
