/** A table as a person writes about it; a column is its name, then its type and what else holds of it. */
export interface NamedTable {
  readonly name: string;
  /** As a statement has it: with quotes where it needs them. */
  readonly written: string;
  readonly columns: readonly string[];
}

/** A word that may be completed, in the form in which a statement has it. */
export interface Word {
  readonly kind: 'table' | 'column';
  readonly text: string;
  readonly detail: string;
}

const QUALIFIER = /([\p{L}\p{N}_$."`[\]]+)\.[\p{L}\p{N}_$]*$/u;
const COLUMN = /^("(?:[^"]|"")*"|`(?:[^`]|``)*`|\[(?:[^\]]|\]\])*\]|\S+)\s*(.*)$/su;

/** What may stand at the end of `before`: columns of the table before a point, else tables and columns of those in use. */
export function wordsFor(tables: readonly NamedTable[], before: string, text: string): Word[] {
  const qualifier = QUALIFIER.exec(before)?.[1];
  if (qualifier !== undefined) {
    const table = tableOf(tables, qualifier, text);
    if (table !== undefined) return columnsOf(table);
  }
  const mentioned = new Set(text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []);
  const isUsed = ({ name }: NamedTable) => mentioned.has(bare(name));
  const names = tables.map(({ written, columns }) => ({
    kind: 'table' as const,
    text: written,
    detail: `${columns.length} columns`,
  }));
  return [...names, ...tables.filter(isUsed).flatMap(columnsOf)];
}

/** What is known of a word: a table's columns, or the tables that have a column of this name. */
export function factsAbout(tables: readonly NamedTable[], word: string): string | undefined {
  const name = word.toLowerCase();
  const table = tables.find((one) => bare(one.name) === name);
  if (table !== undefined) return [table.name, ...table.columns.map((column) => `  ${column}`)].join('\n');
  const found = tables.flatMap((one) =>
    columnsOf(one).flatMap((column) =>
      bare(column.text) === name ? [`${one.name}.${column.text} ${column.detail}`.trim()] : [],
    ),
  );
  return found.length === 0 ? undefined : found.join('\n');
}

/** By its name, or by what a statement calls it: `customers c`, `customers AS c`. */
function tableOf(tables: readonly NamedTable[], qualifier: string, text: string): NamedTable | undefined {
  const wanted = bare(qualifier);
  const named = tables.find(({ name }) => name.toLowerCase() === qualifier.toLowerCase() || bare(name) === wanted);
  if (named !== undefined) return named;
  const words = text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
  return tables.find(({ name }) =>
    words.some((word, at) => {
      if (word !== bare(name)) return false;
      return words[at + 1] === wanted || (words[at + 1] === 'as' && words[at + 2] === wanted);
    }),
  );
}

function columnsOf({ name, columns }: NamedTable): Word[] {
  return columns.map((column) => {
    const [, text = column, facts = ''] = COLUMN.exec(column) ?? [];
    return { kind: 'column', text, detail: `${facts} (${name})`.trim() };
  });
}

/** The last part of a name without its quotes, in small letters. */
function bare(name: string): string {
  const last = name.split('.').at(-1) ?? name;
  return last.replace(/^["`[]|["`\]]$/g, '').toLowerCase();
}
