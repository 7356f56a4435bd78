import { TYPES } from 'tedious';
import { type BoundStatement, type BoundValue, bindPlaces, type Place, unbound } from '../bound-statement.ts';
import type { Bindings } from '../engine.ts';
import type { Parameter } from './connection.ts';
import { tokenize } from './tokenize.ts';

/** A statement with `@devdb_1`, `@devdb_2`, ... in place of its names. */
export interface MssqlStatement extends BoundStatement {
  readonly parameters: readonly Parameter[];
}

/** A statement without bound values. */
export function plainStatement(sql: string): MssqlStatement {
  return { ...unbound(sql), parameters: [] };
}

/** Replaces names with variables, one for each name. What cannot be read with certainty stays, and is then refused. */
export function bindNames(sql: string, params: Bindings | undefined): MssqlStatement {
  const read = params === undefined || sql.includes('\0') ? undefined : tokenize(sql);
  if (params === undefined || !read?.ok) return plainStatement(sql);
  const places = read.tokens
    .filter(({ kind }) => kind === 'parameter')
    .map(({ text, start, end }): Place => ({ name: text.slice(1), start, end }));
  const names = [...new Set(places.map(({ name }) => name))];
  const bound = bindPlaces(sql, places, params, ({ name }) => `@${variableOf(names, name)}`);
  const values = new Map(bound.values.map((value) => [value.name, value]));
  return {
    ...bound,
    parameters: [...values.values()].map((value) => parameterOf(variableOf(names, value.name), value)),
  };
}

function variableOf(names: readonly string[], name: string): string {
  return `devdb_${names.indexOf(name) + 1}`;
}

/** The driver computes decimals in floating point: up to this many digits, each one is exact. */
const EXACT_DIGITS = 15;

/** Typed like a literal of the same value; a value no number type holds exactly is sent as text or float. */
function parameterOf(name: string, { type, value }: BoundValue): Parameter {
  if (type === 'boolean') return { name, type: TYPES.Bit, value };
  if (type === 'string') return { name, type: TYPES.NVarChar, value };
  if (value === null) return { name, type: type === 'integer' ? TYPES.Int : TYPES.Float, value };
  const text = String(value);
  if (/^-?\d+$/.test(text)) return { name, ...wholeNumber(text) };
  const [, whole = '', decimals = ''] = /^-?(\d+)\.(\d+)$/.exec(text) ?? [];
  const precision = whole.length + decimals.length;
  if (precision === 0 || precision > EXACT_DIGITS) return { name, type: TYPES.Float, value: Number(text) };
  return { name, type: TYPES.Decimal, value: Number(text), options: { precision, scale: decimals.length } };
}

function wholeNumber(text: string): Pick<Parameter, 'type' | 'value'> {
  const value = BigInt(text);
  if (BigInt.asIntN(32, value) === value) return { type: TYPES.Int, value: Number(value) };
  return BigInt.asIntN(64, value) === value ? { type: TYPES.BigInt, value } : { type: TYPES.NVarChar, value: text };
}

/**
 * Declares the variables of a statement that is only compiled, where they are NULL. On the statement's own first line,
 * so that line numbers stay.
 */
export function declared({ text, parameters }: MssqlStatement): string {
  if (parameters.length === 0) return text;
  const variables = parameters.map(({ name, type, options }) => `@${name} ${declarationOf(type, options)}`);
  return `DECLARE ${variables.join(', ')}; ${text}`;
}

function declarationOf(type: Parameter['type'], options: Parameter['options']): string {
  if (type === TYPES.NVarChar) return 'nvarchar(4000)';
  if (options !== undefined) return `decimal(${options.precision}, ${options.scale})`;
  return type.name.toLowerCase();
}
