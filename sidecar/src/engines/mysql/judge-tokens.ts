import { withoutValue } from '../bound-statement.ts';
import type { Judgement } from '../engine.ts';
import { afterBrackets, isOperator, withoutLastSemicolons } from '../operators.ts';
import { severalStatements } from '../several-statements.ts';
import {
  type CallForm,
  isBuiltIn,
  REFUSED_FUNCTIONS,
  RESERVED_BEFORE_PARENTHESIS,
  WRITING_FUNCTIONS,
} from './functions.ts';
import { allNames, type NamedObject, queriedTables } from './named-objects.ts';
import { REFUSED_VERBS, refusedByWords } from './refused-verbs.ts';
import { isName, isWord, type Token } from './tokenize.ts';

/** A call of a function that may be user-defined, so that its effects have to be looked up. */
export interface Call {
  /** The part before the last point: a schema, or a package of MariaDB. */
  readonly schema: string | undefined;
  readonly name: string;
  readonly form: CallForm;
  /** Follows two points (`schema.package.function`). */
  readonly inPackage: boolean;
}

/** Names in a text that only the server can resolve. */
export interface Named {
  readonly calls: readonly Call[];
  /** Tables, views, and names that may be one. */
  readonly tables: readonly NamedObject[];
}

/** One reading of a statement, judged. */
export interface JudgedReading extends Named {
  readonly statement: Judgement;
}

const READ_VERBS = new Set(['SELECT', 'TABLE', 'VALUES', 'SHOW', 'DESC', 'DESCRIBE', 'EXPLAIN']);
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE']);
const BODIES = ['PROCEDURE', 'FUNCTION', 'TRIGGER', 'EVENT', 'PACKAGE'];
/** Statements that name tables only after FROM, JOIN and TABLE. */
const QUERIES = new Set(['SELECT', 'WITH', 'TABLE', 'VALUES']);

/** Judges one reading of a statement. `bound`: its markers get values. */
export function judgeTokens(all: readonly Token[], bound = false): JudgedReading {
  const tokens = oneStatement(all);
  if (tokens === undefined) {
    return { statement: severalStatements(verbOf(all)), calls: [], tables: [] };
  }
  if (tokens.length === 0) return refused('', 'There is no statement. Send one SQL statement.');
  const verb = verbOf(tokens);
  const parameter = bound ? undefined : tokens.find(({ kind }) => kind === 'parameter');
  if (parameter !== undefined) return refused(verb, withoutValue(parameter.text));
  const reason = REFUSED_VERBS.get(verb) ?? refusedByWords(tokens, verb);
  if (reason !== undefined) return refused(verb, reason);
  const calls = callsIn(tokens);
  if ('refused' in calls) return refused(verb, calls.refused);
  const statement = judgeVerb(tokens, verb, calls.writes);
  if (statement.effect === 'refused') return { statement, calls: [], tables: [] };
  return { statement, calls: calls.unknown, tables: tablesOf(tokens, statement.effect === 'read' ? verb : '') };
}

function tablesOf(tokens: readonly Token[], readVerb: string): readonly NamedObject[] {
  if (QUERIES.has(readVerb)) return queriedTables(tokens);
  const isStatus =
    readVerb === 'SHOW' && tokens.some((token, at) => isWord(token, 'TABLE') && isWord(tokens[at + 1], 'STATUS'));
  return [...allNames(tokens), ...(isStatus ? [TABLE_STATUS] : [])];
}

/** The table that SHOW TABLE STATUS reads. */
const TABLE_STATUS: NamedObject = { schema: 'information_schema', name: 'TABLES', isOwn: false };

/** The first word after opening parentheses, in upper case. */
export function verbOf(tokens: readonly Token[]): string {
  const first = tokens.find((token) => !isOperator(token, '('));
  return first?.kind === 'word' ? first.text.toUpperCase() : (first?.text.slice(0, 20) ?? '');
}

function judgeVerb(tokens: readonly Token[], verb: string, writes: boolean): Judgement {
  if (verb === 'EXPLAIN' || verb === 'DESC' || verb === 'DESCRIBE' || verb === 'ANALYZE') {
    return judgeExplain(tokens, verb, writes);
  }
  const main = verb === 'WITH' ? (verbAfterWith(tokens) ?? verb) : verb;
  if (!READ_VERBS.has(main)) return { effect: 'write', verb: main };
  if (main !== 'SHOW') {
    const reason = readRefusal(tokens);
    if (reason !== undefined) return { effect: 'refused', verb: main, reason };
  }
  return writes || takesNextValue(tokens) ? { effect: 'write', verb: main } : { effect: 'read', verb: main };
}

/** Clauses of a SELECT that lock, assign or leave the database. */
function readRefusal(tokens: readonly Token[]): string | undefined {
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    if (isWord(token, 'INTO')) {
      return 'SELECT ... INTO writes a file of the server or sets variables that end with the call. Leave INTO out; export-query writes rows to a file.';
    }
    if (isOperator(token, ':=')) {
      return 'Variables end with the call, so := is useless here. Use window functions or a common table expression.';
    }
    const locks =
      (isWord(token, 'FOR') && (isWord(next, 'UPDATE') || isWord(next, 'SHARE'))) ||
      (isWord(token, 'LOCK') && isWord(next, 'IN'));
    if (locks) return 'Row locks end with the call, so they are useless here. Leave the locking clause out.';
    if (isWord(token, 'PROCEDURE')) return 'PROCEDURE ANALYSE() is not run here. Leave it out.';
  }
  return undefined;
}

function takesNextValue(tokens: readonly Token[]): boolean {
  return tokens.some((token, at) => isWord(token, 'NEXT') && isWord(tokens[at + 1], 'VALUE'));
}

/** EXPLAIN runs nothing; EXPLAIN ANALYZE and MariaDB's ANALYZE do. */
function judgeExplain(tokens: readonly Token[], verb: string, writes: boolean): Judgement {
  const explained = explainedStatement(tokens);
  if (explained === undefined) {
    // ANALYZE TABLE stores statistics; DESC and EXPLAIN of a name list its columns.
    return verb === 'ANALYZE' ? { effect: 'write', verb } : { effect: 'read', verb: 'EXPLAIN' };
  }
  const inner = verbOf(explained.rest);
  if (EXPLAINING.has(inner)) {
    return { effect: 'refused', verb, reason: 'EXPLAIN cannot explain EXPLAIN. Write it once.' };
  }
  const judged = judgeVerb(explained.rest, inner, writes);
  if (judged.effect === 'refused') return { ...judged, verb };
  if (judged.effect === 'read') return { effect: 'read', verb: 'EXPLAIN' };
  const runs = explained.analyze || writes || !CHANGES.has(judged.verb);
  return runs ? { effect: 'write', verb } : { effect: 'read', verb: 'EXPLAIN' };
}

export interface Explained {
  readonly analyze: boolean;
  /** The statement after EXPLAIN and its options. */
  readonly rest: readonly Token[];
}

/** The statement that is explained; undefined when a table's name or a connection follows instead. */
export function explainedStatement(tokens: readonly Token[]): Explained | undefined {
  const verb = verbOf(tokens);
  let analyze = verb === 'ANALYZE';
  for (let at = 1; at < tokens.length; ) {
    const token = tokens[at];
    if (isWord(token, 'ANALYZE')) {
      analyze = true;
      at += 1;
    } else if (isWord(token, 'EXTENDED') || isWord(token, 'PARTITIONS')) {
      at += 1;
    } else if (isWord(token, 'FORMAT') && isOperator(tokens[at + 1], '=')) {
      at += 3;
    } else if (isWord(token, 'FOR') && (isWord(tokens[at + 1], 'SCHEMA') || isWord(tokens[at + 1], 'DATABASE'))) {
      at += 3;
    } else {
      const rest = tokens.slice(at);
      // ANALYZE TABLE is a different statement: it stores statistics.
      const isOther = verb === 'ANALYZE' && isWord(token, 'TABLE');
      const starts = !isOther && (STARTS.has(verbOf(rest)) || isOperator(token, '('));
      return starts ? { analyze, rest } : undefined;
    }
  }
  return undefined;
}

/** The words for EXPLAIN; all are reserved, so none is a table's name. */
const EXPLAINING = new Set(['EXPLAIN', 'ANALYZE', 'DESC', 'DESCRIBE']);
const STARTS = new Set(['SELECT', 'WITH', 'TABLE', 'VALUES', ...CHANGES, ...EXPLAINING]);

/** The verb after the common table expressions; undefined when they do not follow the grammar. */
function verbAfterWith(tokens: readonly Token[]): string | undefined {
  const start = tokens.findIndex((token) => isWord(token, 'WITH'));
  let at = isWord(tokens[start + 1], 'RECURSIVE') ? start + 2 : start + 1;
  for (;;) {
    if (!isName(tokens[at])) return undefined;
    at = afterBrackets(tokens, at + 1) ?? at + 1;
    if (!isWord(tokens[at], 'AS')) return undefined;
    const body = afterBrackets(tokens, at + 1);
    if (body === undefined) return undefined;
    if (isOperator(tokens[body], ',')) {
      at = body + 1;
    } else {
      return verbOf(tokens.slice(body));
    }
  }
}

/** The tokens without trailing semicolons; undefined when something follows one. */
function oneStatement(tokens: readonly Token[]): readonly Token[] | undefined {
  const kept = withoutLastSemicolons(tokens);
  const first = kept.findIndex((token) => isOperator(token, ';'));
  if (first < 0) return kept;
  // Statements in a stored program end with semicolons; the server accepts no second statement after it.
  const head = kept.slice(0, first);
  const makes = isWord(head[0], 'CREATE') || isWord(head[0], 'ALTER');
  return makes && BODIES.some((body) => head.some((token) => isWord(token, body))) ? kept : undefined;
}

/** A call that is never run, or what is known about the calls. */
export type Calls = { readonly refused: string } | { readonly writes: boolean; readonly unknown: readonly Call[] };

/** What a piece of SQL calls besides the functions that every server has. */
export function callsIn(tokens: readonly Token[]): Calls {
  const unknown: Call[] = [];
  let writes = false;
  for (const [at, token] of tokens.entries()) {
    if (!isName(token) || !isCall(tokens, at)) continue;
    const name = token.value.toLowerCase();
    const refusal = REFUSED_FUNCTIONS.get(name);
    if (refusal !== undefined) return { refused: refusal };
    const schema = token.afterPoint ? tokens[at - 2]?.value : undefined;
    const form = formOf(token, tokens[at + 1]);
    if (WRITING_FUNCTIONS.has(name)) writes = true;
    else if (schema !== undefined || !isBuiltIn(name, form)) {
      const inPackage = schema !== undefined && tokens[at - 2]?.afterPoint === true;
      unknown.push({ schema, name: token.value, form, inPackage });
    }
  }
  return { writes, unknown };
}

/** The form of a call, which decides what the server takes the name for. */
export function formOf(name: Token, parenthesis: Token | undefined): CallForm {
  if (name.kind === 'quoted') return 'quoted';
  return name.end === parenthesis?.start ? 'tight' : 'spaced';
}

/**
 * A name before a parenthesis is a call, unless it is a keyword, a table or alias with columns, or a table expression.
 */
function isCall(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || !isOperator(tokens[at + 1], '(')) return false;
  const isBare = token.kind === 'word' && !token.afterPoint;
  if (isBare && RESERVED_BEFORE_PARENTHESIS.has(token.text.toUpperCase())) return false;
  const before = tokens[at - 1];
  if (isWord(before, 'AS') || isWord(before, 'INTO') || isOperator(before, ')')) return false;
  if (token.afterPoint && isWord(tokens[at - 3], 'INTO')) return false;
  const close = afterBrackets(tokens, at + 1);
  return !(close !== undefined && isWord(tokens[close], 'AS') && isOperator(tokens[close + 1], '('));
}

function refused(verb: string, reason: string): JudgedReading {
  return { statement: { effect: 'refused', verb, reason }, calls: [], tables: [] };
}
