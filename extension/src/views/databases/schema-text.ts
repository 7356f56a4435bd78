import { ENGINES, type EngineKind } from '@devdb/shared/engines';

/** A column as the tree shows it. */
export interface ShownColumn {
  /** As it is written in a statement: quoted where it has to be. */
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
  readonly marks: readonly string[];
}

const QUOTED = /^(?:"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[(?:[^\]]|\]\])*\])/;
const MARKS = ['GENERATED', 'UNIQUE', 'NOT NULL', 'PK'] as const;

/** Reads a column of get-overview: its name, its type, then PK, NOT NULL, UNIQUE, GENERATED as they hold. */
export function readColumn(text: string): ShownColumn {
  const name = QUOTED.exec(text)?.[0] ?? text.split(' ', 1)[0] ?? text;
  let type = text.slice(name.length).trim();
  const marks: string[] = [];
  for (const mark of MARKS) {
    if (type !== mark && !type.endsWith(` ${mark}`)) continue;
    marks.unshift(mark);
    type = type.slice(0, type.length - mark.length).trim();
  }
  return { name, type, isKey: marks.includes('PK'), marks };
}

/** The schema and the name of a table as get-tables lists it; no schema for those in the default one. */
export function tablePath(
  name: string,
  kind: EngineKind,
): { readonly schema: string | undefined; readonly name: string } {
  const at = ENGINES[kind].hasSchemas ? name.indexOf('.') : -1;
  return at < 0 ? { schema: undefined, name } : { schema: name.slice(0, at), name: name.slice(at + 1) };
}

/** Which rows of a table are read: all of them as they come, unless it says otherwise. */
export interface ReadRows {
  readonly mostRows?: number;
  readonly order?: { readonly column: string; readonly descending: boolean } | undefined;
  /** In the database's dialect. */
  readonly condition?: string | undefined;
}

/** A statement that reads the table's columns, or all of them where they are not known. */
export function selectText(
  table: string,
  columns: readonly Pick<ShownColumn, 'name'>[],
  kind: EngineKind,
  { mostRows, order, condition }: ReadRows = {},
): string {
  const [open, close] = ENGINES[kind].quotes;
  const quoted = (part: string) => `${open}${part.replaceAll(close, close + close)}${close}`;
  const { schema, name } = tablePath(table, kind);
  const from = [schema, name].flatMap((part) => (part === undefined ? [] : quoted(part)));
  const list = columns.length === 0 ? '*' : columns.map((column) => column.name).join(', ');
  const by = order === undefined ? '' : ` ORDER BY ${quoted(order.column)}${order.descending ? ' DESC' : ''}`;
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  const statement = `${list} FROM ${from.join('.')}${where}${by}`;
  if (mostRows === undefined) return `SELECT ${statement}`;
  return kind === 'mssql' ? `SELECT TOP (${mostRows}) ${statement}` : `SELECT ${statement} LIMIT ${mostRows}`;
}

/** How many rows a table has, as far as that is known. */
export function rowsText(rows: number | null, isBound: boolean): string {
  if (rows === null) return '';
  return `${isBound ? '≤ ' : '~ '}${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
}

/** The foreign keys that belong to a table: `orders(customer_id) -> customers(id)` without the table's own name. */
export function keyLabel(key: string): { readonly columns: string; readonly target: string } {
  const [from = '', target = ''] = key.split(' -> ', 2);
  return { columns: from.slice(from.lastIndexOf('(')).replace(/^\(|\)$/g, ''), target };
}
