import {
  type BoundStatement,
  type BoundValue,
  bindPlaces,
  type Place,
  unbound,
  writtenIndex,
} from '../bound-statement.ts';
import type { Bindings } from '../engine.ts';
import type { Completed, RowReceiver, ServerConnection } from './connection.ts';
import { modesFor } from './judge.ts';
import { isMariadb } from './server-version.ts';
import { type Token, tokenize } from './tokenize.ts';

/** Replaces names with `?`. Text a server might read differently is refused. */
export function bindNames(sql: string, params: Bindings | undefined): BoundStatement {
  if (params === undefined || sql.includes('\0')) return unbound(sql);
  const readings = modesFor(sql).flatMap((mode) => {
    const read = tokenize(sql, mode);
    return read.ok ? [read.tokens.filter(({ kind }) => kind === 'parameter')] : [];
  });
  const [first = [], ...others] = readings;
  const foreign = first.find(({ text }) => text === '?');
  if (foreign !== undefined)
    return unbound(sql, 'It has the parameter ?, for which there is no value. Give it a name, like :name.');
  const hidden = readings.flat().find(({ comment }) => comment !== undefined);
  if (hidden !== undefined) {
    return unbound(
      sql,
      `${hidden.text} stands in a comment that some servers execute. Write it outside of the comment.`,
    );
  }
  if (others.some((other) => !sameStarts(first, other))) {
    const reason = 'Whether a name stands in a text depends on what a backslash means to the server.';
    return unbound(sql, `${reason} Write the statement without backslashes; a value may hold them.`);
  }
  const places = first.map(({ text, start, end }): Place => ({ name: text.slice(1), start, end }));
  return bindPlaces(sql, places, params, () => '?');
}

function sameStarts(one: readonly Token[], other: readonly Token[]): boolean {
  return one.length === other.length && one.every(({ start }, at) => start === other[at]?.start);
}

/**
 * Runs a statement with its values. They are first set as session variables, over the protocol that keeps values apart
 * from text, and the statement is executed with those variables: so its rows come in the text form, which shows every
 * value exactly, unlike the binary form. The connection's reset clears the variables.
 */
export async function runBound(
  connection: ServerConnection,
  { text, values }: BoundStatement,
  receiver: RowReceiver = {},
  prefix = '',
): Promise<Completed> {
  if (values.length === 0) return connection.run(prefix + text, receiver);
  const variables = new Map<string, BoundValue>(values.map((value) => [value.name, value]));
  const names = [...variables.keys()];
  const set = [...variables.values()].map(
    (value, at) => [`@devdb_${at} = ${expressionFor(value)}`, textOf(value)] as const,
  );
  const assignments = ['@devdb_statement = ?', ...set.map(([assignment]) => assignment)];
  await connection.bind(`SET ${assignments.join(', ')}`, [prefix + text, ...set.map(([, value]) => value)]);
  const isExact = isMariadb(connection.version, EXECUTES_EXPRESSIONS);
  const using = values
    .map((value) => [`@devdb_${names.indexOf(value.name)}`, value] as const)
    .map(([variable, value]) => (isExact ? ofItsLength(variable, value) : variable))
    .join(', ');
  if (isExact) return connection.run(`EXECUTE IMMEDIATE @devdb_statement USING ${using}`, receiver);
  await connection.run('PREPARE devdb_statement FROM @devdb_statement');
  return connection.run(`EXECUTE devdb_statement USING ${using}`, receiver);
}

/** From this version on MariaDB accepts expressions after USING. */
const EXECUTES_EXPRESSIONS = 100_203;

/**
 * A variable is a LONGTEXT, and when MariaDB groups by parameters of that type it takes all of them for the same one.
 */
function ofItsLength(variable: string, { type, value }: BoundValue): string {
  if (type !== 'string' || value === null) return variable;
  return `CAST(${variable} AS CHAR(${Math.max(1, [...String(value)].length)}))`;
}

const MOST_DIGITS = 65;
const MOST_DECIMALS = 30;

/** An expression that gives the variable the type of a literal of the same value. */
function expressionFor(bound: BoundValue): string {
  const text = textOf(bound);
  if (bound.type === 'string' || text === null) return '?';
  const [, whole = '', decimals = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = whole.length + decimals.length;
  if (digits === 0 || digits > MOST_DIGITS || decimals.length > MOST_DECIMALS) return '? + 0e0';
  if (decimals !== '') return `CAST(? AS DECIMAL(${digits}, ${decimals.length}))`;
  return fitsSigned(text) ? 'CAST(? AS SIGNED)' : `CAST(? AS DECIMAL(${digits}, 0))`;
}

function fitsSigned(text: string): boolean {
  return BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** TRUE and FALSE are 1 and 0 here. */
function textOf({ value }: BoundValue): string | null {
  if (value === null) return null;
  return String(typeof value === 'boolean' ? Number(value) : value);
}

/** Maps a one-based position in the text that was sent to the statement as written. */
export function writtenPosition(statement: BoundStatement, position: number): number {
  return writtenIndex(statement, position - 1) + 1;
}
