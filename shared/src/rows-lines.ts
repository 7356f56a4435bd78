import { restOfLine } from './line-items.ts';
import { rowsParts } from './rows-text.ts';

/*
 * Rows as a model reads them. The names once, then a line for each row, cells between tabs; one row of a wide table as
 * `name: value` lines. Values are JSON, but a text stands bare unless it could be taken for another value. Lines that
 * begin with `-- ` say what the rows do not: that there are more of them, which cells were cut, what a change changed.
 * Types are left out; everything else can be read back. o200k tokens of the answers that `npm run bench -- tokens`
 * measures, in lines, as JSON with the names once, and as @bytebase/dbhub writes them:
 *
 *   100 rows of four columns      1275 1350 3730      10 rows of them     135  150  430
 *   100 rows of two columns        502  711 2064      50 rows of nulls    203  214 1220
 *   50 rows of a sentence each     553  661 1376      7 groups             64   75  273
 *
 * A sentence in each row is most of what there is to say: 0.35 of dbhub's tokens is out of reach for those.
 */

/** From this many columns on, a row alone reads better with each name beside its value. */
const WIDE_COLUMNS = 8;

/**
 * Longer answers, which only a raised limit gives, are more than clients show their models: their rows stay the JSON
 * that they already are, since another text of that length would make the process grow.
 */
const MOST_CHARS = 64 * 1024;

const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORD_OF_JSON = /^(?:null|true|false|NaN|[+-]?Infinity)$/;
const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u;

/** The text of a tool's data that has rows, in pieces. */
export function rowsPieces(data: unknown): readonly string[] {
  const parts = rowsParts(data);
  if (parts === undefined) return [JSON.stringify(data)];
  const { rows, rest } = parts;
  const names = parts.columns.map(({ name }) => name);
  if (rows.length > MOST_CHARS) return briefPieces(names, rows, rest);
  const cells = cellsOf(rows);
  return [[...bodyOf(names, cells), ...notesOf(names, cells.length, rest)].join('\n')];
}

/** JSON with the names once. */
function briefPieces(names: readonly string[], rows: string, rest: Readonly<Record<string, unknown>>): string[] {
  const { query: _, truncated, rowCount, ...others } = rest;
  const told = JSON.stringify(truncated === true ? { rowCount, truncated, ...others } : others);
  const more = told === '{}' ? '}' : `,${told.slice(1)}`;
  return [`{"columns":${JSON.stringify(names)},"rows":`, rows, more];
}

function bodyOf(names: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const [only, ...more] = rows;
  if (names.length === 0) return [];
  if (only !== undefined && more.length === 0 && names.length >= WIDE_COLUMNS)
    return names.map((name, at) => `${nameText(name)}: ${only[at] ?? ''}`);
  return [names.map(nameText).join('\t'), ...rows.map((cells) => cells.join('\t'))];
}

/** The texts of several answers, each under its number; an error stands in the place of its rows. */
export function answersPieces(data: unknown): readonly string[] {
  const answers = isRecord(data) && Array.isArray(data['answers']) ? data['answers'] : undefined;
  if (answers === undefined) return [JSON.stringify(data)];
  return answers.flatMap((answer, at) => [at === 0 ? '' : '\n', ...answerPieces(answer)]);
}

function answerPieces(answer: unknown): readonly string[] {
  const { query, error } = isRecord(answer) ? answer : {};
  if (!isRecord(error)) return [`-- ${String(query)}\n`, ...rowsPieces(answer)];
  const hint = error['hint'] === undefined ? '' : ` Hint: ${String(error['hint'])}`;
  return [`-- ${String(query)}: ${restOfLine(`[${String(error['code'])}] ${String(error['message'])}${hint}`)}`];
}

/** A name is always a text: it is quoted only where it could be taken for something else than one name. */
function nameText(name: string): string {
  const isBare = /^[^\s{-]/.test(name) && name === name.trim() && !/"|: /.test(name) && !BREAKS_LINE.test(name);
  return isBare ? name : JSON.stringify(name);
}

function notesOf(names: readonly string[], count: number, rest: Readonly<Record<string, unknown>>): string[] {
  const { truncated, rowCount: _, query: __, cut, ...others } = rest;
  const facts = Object.entries(others).map(([name, value]) => `-- ${name}: ${JSON.stringify(value)}`);
  if (count === 0 && (names.length > 0 || facts.length === 0)) facts.unshift('-- no rows');
  if (count > 0 && names.length === 0) facts.unshift(`-- rows without columns: ${count}`);
  if (truncated === true) facts.unshift(`-- truncated after ${count} rows: raise limit, or use export-query for all`);
  if (Array.isArray(cut) && cut.length > 0) {
    const cells = cut.map((cell) => cutText(cell, names)).join(', ');
    facts.unshift(`-- cut: ${cells}; substr(column, from, length) reads the rest`);
  }
  return facts;
}

/** `note of row 3 (9000 bytes)`; a column by its number where its name would not tell it. */
function cutText(cell: unknown, names: readonly string[]): string {
  const { row, column, length } = isRecord(cell) ? cell : {};
  const name = names[Number(column)] ?? '';
  const isPlain = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && names.indexOf(name) === names.lastIndexOf(name);
  const which = isPlain ? name : `column ${Number(column) + 1}`;
  return `${which} of row ${Number(row) + 1} (${String(length)} bytes)`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const QUOTE = 34;
const COMMA = 44;
const OPEN = 91;
const BACKSLASH = 92;
const CLOSE = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** The rows of a JSON text, each as the texts of its cells. */
function cellsOf(rows: string): string[][] {
  const found: string[][] = [];
  let at = 1;
  while (rows.charCodeAt(at) === OPEN) {
    const cells: string[] = [];
    at += 1;
    while (rows.charCodeAt(at) !== CLOSE) {
      const end = endOfValue(rows, at);
      cells.push(cellText(rows, at, end));
      at = rows.charCodeAt(end) === COMMA ? end + 1 : end;
    }
    found.push(cells);
    at += rows.charCodeAt(at + 1) === COMMA ? 2 : 1;
  }
  return found;
}

/** As it stands in the JSON, where a number keeps its digits; a text without quotes, where it needs none. */
function cellText(json: string, from: number, end: number): string {
  const isBare = json.charCodeAt(from) === QUOTE && standsBare(json, from + 1, end - 1);
  return isBare ? json.slice(from + 1, end - 1) : json.slice(from, end);
}

/** Whether a text without its quotes could be nothing else. */
function standsBare(json: string, from: number, end: number): boolean {
  if (from === end || isSpace(json, from) || isSpace(json, end - 1)) return false;
  for (let at = from; at < end; at += 1) if (needsJson(json.charCodeAt(at))) return false;
  const first = json.charCodeAt(from);
  if (first === QUOTE || first === OPEN || first === OPEN_OBJECT || json.startsWith('--', from)) return false;
  if (!MAY_BEGIN_VALUE.test(json.charAt(from))) return true;
  const text = json.slice(from, end);
  return !NUMERAL.test(text) && !WORD_OF_JSON.test(text);
}

const MAY_BEGIN_VALUE = /[-+.\dntfNI]/;

function isSpace(json: string, at: number): boolean {
  return /\s/.test(json.charAt(at));
}

/** A backslash, which stands for something else in JSON, and what ends a line or is not seen. */
function needsJson(code: number): boolean {
  return code === BACKSLASH || code < 32 || (code >= 127 && code < 160) || code === 0x2028 || code === 0x2029;
}

/** Where the value that begins here ends. */
function endOfValue(json: string, from: number): number {
  if (json.charCodeAt(from) === QUOTE) return endOfText(json, from);
  let depth = 0;
  for (let at = from; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (depth === 0 && (code === COMMA || code === CLOSE)) return at;
    if (code === QUOTE) at = endOfText(json, at) - 1;
    else if (code === OPEN || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE || code === CLOSE_OBJECT) depth -= 1;
  }
  throw new Error('The rows are not a JSON array.');
}

function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  throw new Error('The rows are not a JSON array.');
}
