import { errorText } from './errors.ts';
import { restOfLine } from './line-items.ts';
import { type CellSpan, cellSpans, isLongText, shortText } from './rows-cells.ts';
import { rowsParts } from './rows-text.ts';

/*
 * Rows as a model reads them. The names once, then a line for each row, cells between tabs; one row of a wide table as
 * `name: value` lines. Values are JSON, but a text stands bare unless it could be taken for another value. Lines that
 * begin with `-- ` say what the rows do not: what is the same in all of them, that there are more of them, which cells were
 * cut, what a change changed.
 * Types are left out; everything else can be read back. The form was chosen by its tokens, of which the bench keeps a
 * record.
 *
 * Most of an answer of texts is what every form has to say. So texts of an answer that a model is shown are never
 * shortened: the rest of one costs a whole call, and the whole answer 8,000 tokens at most. Where a raised limit brings
 * more than a model is shown, long texts are shortened alike so that all rows are there.
 */

/** From this many columns on, a row alone reads better with each name beside its value. */
const WIDE_COLUMNS = 8;

/**
 * Longer answers, which only a raised limit gives, are more than clients show their models. Where a few long texts are
 * most of one, they are shortened; else the rows stay the JSON that they already are, since another text of that length
 * would make the process grow.
 */
const MOST_CHARS = 64 * 1024;
/** What an answer with shortened texts may take, and the lengths to which they are tried. */
const SHORTENED_CHARS = 32 * 1024;
const SHORTER: readonly number[] = [2_000, 1_000, 500, 200];

const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const WORD_OF_JSON = /^(?:null|true|false|NaN|[+-]?Infinity)$/;
const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u;

/** The text of a tool's data that has rows, in pieces. */
export function rowsPieces(data: unknown): readonly string[] {
  const parts = rowsParts(data);
  if (parts === undefined) return [JSON.stringify(data)];
  const { rows, rest } = parts;
  const names = parts.columns.map(({ name }) => name);
  if (rows.length > MOST_CHARS) return shortenedPieces(names, rows, rest) ?? briefPieces(names, rows, rest);
  const cells = cellSpans(rows).map((spans) => spans.map(([from, end]) => rows.slice(from, end)));
  const same = sameInAllRows(names, cells, rest);
  const other = names.flatMap((_, at) => (same.includes(at) ? [] : at));
  const shown = cells.map((row) => other.map((at) => cellText(row[at] ?? '', 0, row[at]?.length ?? 0)));
  const body = bodyOf(
    other.map((at) => names[at] ?? ''),
    shown,
  );
  const values = same.map((at) => `${JSON.stringify(names[at])}:${cells[0]?.[at] ?? ''}`);
  const note = same.length === 0 ? [] : [`-- in every row: {${values.join(',')}}`];
  return [[...body, ...note, ...notesOf(names, cells.length, rest)].join('\n')];
}

/** From this many rows on, a value that all of them have is written once: of a wide table most columns are such. */
const MANY_ROWS = 8;

/** The columns whose value is the same in many rows, but never all of them. */
function sameInAllRows(
  names: readonly string[],
  cells: readonly (readonly string[])[],
  { cut, truncated }: Readonly<Record<string, unknown>>,
): readonly number[] {
  // A cut cell is named by the number of its column. Of more rows than these nothing is known.
  if (cells.length < MANY_ROWS || cut !== undefined || truncated === true) return [];
  const same = names.flatMap((name, at) => {
    const isOne = names.indexOf(name) === names.lastIndexOf(name);
    return isOne && cells.every((row) => row[at] === cells[0]?.[at]) ? at : [];
  });
  return same.length === names.length ? same.slice(1) : same;
}

/** All rows with their long texts shortened alike; undefined where that would still be too long. */
function shortenedPieces(names: readonly string[], json: string, rest: Readonly<Record<string, unknown>>) {
  // Most such answers have many short rows. To know that needs no look at them.
  if (Number(rest['rowCount']) * names.length > SHORTENED_CHARS) return undefined;
  const rows = cellSpans(json);
  const most = SHORTER.find((each) => charsOf(json, rows, each) <= SHORTENED_CHARS);
  if (most === undefined) return undefined;
  const cells = rows.map((spans) => spans.map((span) => shortCell(json, span, most)));
  const counts = names.map((name, column) => ({
    name,
    count: rows.filter((row) => isLongText(json, row[column], most)).length,
  }));
  const told = counts.filter(({ count }) => count > 0).map(({ name, count }) => `${nameText(name)} of ${count} rows`);
  const note = `-- shortened to ${most} characters: ${told.join(', ')}; query one row alone to read it whole, or use export-query for all`;
  return [[...bodyOf(names, cells), note, ...notesOf(names, cells.length, rest)].join('\n')];
}

function charsOf(json: string, rows: readonly (readonly CellSpan[])[], most: number): number {
  const chars = (span: CellSpan) => (isLongText(json, span, most) ? most : span[1] - span[0]);
  return rows.flat().reduce((sum, span) => sum + chars(span), 0);
}

function shortCell(json: string, span: CellSpan, most: number): string {
  const text = shortText(json, span, most);
  return cellText(text, 0, text.length);
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
  const { code, message, hint } = error;
  const told = { code: String(code), message: String(message), ...(hint === undefined ? {} : { hint: String(hint) }) };
  return [`-- ${String(query)}: ${restOfLine(errorText(told))}`];
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
const BACKSLASH = 92;

/** As it stands in the JSON, where a number keeps its digits; a text without quotes, where it needs none. */
function cellText(json: string, from: number, end: number): string {
  const isBare = json.charCodeAt(from) === QUOTE && standsBare(json, from + 1, end - 1);
  return isBare ? json.slice(from + 1, end - 1).replaceAll('\\"', '"') : json.slice(from, end);
}

/** So begins binary, the only value that is no text, number or word. A column of JSON texts stands bare. */
const BINARY = '{\\"bytes\\":';

/** Whether a text without its quotes could be nothing else. */
function standsBare(json: string, from: number, end: number): boolean {
  if (from === end || isSpace(json, from) || isSpace(json, end - 1)) return false;
  for (let at = from; at < end; at += 1) {
    const isQuote = json.charCodeAt(at) === BACKSLASH && json.charCodeAt(at + 1) === QUOTE;
    if (!isQuote && needsJson(json.charCodeAt(at))) return false;
    if (isQuote) at += 1;
  }
  if (json.charCodeAt(from) === BACKSLASH || json.startsWith(BINARY, from) || json.startsWith('--', from)) return false;
  if (!MAY_BEGIN_VALUE.test(json.charAt(from))) return true;
  const text = json.slice(from, end);
  return !NUMERAL.test(text) && !WORD_OF_JSON.test(text);
}

const MAY_BEGIN_VALUE = /[-+.\dntfNI]/;

function isSpace(json: string, at: number): boolean {
  return /\s/.test(json.charAt(at));
}

/** A backslash, which stands for something else in JSON but before a quote, and what ends a line or is not seen. */
function needsJson(code: number): boolean {
  return code === BACKSLASH || code < 32 || (code >= 127 && code < 160) || code === 0x2028 || code === 0x2029;
}
