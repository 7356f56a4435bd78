/** The protocol's type numbers (MS-TDS 2.2.5.4) that this engine distinguishes. */
export const TDS = {
  NULL: 0x1f,
  TINYINT: 0x30,
  BIT: 0x32,
  SMALLINT: 0x34,
  INT: 0x38,
  SMALLDATETIME: 0x3a,
  REAL: 0x3b,
  MONEY: 0x3c,
  DATETIME: 0x3d,
  FLOAT: 0x3e,
  SMALLMONEY: 0x7a,
  BIGINT: 0x7f,
  IMAGE: 0x22,
  TEXT: 0x23,
  GUID: 0x24,
  INTN: 0x26,
  DATE: 0x28,
  TIME: 0x29,
  DATETIME2: 0x2a,
  DATETIMEOFFSET: 0x2b,
  VARIANT: 0x62,
  NTEXT: 0x63,
  BITN: 0x68,
  DECIMAL: 0x6a,
  NUMERIC: 0x6c,
  FLOATN: 0x6d,
  MONEYN: 0x6e,
  DATETIMEN: 0x6f,
  VARBINARY: 0xa5,
  VARCHAR: 0xa7,
  BINARY: 0xad,
  CHAR: 0xaf,
  NVARCHAR: 0xe7,
  NCHAR: 0xef,
  UDT: 0xf0,
  XML: 0xf1,
} as const;

/** How a value's length is encoded. */
export type LengthClass =
  | { readonly by: 'type'; readonly bytes: number }
  | { readonly by: 'byte' | 'short' | 'long' | 'pointer' | 'parts' };

/** How the values of a type are encoded; undefined for an unknown type. */
export function lengthClass(type: number, maxLength: number): LengthClass | undefined {
  const bytes = FIXED[type];
  if (bytes !== undefined) return { by: 'type', bytes };
  if (BYTE_LENGTH.has(type)) return { by: 'byte' };
  if (SHORT_LENGTH.has(type)) return { by: maxLength === MAX ? 'parts' : 'short' };
  if (type === TDS.XML || type === TDS.UDT) return { by: 'parts' };
  if (type === TDS.VARIANT) return { by: 'long' };
  return type === TDS.TEXT || type === TDS.NTEXT || type === TDS.IMAGE ? { by: 'pointer' } : undefined;
}

/** The declared length of `varchar(max)` and similar types. */
export const MAX = 0xffff;

const FIXED: Readonly<Record<number, number>> = {
  [TDS.NULL]: 0,
  [TDS.TINYINT]: 1,
  [TDS.BIT]: 1,
  [TDS.SMALLINT]: 2,
  [TDS.INT]: 4,
  [TDS.SMALLDATETIME]: 4,
  [TDS.REAL]: 4,
  [TDS.MONEY]: 8,
  [TDS.DATETIME]: 8,
  [TDS.FLOAT]: 8,
  [TDS.SMALLMONEY]: 4,
  [TDS.BIGINT]: 8,
};

const BYTE_LENGTH: ReadonlySet<number> = new Set([
  TDS.GUID,
  TDS.INTN,
  TDS.DATE,
  TDS.TIME,
  TDS.DATETIME2,
  TDS.DATETIMEOFFSET,
  TDS.BITN,
  TDS.DECIMAL,
  TDS.NUMERIC,
  TDS.FLOATN,
  TDS.MONEYN,
  TDS.DATETIMEN,
]);

const SHORT_LENGTH: ReadonlySet<number> = new Set([
  TDS.VARBINARY,
  TDS.VARCHAR,
  TDS.BINARY,
  TDS.CHAR,
  TDS.NVARCHAR,
  TDS.NCHAR,
]);

/** Types whose values the driver rounds or shortens: their raw bytes are read instead. */
export const READ_RAW: ReadonlySet<number> = new Set([
  TDS.SMALLDATETIME,
  TDS.MONEY,
  TDS.DATETIME,
  TDS.SMALLMONEY,
  TDS.DATE,
  TDS.TIME,
  TDS.DATETIME2,
  TDS.DATETIMEOFFSET,
  TDS.VARIANT,
  TDS.DECIMAL,
  TDS.NUMERIC,
  TDS.MONEYN,
  TDS.DATETIMEN,
]);

/** A column's original type, when its values are delivered as bytes. */
export interface RawColumn {
  readonly type: number;
  readonly length: number;
  readonly precision: number;
  readonly scale: number;
}

/** No server has a user type this high. */
const MARK = 0xd;

/** A column's original type, packed into the number that the driver passes on untouched. */
export function packRawColumn({ type, length, precision, scale }: RawColumn): number {
  return ((MARK << 28) | (length << 21) | (precision << 13) | (scale << 8) | type) >>> 0;
}

/** The column's original type, where its values are bytes. */
export function unpackRawColumn(userType: number): RawColumn | undefined {
  if (userType >>> 28 !== MARK) return undefined;
  return {
    type: userType & 0xff,
    length: (userType >>> 21) & 0x7f,
    precision: (userType >>> 13) & 0xff,
    scale: (userType >>> 8) & 0x1f,
  };
}
