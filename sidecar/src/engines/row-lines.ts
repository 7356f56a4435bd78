import { type DriverValue, encodeCell, encodeInteger, encodeNumber } from './values.ts';

/** Writes rows as lines of a file. */
export interface LineFormat {
  /** What stands before the first row. */
  readonly head: string;
  line(values: readonly DriverValue[]): string;
}

/** RFC 4180: CRLF, a header line, binary as hex, NULL as nothing and empty text as "". */
export function csvLines(names: readonly string[]): LineFormat {
  return { head: `${names.map(csvText).join(',')}\r\n`, line: csvLine };
}

function csvLine(values: readonly DriverValue[]): string {
  let line = '';
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (i > 0) line += ',';
    if (value !== undefined && value !== null) line += csvField(value);
  }
  return `${line}\r\n`;
}

function csvField(value: Exclude<DriverValue, null>): string {
  switch (typeof value) {
    case 'string':
      return csvText(value);
    case 'number':
      return String(encodeNumber(value));
    case 'object':
      return hex(value);
    default:
      return value.toString();
  }
}

const NEEDS_QUOTES = /[",\r\n]/;

function csvText(text: string): string {
  if (text !== '' && !NEEDS_QUOTES.test(text)) return text;
  return `"${text.replaceAll('"', '""')}"`;
}

function hex(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex');
}

/** One JSON object a line, cells as in a query's answer but whole. A name that repeats gets _2, _3. */
export function jsonLines(names: readonly string[]): LineFormat {
  const keys = uniqueNames(names).map((name, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  return {
    head: '',
    line(values) {
      let line = '';
      for (let i = 0; i < values.length; i += 1) line += `${keys[i]}${jsonField(values[i] ?? null)}`;
      return `${line}}\n`;
    },
  };
}

function jsonField(value: DriverValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') {
    const cell = encodeInteger(value);
    return typeof cell === 'number' ? String(cell) : `"${cell}"`;
  }
  return JSON.stringify(encodeCell(value, Number.POSITIVE_INFINITY, neverCut));
}

function neverCut(): void {
  throw new Error('A cell without a cap was cut.');
}

/** Names that repeat are numbered, and a number that is itself a column's name is passed over. */
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
