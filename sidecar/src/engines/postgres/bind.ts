import { AppError } from '@devdb/shared/errors';
import {
  type BoundStatement,
  type BoundValue,
  bindPlaces,
  mayBegin,
  type Place,
  unbound,
  writtenIndex,
} from '../bound-statement.ts';
import type { Bindings } from '../engine.ts';
import type { ServerConnection } from './connection.ts';
import { failureOf, isAboutStatement, statementError } from './errors.ts';
import { wordsOf } from './sql-tree.ts';
import type { Parameter } from './wire/statement-run.ts';

/** A statement with `$1`, `$2`, ... in place of its names. */
export interface PostgresStatement extends BoundStatement {
  readonly parameters: readonly Parameter[];
  readonly params: Bindings;
}

/**
 * Type numbers that are the same in every Postgres. `UNKNOWN` is the type of a quoted literal until its context
 * determines one.
 */
const TYPE = { unknown: 0, bool: 16, int8: 20, int4: 23, text: 25, numeric: 1700 } as const;

/** A statement without bound values. */
export function plainStatement(sql: string): PostgresStatement {
  return refusing(sql, undefined);
}

function refusing(sql: string, problem: string | undefined): PostgresStatement {
  return { ...unbound(sql, problem), parameters: [], params: {} };
}

/** Replaces names with `$n`, one number for each name. Needs the grammar loaded. */
export function bindNames(sql: string, params: Bindings | undefined): PostgresStatement {
  return params === undefined ? plainStatement(sql) : bind(sql, params, 'shared');
}

function bind(sql: string, params: Bindings, numbering: 'shared' | 'own'): PostgresStatement {
  const found = namesIn(sql);
  if (found === undefined) return plainStatement(sql);
  if (found.foreign !== undefined) {
    const reason = `It has a parameter like ${found.foreign}, for which there is no value. Give it a name, like :name.`;
    return refusing(sql, reason);
  }
  const numbers = new Map<string, number>();
  const order: number[] = [];
  const bound = bindPlaces(sql, found.places, params, ({ name, start }) => {
    const key = numbering === 'shared' ? name : `${name} ${start}`;
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    order.push(number);
    return `$${number}`;
  });
  const parameters: Parameter[] = [];
  for (const [at, value] of bound.values.entries()) parameters[(order[at] ?? 1) - 1] = parameterOf(value);
  return { ...bound, parameters, params };
}

/** Typed like a literal of the same value: a number selects its operator, a text takes the type it is compared with. */
function parameterOf({ type, value }: BoundValue): Parameter {
  const text = value === null ? null : String(value);
  switch (type) {
    case 'boolean':
      return { type: TYPE.bool, text };
    case 'number':
      return { type: TYPE.numeric, text };
    case 'integer':
      return { type: integerType(text), text };
    case 'string':
      return { type: TYPE.unknown, text };
  }
}

function integerType(text: string | null): number {
  if (text === null) return TYPE.int4;
  if (!/^-?\d{1,19}$/.test(text)) return TYPE.numeric;
  const value = BigInt(text);
  if (BigInt.asIntN(32, value) === value) return TYPE.int4;
  return BigInt.asIntN(64, value) === value ? TYPE.int8 : TYPE.numeric;
}

interface Found {
  readonly places: readonly Place[];
  /** A parameter in Postgres' own form. */
  readonly foreign: string | undefined;
}

/** The positions of names, found by the server's own lexer; undefined for a text it cannot read. */
function namesIn(sql: string): Found | undefined {
  if (sql.includes('\0')) return undefined;
  let words: ReturnType<typeof wordsOf>;
  try {
    words = wordsOf(sql);
  } catch {
    // A quote or comment is not closed: the statement is sent unchanged, and the server reports the position.
    return undefined;
  }
  const indexOf = indexesOfBytes(sql);
  const places = words.flatMap(({ text, start }, at): Place[] => {
    const next = words[at + 1];
    if (text !== ':' || next?.start !== start + 1 || !/^[A-Za-z_\u0080-\uFFFF]/.test(next.text)) return [];
    const index = indexOf(start);
    return mayBegin(sql, index) ? [{ name: next.text, start: index, end: index + 1 + next.text.length }] : [];
  });
  return { places, foreign: words.find(({ text }) => /^\$\d/.test(text))?.text };
}

/** The lexer counts bytes. Call it with rising values: the text is scanned once. */
export function indexesOfBytes(sql: string): (bytes: number) => number {
  const encoded = Buffer.from(sql, 'utf8');
  if (encoded.length === sql.length) return (bytes) => bytes;
  let known = 0;
  let index = 0;
  return (bytes) => {
    index += encoded.toString('utf8', known, bytes).length;
    known = bytes;
    return index;
  };
}

const UNDECIDED = '42P18';
/** A name has different types in different places; a type that fits one does not fit another. */
const CLASHING: ReadonlySet<string | undefined> = new Set(['42P08', '42883', '42804', '42846']);

/**
 * Lets the server determine the types of text values before the statement runs, in the same transaction. Where one type
 * does not fit all places of a name, each place gets its own number; a type that stays undetermined becomes text.
 * `again` reopens the transaction after a refusal.
 */
export async function settle<S extends PostgresStatement>(
  connection: ServerConnection,
  statement: S,
  again: () => Promise<unknown>,
): Promise<S> {
  let tried = statement;
  let mayPart = tried.parameters.length < tried.values.length;
  while (!isSettled(tried)) {
    try {
      await compile(connection, tried);
      break;
    } catch (error) {
      if (!isAboutStatement(error)) throw error;
      const decided = withText(tried, error);
      const parted = decided === undefined && mayPart && CLASHING.has(failureOf(error).code);
      if (parted) mayPart = false;
      const next = parted ? { ...tried, ...bind(tried.written, tried.params, 'own') } : decided;
      if (next === undefined) throw boundError(error, tried);
      tried = next;
      await connection.run('ROLLBACK', 'script');
      await again();
    }
  }
  return tried;
}

/** Whether every value has a type. */
export function isSettled({ parameters }: PostgresStatement): boolean {
  return parameters.every(({ type }) => type !== TYPE.unknown);
}

/** The statement with the undetermined parameter typed as text. */
function withText<S extends PostgresStatement>(statement: S, error: unknown): S | undefined {
  const { code, message } = failureOf(error);
  const number = code === UNDECIDED ? Number(/\$(\d+)/.exec(message)?.[1]) : Number.NaN;
  const parameter = statement.parameters[number - 1];
  if (parameter?.type !== TYPE.unknown) return undefined;
  return { ...statement, parameters: statement.parameters.with(number - 1, { ...parameter, type: TYPE.text }) };
}

/** Compiles a statement without running it. */
export async function compile(connection: ServerConnection, { text, parameters }: PostgresStatement): Promise<void> {
  await connection.run(text, 'compile', {}, parameters);
}

/** The server's message about a statement, with the position in the text as written. */
export function boundError(error: unknown, statement: BoundStatement, prefix = ''): AppError {
  const { text } = statement;
  const told = statementError(error, text, prefix + text);
  if (statement.marks.length === 0) return told;
  const { code, message, hint, details = {}, cause } = told;
  const { position } = details;
  const own = {
    ...details,
    ...(typeof position === 'number' ? { position: writtenPosition(statement, position) } : {}),
    ...namedIn(message, statement),
  };
  return new AppError(code, message, { hint, details: own, cause });
}

/** The server names `$1`; this adds the placeholder's own name. */
function namedIn(message: string, { text, marks }: BoundStatement): { readonly parameter?: string } {
  const number = /\$\d+/.exec(message)?.[0];
  const mark = marks.find(({ start, end }) => text.slice(start, end) === number);
  return mark === undefined ? {} : { parameter: `:${mark.place.name}` };
}

/** Postgres counts characters from one. */
function writtenPosition(statement: BoundStatement, position: number): number {
  const before = [...statement.text].slice(0, position - 1).join('').length;
  return [...statement.written.slice(0, writtenIndex(statement, before))].length + 1;
}
