import type { ExportFormat } from './engine.ts';
import { jsonClasses, writeJsonCell } from './json-cell.ts';
import { type Classes, classesOf, type LineBuffer } from './line-buffer.ts';
import { type DriverValue, encodeInteger } from './values.ts';

/** Writes rows as lines of a file. */
export interface LineFormat {
  /** The text before the first row. */
  readonly head: string;
  readonly write: (target: LineBuffer, values: readonly DriverValue[]) => void;
}

const COMMA = 44;
const CR = 13;
const LF = 10;
const OPENING_BRACKET = 91;
const CLOSING_BRACKET = 93;
const CLOSING_BRACE = 125;
const NEEDS_QUOTES = /[",\r\n]/;
/** Quoted to distinguish it from NULL. */
const EMPTY = '""';

/** The lines of a format. */
export function linesOf(format: ExportFormat, columns: readonly NamedColumn[]): LineFormat {
  if (format === 'cells') return cellLines(columns);
  const names = columns.map(({ name }) => name);
  return format === 'csv' ? csvLines(names) : jsonLines(names);
}

/** RFC 4180: CRLF, a header line, binary as hex, NULL as nothing, empty text and empty binary as "". */
export function csvLines(names: readonly string[]): LineFormat {
  const classes = classesOf(',\r\n', '"');
  return {
    head: `${names.map(csvText).join(',')}\r\n`,
    write(target, values) {
      for (let i = 0; i < values.length; i += 1) {
        const value = values[i];
        if (i > 0) target.byte(COMMA);
        if (value !== undefined && value !== null) csvField(target, value, classes);
      }
      target.byte(CR);
      target.byte(LF);
    },
  };
}

/** Writes one value as a CSV field. */
export function csvField(target: LineBuffer, value: Exclude<DriverValue, null>, classes: Classes): void {
  switch (typeof value) {
    case 'string':
      // An empty text is quoted to distinguish it from NULL.
      if (value === '' || !target.bare(value, classes)) target.text(csvText(value));
      break;
    case 'bigint': {
      const integer = encodeInteger(value);
      if (typeof integer === 'number') target.integer(integer);
      else target.text(integer);
      break;
    }
    case 'number':
      target.number(value);
      break;
    case 'boolean':
      target.text(String(value));
      break;
    default:
      target.text(value.byteLength === 0 ? EMPTY : hex(value));
  }
}

/** A text as a CSV field. */
function csvText(text: string): string {
  if (text !== '' && !NEEDS_QUOTES.test(text)) return text;
  return `"${text.replaceAll('"', '""')}"`;
}

function hex(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
}

/** One JSON object per line, with cells as in a query's answer but never cut. Repeated names get _2, _3. */
export function jsonLines(names: readonly string[]): LineFormat {
  const classes = jsonClasses();
  const keys = jsonKeys(names);
  return {
    head: '',
    write(target, values) {
      for (let i = 0; i < values.length; i += 1) {
        const key = keys[i];
        if (key !== undefined) target.raw(key);
        writeJsonCell(target, values[i] ?? null, classes, Number.POSITIVE_INFINITY, neverCut);
      }
      target.byte(CLOSING_BRACE);
      target.byte(LF);
    },
  };
}

/** A column of a result. The type is the database's name for it, where the result itself says so. */
export interface NamedColumn {
  readonly name: string;
  readonly type?: string | undefined;
}

/** The columns as one line of JSON, then an array of cells a line, as in a query's answer but never cut. */
export function cellLines(columns: readonly NamedColumn[]): LineFormat {
  const classes = jsonClasses();
  return {
    head: cellsHead(columns),
    write(target, values) {
      target.byte(OPENING_BRACKET);
      for (let i = 0; i < values.length; i += 1) {
        if (i > 0) target.byte(COMMA);
        writeJsonCell(target, values[i] ?? null, classes, Number.POSITIVE_INFINITY, neverCut);
      }
      target.byte(CLOSING_BRACKET);
      target.byte(LF);
    },
  };
}

/** The first line of a file of cells. */
export function cellsHead(columns: readonly NamedColumn[]): string {
  return `${JSON.stringify(columns.map(({ name, type }) => (type === undefined ? { name } : { name, type })))}\n`;
}

/** The text before each cell of a JSON line. */
export function jsonKeys(names: readonly string[]): Buffer[] {
  return uniqueNames(names).map((name, i) => Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`));
}

/** For cells that are written whole. */
export function neverCut(): void {
  throw new Error('A cell without a cap was cut.');
}

/** Numbers repeated names, skipping numbers that would give another column's name. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const seen = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 2; seen.has(unique); n += 1) {
      const next = `${name}_${n}`;
      if (!taken.has(next)) unique = next;
    }
    seen.add(unique);
    taken.add(unique);
    return unique;
  });
}
