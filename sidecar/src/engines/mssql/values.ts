import type { DriverValue } from '../values.ts';
import { type RawColumn, TDS } from './wire/tds-types.ts';

/** Turns the driver's value of a cell into one that loses nothing. */
export type ReadCell = (value: unknown) => DriverValue;

/** Reads the raw bytes of a value whose type the driver would not keep exact. */
export function rawCell(column: RawColumn): ReadCell {
  return (value) => (value instanceof Uint8Array ? readRaw(bufferOf(value), column) : null);
}

/** Reads what the driver keeps exact. */
export const plainCell: ReadCell = (value) => {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
      return value;
    default:
      if (value === null || value === undefined) return null;
      if (value instanceof Uint8Array) return value;
      throw new Error('The driver gave a value of an unknown kind.');
  }
};

/** The driver returns bigint as text. */
export const bigintCell: ReadCell = (value) => {
  if (typeof value !== 'string') return plainCell(value);
  // Up to fifteen digits every integer is exact as a number; beyond that the value decides.
  return value.length <= 15 ? Number(value) : BigInt(value);
};

/** A 32-bit float, in the fewest digits that identify it. */
export const realCell: ReadCell = (value) => (typeof value === 'number' ? shortestReal(value) : plainCell(value));

function shortestReal(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

function readRaw(bytes: Buffer, column: RawColumn): DriverValue {
  switch (column.type) {
    case TDS.DECIMAL:
    case TDS.NUMERIC:
      return readDecimal(bytes, column.scale);
    case TDS.MONEY:
    case TDS.SMALLMONEY:
    case TDS.MONEYN:
      return readMoney(bytes);
    case TDS.DATETIME:
    case TDS.SMALLDATETIME:
    case TDS.DATETIMEN:
      return bytes.length === 4 ? readSmallDateTime(bytes) : readDateTime(bytes);
    case TDS.DATE:
      return dateText(bytes.readUIntLE(0, 3));
    case TDS.TIME:
      return timeText(ticksOf(bytes, bytes.length, column.scale), column.scale);
    case TDS.DATETIME2:
      return readDateTime2(bytes, column.scale);
    case TDS.DATETIMEOFFSET:
      return readDateTimeOffset(bytes, column.scale);
    case TDS.VARIANT:
      return readVariant(bytes);
    default:
      return bytes;
  }
}

/** A number where JSON would write it with the same digits; `1.50` and numbers that are too long stay text. */
function decimalValue(text: string): DriverValue {
  if (text.length > 17) return text;
  const value = Number(text);
  return String(value) === text ? value : text;
}

/** One sign byte, then the digits as one integer. */
function readDecimal(bytes: Buffer, scale: number): DriverValue {
  let digits = 0n;
  for (let at = bytes.length - 1; at > 0; at -= 1) digits = (digits << 8n) | BigInt(bytes[at] ?? 0);
  return decimalValue(withPoint(bytes[0] === 0 && digits !== 0n, digits, scale));
}

function withPoint(negative: boolean, digits: bigint, scale: number): string {
  const text = digits.toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  return `${negative ? '-' : ''}${whole}${scale === 0 ? '' : `.${text.slice(-scale)}`}`;
}

const MONEY_SCALE = 4;

/** Ten-thousandths as an integer, upper half first. */
function readMoney(bytes: Buffer): DriverValue {
  const value =
    bytes.length === 4
      ? BigInt(bytes.readInt32LE(0))
      : (BigInt(bytes.readInt32LE(0)) << 32n) | BigInt(bytes.readUInt32LE(4));
  return decimalValue(withPoint(value < 0n, value < 0n ? -value : value, MONEY_SCALE));
}

/** Days from 0001-01-01 to 1900-01-01, the base of the two old types. */
const DAYS_TO_1900 = 693_595;
const MINUTE_TICKS = 60n * 10_000_000n;

function readSmallDateTime(bytes: Buffer): string {
  const minutes = BigInt(bytes.readUInt16LE(2));
  return `${dateText(bytes.readUInt16LE(0) + DAYS_TO_1900)} ${timeText(minutes * MINUTE_TICKS, 0)}`;
}

/** In units of 1/300 second; the server itself displays them rounded to milliseconds. */
function readDateTime(bytes: Buffer): string {
  const milliseconds = Math.round((bytes.readUInt32LE(4) * 10) / 3);
  return `${dateText(bytes.readInt32LE(0) + DAYS_TO_1900)} ${timeText(BigInt(milliseconds) * 10_000n, 3)}`;
}

function readDateTime2(bytes: Buffer, scale: number): string {
  const ticks = ticksOf(bytes, bytes.length - 3, scale);
  return `${dateText(bytes.readUIntLE(bytes.length - 3, 3))} ${timeText(ticks, scale)}`;
}

const DAY_TICKS = 86_400n * 10_000_000n;

/** Stored in UTC, written in local time with the offset. */
function readDateTimeOffset(bytes: Buffer, scale: number): string {
  const minutes = bytes.readInt16LE(bytes.length - 2);
  const utc = BigInt(bytes.readUIntLE(bytes.length - 5, 3)) * DAY_TICKS + ticksOf(bytes, bytes.length - 5, scale);
  const local = utc + BigInt(minutes) * MINUTE_TICKS;
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${dateText(Number(local / DAY_TICKS))} ${timeText(local % DAY_TICKS, scale)} ${offset}`;
}

/** The time of day in units of 100 ns, since seven digits are shown. */
function ticksOf(bytes: Buffer, length: number, scale: number): bigint {
  return BigInt(bytes.readUIntLE(0, length)) * 10n ** BigInt(7 - scale);
}

function timeText(ticks: bigint, scale: number): string {
  const seconds = Number(ticks / 10_000_000n);
  const text = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (scale === 0) return text;
  return `${text}.${String(ticks % 10_000_000n)
    .padStart(7, '0')
    .slice(0, scale)}`;
}

const MS_PER_DAY = 86_400_000;
/** Days from 0001-01-01 to 1970-01-01. */
const DAYS_TO_1970 = 719_162;

function dateText(days: number): string {
  return new Date((days - DAYS_TO_1970) * MS_PER_DAY).toISOString().slice(0, 10);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** A value with its type in front: type number, number of property bytes, these bytes, the value. */
function readVariant(bytes: Buffer): DriverValue {
  const type = bytes.readUInt8(0);
  const start = 2 + bytes.readUInt8(1);
  const facts = bytes.subarray(2, start);
  const value = bytes.subarray(start);
  const read = VARIANTS[type];
  if (read !== undefined) return read(value);
  const isDecimal = type === TDS.DECIMAL || type === TDS.NUMERIC;
  const scale = facts.length === 0 ? 0 : (facts[isDecimal ? 1 : 0] ?? 0);
  return readRaw(value, { type, length: value.length, precision: 0, scale });
}

const asUtf16: (value: Buffer) => DriverValue = (value) => value.toString('utf16le');
/** Text in one of the server's code pages: beyond ASCII it would need that page, so it is returned as bytes. */
const asAscii: (value: Buffer) => DriverValue = (value) =>
  value.every((byte) => byte < 0x80) ? value.toString('latin1') : value;

const VARIANTS: Readonly<Record<number, (value: Buffer) => DriverValue>> = {
  [TDS.TINYINT]: (value) => value.readUInt8(0),
  [TDS.BIT]: (value) => value.readUInt8(0) !== 0,
  [TDS.SMALLINT]: (value) => value.readInt16LE(0),
  [TDS.INT]: (value) => value.readInt32LE(0),
  [TDS.BIGINT]: (value) => value.readBigInt64LE(0),
  [TDS.REAL]: (value) => shortestReal(value.readFloatLE(0)),
  [TDS.FLOAT]: (value) => value.readDoubleLE(0),
  [TDS.GUID]: readGuid,
  [TDS.NVARCHAR]: asUtf16,
  [TDS.NCHAR]: asUtf16,
  [TDS.VARCHAR]: asAscii,
  [TDS.CHAR]: asAscii,
};

/** The first three groups have their lowest byte first. */
function readGuid(value: Buffer): string {
  const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
  const hex = order.map((at) => (value[at] ?? 0).toString(16).padStart(2, '0').toUpperCase()).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function bufferOf(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
