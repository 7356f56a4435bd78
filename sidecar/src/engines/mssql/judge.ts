import { refusedBinding, withoutValue } from '../bound-statement.ts';
import type { JudgedStatement, Judgement, RefusedStatement } from '../engine.ts';
import { firstWord, isOperator, withoutLastSemicolons } from '../operators.ts';
import type { MssqlStatement } from './bind.ts';
import { secondStatement } from './second-statement.ts';
import {
  isOutsideFunction,
  isOutsideProcedure,
  LOCKING_HINTS,
  REFUSED_VERBS,
  STATEMENT_WORDS,
  TWO_WORD_VERBS,
} from './statement-words.ts';
import { isName, isWord, type Token, tokenize } from './tokenize.ts';

const WITH_BODY = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE']);
/** Statements of these have a body that extends to the end of the batch, including semicolons. */
const HAS_BODY = new Set(['PROC', 'PROCEDURE', 'FUNCTION', 'TRIGGER', 'VIEW']);

/** A statement that may run, as it was judged: every way to run it goes by this. */
export interface ReadyStatement extends MssqlStatement, JudgedStatement {}

/** Judges a statement as it will be sent, with its bound values. */
export function ready(bound: MssqlStatement): ReadyStatement | RefusedStatement {
  const variables = new Set(bound.parameters.map(({ name }) => `@${name}`));
  const judged = refusedBinding(bound) ?? classify(bound.text, variables);
  return judged.effect === 'refused' ? judged : { ...bound, ...judged };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Judges a statement from its text alone: SQL Server has no transaction that refuses writes, so this list is the guard.
 * `bound` are the variables that get values.
 */
export function classify(sql: string, bound: ReadonlySet<string> = NONE): Judgement {
  if (sql.includes('\0')) return refused('', 'The statement contains a NUL character. Remove it.');
  const read = tokenize(sql);
  if (!read.ok) {
    return refused(
      firstWord(sql),
      `The statement cannot be parsed safely: ${read.problem} at position ${read.at + 1}. Rewrite it plainly.`,
    );
  }
  const tokens = withoutLastSemicolons(read.tokens);
  if (tokens.length === 0) return refused('', 'There is no statement. Send one SQL statement.');
  return judge(sql, tokens, bound);
}

function judge(sql: string, tokens: readonly Token[], bound: ReadonlySet<string>): Judgement {
  const verb = verbOf(tokens);
  const reason = disguise(tokens, bound) ?? separator(sql, tokens) ?? outside(tokens) ?? REFUSED_VERBS[verb];
  if (reason !== undefined) return refused(verb, reason);
  const main = verb === 'WITH' ? verbAfterWith(tokens) : verb;
  if (main === undefined) return refused(verb, 'WITH is not followed by a statement. Add one.');
  if (main === 'SELECT') return judgeSelect(tokens);
  if (!canBegin(main)) {
    return refused(main, `${main} does not begin a statement. Use EXEC to call a procedure.`);
  }
  if (isProgram(main, tokens)) return { effect: 'write', verb: nameOfVerb(main, tokens) };
  const second = secondStatement(main, tokens);
  if (second !== undefined) return refused(main, several(second));
  return judgeCall(main, tokens) ?? { effect: 'write', verb: nameOfVerb(main, tokens) };
}

function judgeSelect(tokens: readonly Token[]): Judgement {
  const second = secondStatement('SELECT', tokens);
  if (second !== undefined) return refused('SELECT', several(second));
  const writes = tokens.some(
    (token, at) =>
      isWord(token, 'INTO') ||
      (isWord(token, 'NEXT') && isWord(tokens[at + 1], 'VALUE')) ||
      (token.kind === 'word' && token.depth > 0 && LOCKING_HINTS.has(token.text.toUpperCase())),
  );
  return { effect: writes ? 'write' : 'read', verb: 'SELECT' };
}

/** A variable has no value here, and readers disagree about a word in letters that only look Latin. */
function disguise(tokens: readonly Token[], bound: ReadonlySet<string>): string | undefined {
  for (const token of tokens) {
    if (token.kind === 'parameter') return withoutValue(token.text);
    const isFree = token.kind === 'variable' && !token.text.startsWith('@@') && !bound.has(token.text);
    if (isFree && !declares(tokens)) {
      return `${token.text} is a variable, and no value was passed for it. Write the value into the statement.`;
    }
    const plain = token.kind === 'word' ? token.text.normalize('NFKC').toUpperCase() : '';
    if (plain !== token.text.toUpperCase() && (STATEMENT_WORDS.has(plain) || WITH_BODY.has(plain))) {
      return `${token.text} looks like a keyword in unusual letters. Write it in brackets if it is a name.`;
    }
  }
  return undefined;
}

/** Parameters of a procedure, in its declaration or its call. */
function declares(tokens: readonly Token[]): boolean {
  const verb = verbOf(tokens);
  return verb === 'EXEC' || verb === 'EXECUTE' || isProgram(verb, tokens);
}

/** Text that separates one batch or statement from the next. */
function separator(sql: string, tokens: readonly Token[]): string | undefined {
  const go = tokens.find((token) => isWord(token, 'GO') && isAloneOnLine(sql, token));
  if (go !== undefined) return REFUSED_VERBS['GO'];
  if (isProgram(verbOf(tokens), tokens)) return undefined;
  // MERGE must end with a semicolon; every other statement may.
  return tokens.some((token) => isOperator(token, ';')) ? several(undefined) : undefined;
}

function isAloneOnLine(sql: string, { start, end }: Token): boolean {
  let before = start;
  while (/[^\S\r\n]/.test(sql[before - 1] ?? '')) before -= 1;
  return (
    (before === 0 || /[\r\n]/.test(sql[before - 1] ?? '')) &&
    /^[^\S\r\n]*(?:\d+[^\S\r\n]*)?(?:[\r\n]|$|--)/.test(sql.slice(end))
  );
}

/** Calls that reach outside the database, and tables of other servers. */
export function outside(tokens: readonly Token[]): string | undefined {
  for (const [at, token] of tokens.entries()) {
    if (!isName(token)) continue;
    const isCall = isOperator(tokens[at + 1], '(');
    if (isCall && (isOutsideFunction(token.value) || /^(?:xp|sp)_/i.test(token.value)) && !isTableInDdl(tokens, at)) {
      return `${token.value}() reaches beyond the database: files, other servers or the network. Do this step with the server's own tools.`;
    }
    if (isWord(token, 'EXTERNAL') && isWord(tokens[at + 1], 'DATA')) return REFUSED_VERBS['BULK'];
    if (isServerName(tokens, at)) {
      return `${token.text} is the name of another server. Add its database as a separate connection and name that in the call.`;
    }
  }
  return undefined;
}

/** `CREATE TABLE sp_list (` declares a name and calls nothing. */
function isTableInDdl(tokens: readonly Token[], at: number): boolean {
  return ['CREATE', 'ALTER', 'INSERT'].includes(verbOf(tokens)) && !isOutsideFunction(tokens[at]?.value ?? '');
}

const BEFORE_TABLE = new Set([
  'FROM',
  'JOIN',
  'APPLY',
  'INTO',
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE',
  'USING',
  'EXEC',
  'EXECUTE',
  'TABLE',
]);

/** Whether a table or a procedure can be named here; joined tables may be in parentheses. */
export function stands(tokens: readonly Token[], at: number): boolean {
  let before = at - 1;
  while (isOperator(tokens[before], '(')) before -= 1;
  const token = tokens[before];
  return isOperator(token, ',') || (token?.kind === 'word' && BEFORE_TABLE.has(token.text.toUpperCase()));
}

/** The first part of a four-part name where a table or procedure is named. */
function isServerName(tokens: readonly Token[], at: number): boolean {
  if (!stands(tokens, at)) return false;
  let dots = 0;
  let next = at + 1;
  while (isOperator(tokens[next], '.')) {
    dots += 1;
    next += isName(tokens[next + 1]) ? 2 : 1;
  }
  return dots >= 3;
}

/** A call of a procedure, which may do anything: a write, unless it reaches outside the database. */
function judgeCall(verb: string, tokens: readonly Token[]): Judgement | undefined {
  const at = tokens.findIndex((token) => isWord(token, 'EXEC') || isWord(token, 'EXECUTE'));
  if (at < 0 || (verb !== 'EXEC' && verb !== 'EXECUTE' && verb !== 'INSERT')) return undefined;
  const first = tokens[at + 1];
  if (isWord(first, 'AS')) return refused('EXECUTE AS', REFUSED_VERBS['SET'] ?? '');
  if (isOperator(first, '(')) {
    return refused('EXEC', 'EXEC of a string hides the statement that runs. Send that statement itself.');
  }
  if (!isName(first) && !isOperator(tokens[at + 2], '=')) {
    return refused('EXEC', 'EXEC is not followed by a procedure name. Write EXEC name and its parameters.');
  }
  const procedure = tokens.slice(at + 1).find((token) => isName(token) && isOutsideProcedure(token.value));
  if (procedure !== undefined) {
    return refused(
      'EXEC',
      `${procedure.value} reaches beyond the database, or hides the statement that it runs. Do this step with the server's own tools.`,
    );
  }
  return undefined;
}

/** CREATE or ALTER of an object that contains statements. */
function isProgram(verb: string, tokens: readonly Token[]): boolean {
  if (verb !== 'CREATE' && verb !== 'ALTER') return false;
  const at = isWord(tokens[1], 'OR') ? 3 : 1;
  return HAS_BODY.has(tokens[at]?.text.toUpperCase() ?? '');
}

const MORE_VERBS = new Set(['ENABLE', 'DISABLE', 'ADD', 'RENAME']);

function canBegin(verb: string): boolean {
  return STATEMENT_WORDS.has(verb) || MORE_VERBS.has(verb);
}

function nameOfVerb(main: string, tokens: readonly Token[]): string {
  if (main === 'EXECUTE') return 'EXEC';
  const at = isWord(tokens[1], 'OR') ? 3 : 1;
  const second = tokens[at];
  return TWO_WORD_VERBS.has(main) && second?.kind === 'word' ? `${main} ${second.text.toUpperCase()}` : main;
}

/** The first word; opening parentheses before a query are skipped. */
function verbOf(tokens: readonly Token[]): string {
  const first = tokens.find((token) => !isOperator(token, '('));
  return first?.kind === 'word' ? first.text.toUpperCase() : (first?.text.slice(0, 20) ?? '');
}

/** Common table expressions are in parentheses, so the first verb outside of them is the statement's. */
function verbAfterWith(tokens: readonly Token[]): string | undefined {
  const verb = tokens.find(
    (token) => token.kind === 'word' && token.depth === 0 && WITH_BODY.has(token.text.toUpperCase()),
  );
  return verb?.text.toUpperCase();
}

function several(second: Token | undefined): string {
  const where = second === undefined ? '' : ` (${second.text} begins another at position ${second.start + 1})`;
  return `There are several statements${where}. Send one statement per call.`;
}

function refused(verb: string, reason: string): Judgement {
  return { effect: 'refused', verb, reason };
}
