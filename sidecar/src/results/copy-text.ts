import type { CopyForm, ResultColumn } from '@devdb/shared/protocol/result-methods';
import type { Cell } from '@devdb/shared/tools/database/fields';
import type { Literals } from '../engines/literals.ts';
import { uniqueNames } from '../engines/row-lines.ts';
import { textOf } from './cells.ts';

/** Rows as text: what stands before, between and after them, and each row. */
export interface CopyWriter {
  readonly head: string;
  readonly row: (cells: readonly Cell[]) => string;
  readonly between: string;
  readonly end: string;
}

export interface CopyParts {
  readonly columns: readonly ResultColumn[];
  readonly heads: boolean;
  readonly literals: Literals;
}

/** The writer of each form. */
export const COPY_WRITERS = {
  tsv: separated('\t', /["\t\r\n]/),
  csv: separated(',', /[",\r\n]/),
  json: jsonRows,
  insert: insertRows,
  markdown: markdownRows,
} as const satisfies Record<CopyForm, (parts: CopyParts) => CopyWriter>;

/** NULL is nothing, an empty text is "": both spreadsheets and a later reader can tell them apart. */
function separated(separator: string, needsQuotes: RegExp) {
  const quoted = (text: string) => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const field = (cell: Cell) => (cell === null ? '' : quoted(textOf(cell)) || '""');
  return ({ columns, heads }: CopyParts): CopyWriter => ({
    head: heads ? `${columns.map(({ name }) => quoted(name)).join(separator)}\n` : '',
    // The text of a single cell is copied as it is.
    row: (cells) =>
      !heads && columns.length === 1 ? textOf(cells[0] ?? null) : cells.map((cell) => field(cell)).join(separator),
    between: '\n',
    end: '',
  });
}

function jsonRows({ columns }: CopyParts): CopyWriter {
  const names = uniqueNames(columns.map(({ name }) => name)).map((name) => JSON.stringify(name));
  return {
    head: '[\n',
    row: (cells) => `  {${names.map((name, at) => `${name}: ${JSON.stringify(cells[at] ?? null)}`).join(', ')}}`,
    between: ',\n',
    end: '\n]\n',
  };
}

/** A result does not know its table's name, which is typed once after pasting. */
function insertRows({ columns, literals }: CopyParts): CopyWriter {
  const names = uniqueNames(columns.map(({ name }) => name)).map((name) => literals.name(name));
  const written = (cell: Cell): string => {
    if (cell === null) return 'NULL';
    if (typeof cell === 'number') return String(cell);
    if (typeof cell === 'boolean') return literals.boolean(cell);
    return typeof cell === 'string' ? literals.text(cell) : literals.binary(cell.hex);
  };
  const into = `INSERT INTO ${literals.name('table_name')} (${names.join(', ')}) VALUES (`;
  return { head: '', row: (cells) => `${into}${cells.map(written).join(', ')});`, between: '\n', end: '\n' };
}

function markdownRows({ columns }: CopyParts): CopyWriter {
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;
  const safe = (text: string) =>
    text
      .replaceAll('\\', '\\\\')
      .replaceAll('|', '\\|')
      .replace(/\r\n|[\r\n]/g, '<br>');
  const names = columns.map(({ name }) => safe(name));
  return {
    head: `${line(names)}\n${line(names.map(() => '---'))}\n`,
    row: (cells) => line(cells.map((cell) => (cell === null ? 'NULL' : safe(textOf(cell))))),
    between: '\n',
    end: '\n',
  };
}
