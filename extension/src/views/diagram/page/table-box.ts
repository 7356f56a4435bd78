import type { GraphTable, Size } from '../page-messages.ts';

/** One column as it is drawn. */
export interface Line {
  /** PK, FK, or what of both holds; a guessed key has a tilde. */
  readonly mark: string;
  readonly name: string;
  readonly type: string;
}

/** A table as it is drawn. */
export interface Box extends Size {
  readonly table: GraphTable;
  readonly title: string;
  readonly lines: readonly Line[];
}

export const HEAD = 26;
export const LINE = 18;
export const MARK_AT = 8;
export const NAME_AT = 56;
export const SIDE = 10;

const MOST_LINES = 30;
const MOST_NAME = 40;
const MOST_TYPE = 24;
const LEAST_WIDTH = 150;

/** `widthOf` measures a text of the diagram's font. */
export function boxOf(table: GraphTable, widthOf: (text: string) => number): Box {
  const title = cut(`${table.name}${table.kind === 'table' ? '' : ` (${table.kind})`}`, MOST_NAME);
  const lines = linesOf(table);
  const widest = Math.max(0, ...lines.map(({ name, type }) => NAME_AT + widthOf(name) + 2 * SIDE + widthOf(type)));
  const width = Math.ceil(Math.max(LEAST_WIDTH, widthOf(title) + SIDE, widest) + SIDE);
  return { table, title, lines, width, height: HEAD + LINE * lines.length + (lines.length === 0 ? 0 : SIDE / 2) };
}

function linesOf({ columns, columnCount = columns.length, keys }: GraphTable): Line[] {
  const inKeys = new Map<string, boolean>();
  for (const { columns: own, isGuessed } of keys) {
    for (const column of own) inKeys.set(column, isGuessed && inKeys.get(column) !== false);
  }
  // What is in a key is shown first where not all columns are.
  const wanted = columnCount <= MOST_LINES ? columns : mostTelling(columns, inKeys);
  const lines = wanted.map(({ name, type, isKey }) => {
    const guessed = inKeys.get(name);
    const marks = [...(isKey ? ['PK'] : []), ...(guessed === undefined ? [] : [guessed ? '~FK' : 'FK'])];
    return { mark: marks.join(' '), name: cut(name, MOST_NAME), type: cut(type, MOST_TYPE) };
  });
  const more = columnCount - wanted.length;
  return more === 0 ? lines : [...lines, { mark: '', name: `… ${more} more columns`, type: '' }];
}

function mostTelling(columns: GraphTable['columns'], inKeys: ReadonlyMap<string, boolean>): GraphTable['columns'] {
  const isTelling = ({ name, isKey }: GraphTable['columns'][number]) => isKey || inKeys.has(name);
  const chosen = [...columns.filter(isTelling), ...columns.filter((column) => !isTelling(column))].slice(0, MOST_LINES);
  return columns.filter((column) => chosen.includes(column));
}

/** By whole characters. */
function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
