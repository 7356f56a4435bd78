import type { ReadCell } from '../read-row.ts';

/** A result's column, as the server describes it. */
export interface Field {
  readonly name: string;
  readonly columnType: number;
  readonly columnLength: number;
  readonly characterSet: number;
  readonly flags: number;
  readonly decimals: number;
  readonly table: string;
  /** The names of MariaDB's own types, which are sent as text. */
  readonly extendedTypeName?: string | undefined;
  readonly extendedFormat?: string | undefined;
}

/** The protocol's column types. */
const TYPE = {
  decimal: 0,
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  null: 6,
  timestamp: 7,
  longlong: 8,
  int24: 9,
  date: 10,
  time: 11,
  datetime: 12,
  year: 13,
  newdate: 14,
  varchar: 15,
  bit: 16,
  vector: 242,
  json: 245,
  newdecimal: 246,
  enum: 247,
  set: 248,
  tinyBlob: 249,
  mediumBlob: 250,
  longBlob: 251,
  blob: 252,
  varString: 253,
  string: 254,
  geometry: 255,
} as const;

const BINARY_CHARSET = 63;
const FLAG_UNSIGNED = 32;
const FLAG_ENUM = 256;
const FLAG_SET = 2048;
/** Numbers with up to this many digits are exact, integers and decimals alike. */
const EXACT_DIGITS = 15;
const NO_FRACTION = 31;

/** How to read a column's cells from the server's text. */
export function cellReader(field: Field): ReadCell<Buffer> {
  switch (field.columnType) {
    case TYPE.tiny:
    case TYPE.short:
    case TYPE.long:
    case TYPE.int24:
    case TYPE.year:
    case TYPE.float:
    case TYPE.double:
      return readNumber;
    case TYPE.longlong:
      return readInteger;
    case TYPE.decimal:
    case TYPE.newdecimal:
      return readDecimal;
    case TYPE.bit:
      return readBits;
    case TYPE.geometry:
    case TYPE.vector:
      return readBytes;
    case TYPE.json:
      return readText;
    default:
      return isBinary(field) ? readBytes : readText;
  }
}

/** Whether the bytes of a column's cells can go into a text file unchanged. */
export function isAsText(field: Field): boolean {
  return isText(field) || isNumeral(field);
}

/** Whether a column's cells are texts. */
export function isText(field: Field): boolean {
  return cellReader(field) === readText;
}

/** Whether a column's cells are the digits of numbers. */
export function isNumeral(field: Field): boolean {
  return NUMBERS.has(cellReader(field));
}

/** Whether a total of a column's cells means something: years are numerals too. */
export function isAddable(field: Field): boolean {
  return isNumeral(field) && field.columnType !== TYPE.year;
}

function isBinary({ columnType, characterSet, extendedTypeName }: Field): boolean {
  const mayBe = columnType === TYPE.varchar || columnType >= TYPE.enum;
  return mayBe && characterSet === BINARY_CHARSET && extendedTypeName === undefined;
}

function readNumber(bytes: Buffer): number {
  return Number(bytes.toString('latin1'));
}

function readInteger(bytes: Buffer): number | bigint {
  const text = bytes.toString('latin1');
  return text.length <= EXACT_DIGITS ? Number(text) : BigInt(text);
}

/** A number where that is exact, digit for digit; else the text. */
function readDecimal(bytes: Buffer): number | bigint | string {
  const text = bytes.toString('latin1');
  if (text.length <= EXACT_DIGITS) return Number(text);
  if (!text.includes('.')) return BigInt(text);
  // Leading and trailing zeros, the sign and the point are not significant.
  let end = text.length;
  while (text[end - 1] === '0') end -= 1;
  const digits = text.slice(0, end).replace(/^-?0*/, '').replace('.', '').replace(/^0+/, '');
  return digits.length <= EXACT_DIGITS ? Number(text) : text;
}

const NUMBERS: ReadonlySet<ReadCell<Buffer>> = new Set([readNumber, readInteger, readDecimal]);

function readBits(bytes: Buffer): number | bigint {
  return bytes.length <= 6 ? bytes.readUIntBE(0, bytes.length) : BigInt(`0x${bytes.toString('hex')}`);
}

/** Copied: the packet's memory contains other rows and is reused. */
function readBytes(bytes: Buffer): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes);
}

function readText(bytes: Buffer): string {
  return bytes.toString('utf8');
}

const NAMES: Readonly<Record<number, string | undefined>> = {
  [TYPE.tiny]: 'tinyint',
  [TYPE.short]: 'smallint',
  [TYPE.long]: 'int',
  [TYPE.int24]: 'mediumint',
  [TYPE.longlong]: 'bigint',
  [TYPE.float]: 'float',
  [TYPE.double]: 'double',
  [TYPE.null]: 'null',
  [TYPE.date]: 'date',
  [TYPE.newdate]: 'date',
  [TYPE.year]: 'year',
  [TYPE.vector]: 'vector',
  [TYPE.json]: 'json',
  [TYPE.enum]: 'enum',
  [TYPE.set]: 'set',
};

/** The name of a column's type, as in a CREATE TABLE. */
export function typeName(field: Field): string {
  const { columnType, flags, decimals } = field;
  if (field.extendedFormat === 'json') return 'json';
  if (field.extendedTypeName !== undefined) return field.extendedTypeName;
  const unsigned = (flags & FLAG_UNSIGNED) !== 0 ? ' unsigned' : '';
  if (columnType === TYPE.decimal || columnType === TYPE.newdecimal) return `${decimalName(field)}${unsigned}`;
  if ((flags & FLAG_ENUM) !== 0) return 'enum';
  if ((flags & FLAG_SET) !== 0) return 'set';
  const timed = timedName(columnType);
  if (timed !== undefined) return decimals > 0 && decimals < NO_FRACTION ? `${timed}(${decimals})` : timed;
  const named = NAMES[columnType];
  if (named !== undefined) return isNumber(columnType) ? `${named}${unsigned}` : named;
  if (columnType === TYPE.bit) return `bit(${field.columnLength})`;
  if (columnType === TYPE.geometry) return 'geometry';
  return textName(field);
}

function isNumber(columnType: number): boolean {
  return columnType <= TYPE.double || columnType === TYPE.longlong || columnType === TYPE.int24;
}

function timedName(columnType: number): string | undefined {
  if (columnType === TYPE.timestamp) return 'timestamp';
  if (columnType === TYPE.datetime) return 'datetime';
  return columnType === TYPE.time ? 'time' : undefined;
}

/** The length includes the sign and the point. */
function decimalName({ columnLength, decimals, flags }: Field): string {
  const sign = (flags & FLAG_UNSIGNED) === 0 ? 1 : 0;
  const point = decimals > 0 ? 1 : 0;
  return `decimal(${columnLength - sign - point},${decimals})`;
}

function textName(field: Field): string {
  const binary = isBinary(field);
  switch (field.columnType) {
    case TYPE.string:
      return binary ? 'binary' : 'char';
    case TYPE.varchar:
    case TYPE.varString:
      return binary ? 'varbinary' : 'varchar';
    default:
      return binary ? 'blob' : 'text';
  }
}
