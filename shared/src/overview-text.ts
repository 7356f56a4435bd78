import { inLine, item, restOfLine } from './line-items.ts';

interface Table {
  readonly name: string;
  readonly kind: string;
  readonly columns: readonly string[];
  readonly columnCount?: number | undefined;
  readonly rows: number | null;
  readonly atMost?: true | undefined;
  readonly lookup?: true | undefined;
  readonly lookupRows?: LookupRows | undefined;
  readonly softDelete?: readonly string[] | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly comment?: string | undefined;
  readonly indexes?: readonly string[] | undefined;
  readonly definition?: string | undefined;
}

type LookupRows =
  | { readonly columns: readonly string[]; readonly rows: readonly unknown[]; readonly cut?: unknown }
  | { readonly error: string };

interface Overview {
  readonly tables: readonly Table[];
  readonly foreignKeys: readonly string[];
  readonly guessedKeys?: readonly string[] | undefined;
  readonly referencedBy?: readonly string[] | undefined;
  readonly unknown?: readonly unknown[] | undefined;
  readonly truncated: boolean;
  readonly more?: string | undefined;
  readonly tableLink?: string | undefined;
}

/** A key as the text needs it: `from(columns) -> target`. */
interface Key {
  readonly text: string;
  readonly from: string;
  readonly columns: string;
  readonly target: string;
  readonly parent: string;
}

/**
 * An overview in lines, without losing anything: a table in a line with its keys beside its columns, `->` for declared
 * ones and `~>` for guessed ones, and who points to it below, with `<-` and `<~`.
 */
export function overviewText(overview: Overview): string {
  const keys = new Keys(overview);
  const tables = overview.tables.flatMap((table) => tableLines(table, keys));
  if (tables.length === 0 && overview.unknown === undefined) tables.push(NO_TABLES);
  const guessed = overview.guessedKeys === undefined ? [] : ['~ marks a guessed key: named like one, not declared'];
  return [...guessed, ...tables, ...keys.leftLines(), ...endLines(overview)].join('\n');
}

/** No text at all reads like an answer that was lost. */
const NO_TABLES = 'no tables';

function endLines({ unknown, truncated, more, tableLink }: Overview): string[] {
  return [
    ...(unknown === undefined ? [] : [`unknown: ${JSON.stringify(unknown)}`]),
    ...(truncated ? [more === undefined ? 'truncated' : `truncated: ${restOfLine(more)}`] : []),
    ...(truncated || more === undefined ? [] : [`more: ${restOfLine(more)}`]),
    ...(tableLink === undefined ? [] : [`link for the user, up to a table's name: ${restOfLine(tableLink)}`]),
  ];
}

function tableLines(table: Table, keys: Keys): string[] {
  const written = keys.writtenOf(table.name);
  const outgoing = keys.take('foreign', written);
  const guessed = keys.take('guessed', written);
  const marks = new Marks(table);
  const columns = table.columns.map((column) => {
    const name = nameOf(column);
    const targets = (of: Key[], arrow: string) => of.map(({ target }) => ` ${arrow} ${target}`).join('');
    return `${item(column, MARKS)}${marks.of(name)}${targets(inColumn(outgoing, name), '->')}${targets(inColumn(guessed, name), '~>')}`;
  });
  return [
    `${headOf(table, written)}${columns.length === 0 ? '' : `: ${columns.join(', ')}`}`,
    ...(table.comment === undefined ? [] : [`  # ${restOfLine(table.comment)}`]),
    ...outgoing.map(({ columns: own, target }) => `  (${own}) -> ${target}`),
    ...guessed.map(({ columns: own, target }) => `  (${own}) ~> ${target}`),
    ...keys.incoming(written, table.columnCount === undefined).map((line) => `  ${line}`),
    ...marks.left(),
    ...(table.indexes ?? []).map((index) => `  index ${restOfLine(index)}`),
    ...(table.definition === undefined ? [] : [`  as ${restOfLine(table.definition)}`]),
    ...(table.lookupRows === undefined ? [] : lookupLines(table.lookupRows)),
  ];
}

/** What may stand behind a column. */
const MARKS = [' -> ', ' ~> ', ' ['];

/** In double quotes a name is one in a statement, too, unless it says otherwise. */
function headName(name: string, written: string): string {
  const quoted = JSON.stringify(name);
  if (written === quoted) return quoted;
  const isOther = written !== name || SECTIONS.has(name);
  return `${plainName(name) ? name : quoted}${isOther ? ` as ${written}` : ''}`;
}

function headOf({ name, kind, rows, atMost, lookup, columnCount }: Table, written: string): string {
  return [
    headName(name, written),
    kind === 'table' ? '' : `(${kind})`,
    rows === null ? '' : `${atMost === true ? '<=' : '~'}${rows}`,
    lookup === true ? 'lookup' : '',
    columnCount === undefined ? '' : `${columnCount} columns`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** What a line that is no table begins with. */
const SECTIONS = new Set(['keys', 'guessed', 'referenced by', 'unknown', 'truncated', 'more']);

function plainName(name: string): boolean {
  return !SECTIONS.has(name) && /^[\p{L}_][\p{L}\p{N}_.$-]*$/u.test(name);
}

/** The keys of one column leave the list: they stand beside it. */
function inColumn(keys: Key[], name: string): Key[] {
  const found = keys.filter(({ columns }) => columns === name);
  for (const key of found) keys.splice(keys.indexOf(key), 1);
  return found;
}

/** The name in a column's text: up to the first space, or the quotes that it is in. */
function nameOf(column: string): string {
  return /^(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[(?:[^\]]|\]\])*\]|[^\s"`[]+)(?= |$)/.exec(column)?.[0] ?? '';
}

function lookupLines(read: LookupRows): string[] {
  if ('error' in read) return [`  rows: ${restOfLine(read.error)}`];
  const rows = [read.columns, ...read.rows].map((row) => `  ${JSON.stringify(row)}`);
  return read.cut === undefined ? rows : [...rows, `  cut ${JSON.stringify(read.cut)}`];
}

/** What is said about columns: beside each, or below where the column is not listed. */
class Marks {
  readonly #softDelete: string[];
  readonly #kinds: string[];

  constructor({ softDelete = [], kinds = [] }: Table) {
    this.#softDelete = [...softDelete];
    this.#kinds = [...kinds];
  }

  of(name: string): string {
    return `${taken(this.#softDelete, name) ? ' [soft delete]' : ''}${taken(this.#kinds, name) ? ' [codes]' : ''}`;
  }

  left(): string[] {
    return [
      ...(this.#softDelete.length === 0 ? [] : [`  soft delete: ${inLine(this.#softDelete)}`]),
      ...(this.#kinds.length === 0 ? [] : [`  codes: ${inLine(this.#kinds)}`]),
    ];
  }
}

function taken(names: string[], name: string): boolean {
  const at = names.indexOf(name);
  if (at >= 0) names.splice(at, 1);
  return at >= 0;
}

const KEY = /^([^()]+)\(([^()]+)\) -> (([^()]+)(?:\([^()]+\))?)$/;
const NAME = /^(?:[\p{L}_][\p{L}\p{N}_$]*|"[^"]+"|`[^`]+`|\[[^\]]+\])(?:\.(?!$)|$)/u;

/** Every key stands at its table once; one whose text leaves doubts, or whose table is not there, stands below. */
class Keys {
  readonly #foreign: Map<string, Key[]>;
  readonly #guessed: Map<string, Key[]>;
  readonly #guessedHere: Map<string, Key[]>;
  readonly #pointingHere: Map<string, Key[]>;
  readonly #sources: Map<string, Key[]>;
  readonly #doubtful: { readonly section: string; readonly texts: readonly string[] }[];
  readonly #written = new Map<string, string>();

  constructor({ tables, foreignKeys, guessedKeys = [], referencedBy = [] }: Overview) {
    const names = new Set(tables.map(({ name }) => name));
    const said = [...foreignKeys, ...guessedKeys, ...referencedBy].flatMap((text) => keyOf(text) ?? []);
    for (const written of [...said.map(({ from }) => from), ...said.map(({ parent }) => parent)]) {
      const name = bare(written);
      if (names.has(name) && !this.#written.has(name)) this.#written.set(name, written);
    }
    const isHere = (written: string) => this.#written.get(bare(written)) === written;
    const foreign = split(foreignKeys, ({ from }) => isHere(from));
    const guessed = split(guessedKeys, ({ from }) => isHere(from));
    const guessedHere = split(guessed.left, ({ parent }) => isHere(parent));
    const pointing = split(referencedBy, ({ parent }) => isHere(parent));
    this.#foreign = Map.groupBy(foreign.keys, ({ from }) => from);
    this.#guessed = Map.groupBy(guessed.keys, ({ from }) => from);
    this.#guessedHere = Map.groupBy(guessedHere.keys, ({ parent }) => parent);
    this.#pointingHere = Map.groupBy(pointing.keys, ({ parent }) => parent);
    this.#sources = Map.groupBy(
      foreign.keys.filter(({ from, parent }) => from !== parent),
      ({ parent }) => parent,
    );
    this.#doubtful = [
      { section: 'keys', texts: foreign.left },
      { section: 'guessed', texts: guessedHere.left },
      { section: 'referenced by', texts: pointing.left },
    ];
  }

  /** The table's name as its keys write it. */
  writtenOf(name: string): string {
    return this.#written.get(name) ?? name;
  }

  take(kind: 'foreign' | 'guessed', written: string): Key[] {
    return [...((kind === 'foreign' ? this.#foreign : this.#guessed).get(written) ?? [])];
  }

  /**
   * Who points here: tables of this answer by name, others by their columns, after those that they point to. The first
   * stand at their own keys as well, so that a table in short does without them.
   */
  incoming(written: string, isWhole: boolean): string[] {
    const tables = new Set(isWhole ? this.#sources.get(written)?.map(({ from }) => from) : []);
    const others = [this.#pointingHere, this.#guessedHere].flatMap((of, at) => {
      const byTarget = Map.groupBy(of.get(written) ?? [], ({ target, parent }) => target.slice(parent.length));
      return [...byTarget].map(([columns, keys]) => {
        const from = keys.map((key) => `${key.from}(${key.columns})`).join(', ');
        return `${columns === '' ? '' : `${columns} `}${at === 0 ? '<-' : '<~'} ${from}`;
      });
    });
    return [...(tables.size === 0 ? [] : [`<- ${[...tables].join(', ')}`]), ...others];
  }

  leftLines(): string[] {
    return this.#doubtful.flatMap(({ section, texts }) => texts.map((text) => `${section}: ${restOfLine(text)}`));
  }
}

function split(texts: readonly string[], isAtTable: (key: Key) => boolean) {
  const keys: Key[] = [];
  const left: string[] = [];
  for (const text of texts) {
    const key = keyOf(text);
    if (key === undefined || !isAtTable(key)) left.push(text);
    else keys.push(key);
  }
  return { keys, left };
}

function keyOf(text: string): Key | undefined {
  const [, from = '', columns = '', target = '', parent = ''] = KEY.exec(text) ?? [];
  if (!isName(from) || !isName(parent) || /[\r\n\u2028\u2029=]/.test(text)) return undefined;
  return { text, from, columns, target, parent };
}

/** Whether it is a name whose end in a statement is unambiguous. */
function isName(written: string): boolean {
  const [part = ''] = NAME.exec(written) ?? [];
  if (part === '' || /, | -> | ~> | \[|: /.test(written)) return false;
  return part.length === written.length || isName(written.slice(part.length));
}

/** A name as get-tables lists it, from the one in a statement. */
function bare(written: string): string {
  return written
    .split('.')
    .map((part) => part.replace(/^(["`])(.*)\1$/, '$2').replace(/^\[(.*)\]$/, '$1'))
    .join('.');
}
