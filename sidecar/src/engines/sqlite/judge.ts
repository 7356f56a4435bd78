import type { Bindings, Judgement } from '../engine.ts';
import { afterBrackets, firstWord, isOperator, withoutLastSemicolons } from '../operators.ts';
import { type PlainChange, plainChangeIn } from './plain-change.ts';
import { isHarmfulPragmaTable, judgePragma } from './pragmas.ts';
import { isName, isWord, type Token, tokenize } from './tokenize.ts';

const READ_VERBS = new Set(['SELECT', 'VALUES']);
const TRANSACTION_VERBS = new Set(['BEGIN', 'COMMIT', 'END', 'ROLLBACK', 'SAVEPOINT', 'RELEASE']);

/**
 * Functions that reach outside the database: code, files and processes. Most are missing from our build of SQLite, but
 * the guard does not rely on that.
 */
const OUTSIDE_FUNCTIONS = new Set([
  'edit',
  'eval',
  'fsdir',
  'fts3_tokenizer',
  'load_extension',
  'lsdir',
  'lsmode',
  'readfile',
  'sqlite_log',
  'symlink',
  'writefile',
  'zipfile',
]);
/** FTS3's optimize() rewrites the index from inside a SELECT. */
const WRITING_FUNCTIONS = new Set(['optimize']);
const FILE_MODULES = new Set(['csv', 'fsdir', 'lsm1', 'vsv', 'zipfile']);
/** After these, a name and a parenthesis are a table and its columns, not a call. */
const BEFORE_TABLE_AND_COLUMNS = new Set(['EXISTS', 'INTO', 'REFERENCES', 'TABLE']);

/** Judges a statement before SQLite sees it: some PRAGMAs take effect when they are prepared, even under EXPLAIN. */
export function classify(sql: string, params: Bindings = {}): Judgement {
  if (sql.includes('\0'))
    return refused('', 'The statement contains a NUL character, where SQLite stops reading. Remove it.');
  const read = tokenize(sql);
  if (!read.ok) {
    const position = read.at + 1;
    const reason = `SQLite cannot read the statement: ${read.problem} at position ${position}. Correct it.`;
    return { effect: 'refused', verb: firstWord(sql), reason, position };
  }
  const tokens = oneStatement(read.tokens);
  if (tokens === undefined) {
    return refused(verbOf(read.tokens), 'There are several statements. Send one statement per call.');
  }
  if (tokens.length === 0) return refused('', 'There is no statement. Send one SQL statement.');
  const parameter = tokens.find((token) => token.kind === 'parameter' && !isBound(token, params));
  if (parameter !== undefined) {
    return refused(
      verbOf(tokens),
      `${parameter.text} is a parameter, and no value was passed for it. Write the value into the statement.`,
    );
  }
  return judge(tokens);
}

/** The single plain change of a table in the main schema that a statement is; undefined when a dry run is not safe. */
export function plainChange(sql: string, params?: Bindings): PlainChange | undefined {
  if (classify(sql, params).effect !== 'write') return undefined;
  const read = tokenize(sql);
  return read.ok ? plainChangeIn(read.tokens) : undefined;
}

/** SQLite also accepts @name, $name and numbers as placeholders: only :name gets values. */
function isBound({ text }: Token, params: Bindings): boolean {
  return text.startsWith(':') && Object.hasOwn(params, text.slice(1));
}

function judge(tokens: readonly Token[]): Judgement {
  const verb = verbOf(tokens);
  const call = forbiddenCall(tokens);
  if (call !== undefined) return refused(verb, call);
  if (verb === 'EXPLAIN') return judgeExplain(tokens);
  if (verb === 'PRAGMA') return judgePragmaStatement(tokens);
  if (TRANSACTION_VERBS.has(verb)) {
    return refused(verb, 'A transaction cannot span calls: each statement runs in its own. Send the statement alone.');
  }
  if (verb === 'ATTACH' || verb === 'DETACH') {
    return refused(
      verb,
      `${verb} reaches another database file. Add it as a separate connection and name that in the call.`,
    );
  }
  if (verb === 'VACUUM' && tokens.some((token) => isWord(token, 'INTO'))) {
    return refused(verb, 'VACUUM INTO writes another file. Use export-query to write rows to a file.');
  }
  const main = verb === 'WITH' ? verbAfterWith(tokens) : verb;
  if (main !== undefined && READ_VERBS.has(main) && !writesInsideSelect(tokens)) return { effect: 'read', verb: main };
  return { effect: 'write', verb: main ?? verb };
}

/**
 * EXPLAIN runs nothing, but a PRAGMA may take effect when it is compiled, and statements that must never run are not
 * compiled either.
 */
function judgeExplain(tokens: readonly Token[]): Judgement {
  const plan = isWord(tokens[1], 'QUERY') && isWord(tokens[2], 'PLAN');
  const rest = tokens.slice(plan ? 3 : 1);
  if (rest.length === 0) return refused('EXPLAIN', 'EXPLAIN is not followed by a statement. Add one.');
  if (isWord(rest[0], 'EXPLAIN')) return refused('EXPLAIN', 'EXPLAIN cannot explain EXPLAIN. Write it once.');
  const inner = judge(rest);
  if (inner.effect === 'refused') return { ...inner, verb: 'EXPLAIN' };
  if (isWord(rest[0], 'PRAGMA') && inner.effect === 'write') {
    return refused('EXPLAIN', 'A PRAGMA may take effect by being explained. Run it without EXPLAIN.');
  }
  return { effect: 'read', verb: 'EXPLAIN' };
}

function judgePragmaStatement(tokens: readonly Token[]): Judgement {
  const parsed = pragmaParts(tokens);
  if (parsed === undefined)
    return refused('PRAGMA', 'The PRAGMA cannot be parsed. Write PRAGMA name or PRAGMA name(value).');
  const judged = judgePragma(parsed.name, parsed.argument);
  return judged.effect === 'refused' ? refused('PRAGMA', judged.reason) : { effect: judged.effect, verb: 'PRAGMA' };
}

function pragmaParts(tokens: readonly Token[]): { name: string; argument: string | undefined } | undefined {
  const names = tokens.slice(1);
  const prefixed = isOperator(names[1], '.');
  const name = names[prefixed ? 2 : 0];
  if (!isName(name)) return undefined;
  const rest = names.slice(prefixed ? 3 : 1);
  if (rest.length === 0) return { name: name.value, argument: undefined };
  const equals = isOperator(rest[0], '=');
  const brackets = isOperator(rest[0], '(') && isOperator(rest.at(-1), ')');
  if (!equals && !brackets) return undefined;
  const argument = rest.slice(1, brackets ? -1 : undefined);
  return { name: name.value, argument: argument.map(({ value }) => value).join('') };
}

/** The verb after the common table expressions; undefined when they do not follow SQLite's grammar. */
function verbAfterWith(tokens: readonly Token[]): string | undefined {
  let at = isWord(tokens[1], 'RECURSIVE') ? 2 : 1;
  for (;;) {
    if (!isName(tokens[at])) return undefined;
    at = afterBrackets(tokens, at + 1) ?? at + 1;
    if (!isWord(tokens[at], 'AS')) return undefined;
    at += 1;
    if (isWord(tokens[at], 'NOT')) at += 1;
    if (isWord(tokens[at], 'MATERIALIZED')) at += 1;
    const body = afterBrackets(tokens, at);
    if (body === undefined) return undefined;
    const next = tokens[body];
    if (!isOperator(next, ',')) return next?.kind === 'word' ? next.text.toUpperCase() : undefined;
    at = body + 1;
  }
}

/** The tokens without trailing semicolons; undefined when something follows one. */
function oneStatement(tokens: readonly Token[]): readonly Token[] | undefined {
  const kept = withoutLastSemicolons(tokens);
  const first = kept.findIndex((token) => isOperator(token, ';'));
  if (first < 0) return kept;
  if (!isTrigger(kept)) return undefined;
  // Statements in a trigger end with semicolons; the first END after one closes the trigger.
  const end = kept.findIndex((token, at) => isWord(token, 'END') && isOperator(kept[at - 1], ';'));
  return end === kept.length - 1 ? kept : undefined;
}

function isTrigger(tokens: readonly Token[]): boolean {
  let at = 0;
  if (isWord(tokens[at], 'EXPLAIN')) at += isWord(tokens[1], 'QUERY') ? 3 : 1;
  if (!isWord(tokens[at], 'CREATE')) return false;
  at += isWord(tokens[at + 1], 'TEMP') || isWord(tokens[at + 1], 'TEMPORARY') ? 2 : 1;
  return isWord(tokens[at], 'TRIGGER');
}

function forbiddenCall(tokens: readonly Token[]): string | undefined {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!isName(token)) continue;
    if (isCall(tokens, at)) {
      const name = token.value.toLowerCase();
      if (OUTSIDE_FUNCTIONS.has(name)) {
        return `${name}() reaches outside the database. Use the file tools, or do this step outside of SQL.`;
      }
    }
    if (isWord(tokens[at - 1], 'USING') && FILE_MODULES.has(token.value.toLowerCase())) {
      return `The module ${token.value.toLowerCase()} reads files outside the database. Import the rows with INSERT.`;
    }
  }
  return undefined;
}

function isCall(tokens: readonly Token[], at: number): boolean {
  if (!isOperator(tokens[at + 1], '(')) return false;
  const before = tokens[at - 1];
  return !(before?.kind === 'word' && BEFORE_TABLE_AND_COLUMNS.has(before.text.toUpperCase()));
}

function writesInsideSelect(tokens: readonly Token[]): boolean {
  return tokens.some(
    (token, at) =>
      isHarmfulTable(token) ||
      (isName(token) && isCall(tokens, at) && WRITING_FUNCTIONS.has(token.value.toLowerCase())),
  );
}

/** SQLite accepts a string as a table's name, so `FROM 'pragma_optimize'` counts. */
function isHarmfulTable(token: Token): boolean {
  return isName(token) && isHarmfulPragmaTable(token.value);
}

function verbOf(tokens: readonly Token[]): string {
  const first = tokens[0];
  return first?.kind === 'word' ? first.text.toUpperCase() : (first?.text.slice(0, 20) ?? '');
}

function refused(verb: string, reason: string): Judgement {
  return { effect: 'refused', verb, reason };
}
