import type { EditableColumn, RowValues, Value } from '../row-editing.ts';
import { literals } from './literals.ts';
import { quoteName } from './quote.ts';

/** Digits that mean the same number with and without quotes. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,15})?$/;
const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITIES: Readonly<Record<string, string>> = { Infinity: '9e999', '-Infinity': '-9e999' };

/**
 * How SQLite stores a value depends on the column's affinity, which it finds in the words of the declared type. A text
 * is stored as a number where the affinity is numeric, so that most values are written as texts.
 */
export const rowValues: RowValues = {
  onlyDefaults: 'DEFAULT VALUES',
  write: ({ type }, text, before) => {
    const affinity = affinityOf(type);
    if (/^bool(?:ean)?$/i.test(type) && /^(?:true|false)$/i.test(text))
      return text.toLowerCase() === 'true' ? '1' : '0';
    if (affinity === 'text') return literals.text(text);
    if (affinity === 'numeric') return INFINITIES[text] ?? (PLAIN_NUMBER.test(text) ? text : literals.text(text));
    // Nothing is converted here: a number stays one, and a text that looks like one stays a text.
    return typeof before !== 'string' && NUMERAL.test(text) ? text : literals.text(text);
  },
  same,
  key: (column, cell) => {
    const isPlain = affinityOf(column.type) !== 'none' && !(typeof cell === 'string' && cell in INFINITIES);
    return isPlain ? `${quoteName(column.name)} = ${written(cell)}` : same(column, cell);
  },
  contains: ({ name }, text) => {
    const column = quoteName(name);
    // Its own lower() and upper() leave letters beyond ASCII as they are: one of both has them as JavaScript writes them.
    const [lower, upper] = [literals.text(text.toLowerCase()), literals.text(text.toUpperCase())];
    const found = `instr(lower(${column}), ${lower}) > 0 OR instr(upper(${column}), ${upper}) > 0`;
    return `(typeof(${column}) <> 'blob' AND (${found}))`;
  },
  compared: ({ name }) => quoteName(name),
};

function same({ name, type }: EditableColumn, cell: Value): string {
  const column = quoteName(name);
  if (typeof cell !== 'string') return `${column} IS ${written(cell)}`;
  const text = `(${literals.text(cell)}) COLLATE BINARY`;
  const infinity = INFINITIES[cell];
  if (infinity !== undefined) return `(${column} IS ${infinity} OR ${column} IS ${text})`;
  // Without an affinity a number that JSON cannot carry is not equal to its digits.
  return affinityOf(type) === 'none' ? `CAST(${column} AS TEXT) IS ${text}` : `${column} IS ${text}`;
}

function written(cell: Value): string {
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'boolean') return literals.boolean(cell);
  return typeof cell === 'string' ? literals.text(cell) : literals.binary(cell.hex);
}

/** By SQLite's rules, in their order. */
function affinityOf(type: string): 'text' | 'numeric' | 'none' {
  if (/int/i.test(type)) return 'numeric';
  if (/char|clob|text/i.test(type)) return 'text';
  return type === '' || /blob/i.test(type) || /^any$/i.test(type) ? 'none' : 'numeric';
}
