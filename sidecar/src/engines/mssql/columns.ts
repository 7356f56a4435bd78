import { bigintCell, plainCell, type ReadCell, rawCell, realCell } from './values.ts';
import { MAX, type RawColumn, TDS, unpackRawColumn } from './wire/tds-types.ts';

/** A column of a result: its name, its type in the server's words, and how its cells are read. */
export interface ResultColumn {
  readonly name: string;
  readonly type: string;
  readonly read: ReadCell;
}

/** The driver's description of a column. */
export interface DriverColumn {
  readonly colName: string;
  readonly userType: number;
  readonly type: { readonly id: number };
  readonly dataLength?: number | undefined;
  readonly udtInfo?: { readonly typeName: string } | undefined;
}

/** The user type of rowversion, which otherwise looks like binary(8). */
const ROWVERSION = 80;

/** Reads the driver's description of a column. */
export function readColumn(column: DriverColumn): ResultColumn {
  const raw = unpackRawColumn(column.userType);
  if (raw !== undefined) return { name: column.colName, type: rawTypeName(raw), read: rawCell(raw) };
  return { name: column.colName, type: typeName(column), read: readerOf(column) };
}

function readerOf({ type: { id }, dataLength }: DriverColumn): ReadCell {
  if (id === TDS.BIGINT || (id === TDS.INTN && dataLength === 8)) return bigintCell;
  if (id === TDS.REAL || (id === TDS.FLOATN && dataLength === 4)) return realCell;
  return plainCell;
}

function rawTypeName({ type, length, precision, scale }: RawColumn): string {
  switch (type) {
    case TDS.DECIMAL:
      return `decimal(${precision},${scale})`;
    case TDS.NUMERIC:
      return `numeric(${precision},${scale})`;
    case TDS.MONEYN:
      return length === 4 ? 'smallmoney' : 'money';
    case TDS.DATETIMEN:
      return length === 4 ? 'smalldatetime' : 'datetime';
    case TDS.TIME:
      return `time(${scale})`;
    case TDS.DATETIME2:
      return `datetime2(${scale})`;
    case TDS.DATETIMEOFFSET:
      return `datetimeoffset(${scale})`;
    default:
      return NAMES[type] ?? 'unknown';
  }
}

function typeName({ type: { id }, dataLength = 0, udtInfo, userType }: DriverColumn): string {
  switch (id) {
    case TDS.INTN:
      return { 1: 'tinyint', 2: 'smallint', 4: 'int', 8: 'bigint' }[dataLength] ?? 'int';
    case TDS.FLOATN:
      return dataLength === 4 ? 'real' : 'float';
    case TDS.NVARCHAR:
    case TDS.NCHAR:
      return `${NAMES[id] ?? ''}(${dataLength === MAX ? 'max' : dataLength / 2})`;
    case TDS.BINARY:
      if (userType === ROWVERSION) return 'rowversion';
      return `binary(${dataLength})`;
    case TDS.VARBINARY:
    case TDS.VARCHAR:
    case TDS.CHAR:
      return `${NAMES[id] ?? ''}(${dataLength === MAX ? 'max' : dataLength})`;
    case TDS.UDT:
      return udtInfo?.typeName ?? 'udt';
    default:
      return NAMES[id] ?? 'unknown';
  }
}

const NAMES: Readonly<Record<number, string>> = {
  [TDS.NULL]: 'void',
  [TDS.TINYINT]: 'tinyint',
  [TDS.BIT]: 'bit',
  [TDS.BITN]: 'bit',
  [TDS.SMALLINT]: 'smallint',
  [TDS.INT]: 'int',
  [TDS.BIGINT]: 'bigint',
  [TDS.REAL]: 'real',
  [TDS.FLOAT]: 'float',
  [TDS.MONEY]: 'money',
  [TDS.SMALLMONEY]: 'smallmoney',
  [TDS.DATETIME]: 'datetime',
  [TDS.SMALLDATETIME]: 'smalldatetime',
  [TDS.DATE]: 'date',
  [TDS.VARIANT]: 'sql_variant',
  [TDS.GUID]: 'uniqueidentifier',
  [TDS.IMAGE]: 'image',
  [TDS.TEXT]: 'text',
  [TDS.NTEXT]: 'ntext',
  [TDS.XML]: 'xml',
  [TDS.NVARCHAR]: 'nvarchar',
  [TDS.NCHAR]: 'nchar',
  [TDS.VARCHAR]: 'varchar',
  [TDS.CHAR]: 'char',
  [TDS.VARBINARY]: 'varbinary',
};
