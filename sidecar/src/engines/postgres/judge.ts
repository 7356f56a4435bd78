import { AppError } from '@devdb/shared/errors';
import { refusedBinding } from '../bound-statement.ts';
import type { JudgedStatement, Judgement, RefusedStatement } from '../engine.ts';
import { firstWord } from '../operators.ts';
import type { PostgresStatement } from './bind.ts';
import { isRefusedFunction } from './functions.ts';
import { type NamesUsed, NO_NAMES, namesInText, namesUsed } from './names-used.ts';
import { nodesBelow, parseSql, recordsBelow, type TreeNode, wordsOf } from './sql-tree.ts';

/** A statement judged from its text alone. */
export interface Judged {
  readonly statement: Judgement;
  /** The names it uses: whether those are harmless, only the server knows. */
  readonly names: NamesUsed;
  /** The statement's own node; undefined when the grammar cannot parse it. */
  readonly node: TreeNode | undefined;
}

/** These affect the session or a transaction, and neither outlives a call. */
const SESSION_STATEMENTS: Readonly<Record<string, string>> = {
  TransactionStmt: 'A transaction cannot span calls: each statement runs in its own. Send the statement alone.',
  VariableSetStmt: 'A setting would end with the call. Put the value into the statement, or set it for the role.',
  DiscardStmt: 'Every call starts with a fresh session anyway.',
  PrepareStmt: 'A prepared statement would end with the call. Send the statement itself.',
  ExecuteStmt: 'Nothing is prepared at the start of a call. Send the statement itself.',
  DeallocateStmt: 'Nothing is prepared at the start of a call.',
  DeclareCursorStmt: 'A cursor would end with the call. Send the query itself.',
  FetchStmt: 'No cursor is open at the start of a call. Send the query itself.',
  ClosePortalStmt: 'No cursor is open at the start of a call.',
  ListenStmt: 'A call does not wait for notifications.',
  UnlistenStmt: 'A call does not wait for notifications.',
  LockStmt: 'A lock would end with the call.',
  ConstraintsSetStmt: 'It would end with the call.',
  LoadStmt: 'It loads code into the server.',
  CopyStmt:
    'COPY moves data through files or the connection itself. Use export-query for rows out, and INSERT for rows in.',
};

const DML_VERBS: Readonly<Record<string, string>> = {
  SelectStmt: 'SELECT',
  InsertStmt: 'INSERT',
  UpdateStmt: 'UPDATE',
  DeleteStmt: 'DELETE',
  MergeStmt: 'MERGE',
  ExplainStmt: 'EXPLAIN',
  VariableShowStmt: 'SHOW',
};
const TWO_WORD_VERBS = new Set(['CREATE', 'ALTER', 'DROP', 'REFRESH', 'REINDEX', 'COMMENT', 'SECURITY', 'IMPORT']);

/** A statement that may run, as it was judged: every way to run it goes by this. */
export interface ReadyStatement extends PostgresStatement, JudgedStatement, Omit<Judged, 'statement'> {}

/** Judges a statement as it will be sent, with its bound values. */
export function ready(bound: PostgresStatement): ReadyStatement | RefusedStatement {
  return refusedBinding(bound) ?? readyAs(judge(bound.text, bound.parameters.length), bound);
}

function readyAs({ statement, names, node }: Judged, bound: PostgresStatement): ReadyStatement | RefusedStatement {
  return statement.effect === 'refused' ? statement : { ...bound, ...statement, names, node };
}

/** The statement that an EXPLAIN explains, by the part of its tree; `bound` is its text. */
export function explainedBy({ node }: ReadyStatement, bound: PostgresStatement): ReadyStatement {
  const [explained] = nodesBelow(node?.fields['query']);
  if (explained === undefined) throw new Error('The grammar gave an EXPLAIN without a statement.');
  const found = readyAs(judgeOne(explained, bound.text, bound.parameters.length), bound);
  if (found.effect === 'refused') throw new AppError('E_SQL', found.reason, { details: { refused: true } });
  return found;
}

/**
 * Judges a text by the server's own grammar. What the grammar cannot parse is a write: the server will report the
 * error. `parameters` is how many values come with it.
 */
export function judge(sql: string, parameters = 0): Judged {
  const parsed = parseSql(sql);
  if (!parsed.ok) {
    if (sql.includes('\0')) return refused('', 'The statement contains a NUL character. Remove it.');
    return { statement: { effect: 'write', verb: firstWord(sql) }, names: namesInText(sql), node: undefined };
  }
  const [node, second] = parsed.statements;
  if (node === undefined) return refused('', 'There is no statement. Send one SQL statement.');
  if (second !== undefined) {
    return refused(verbOf(node, sql), 'There are several statements. Send one statement per call.');
  }
  return judgeOne(node, sql, parameters);
}

function judgeOne(node: TreeNode, sql: string, parameters: number): Judged {
  const verb = verbOf(node, sql);
  const found = lookBelow(node);
  if (found.parameter > parameters) {
    return refused(
      verb,
      'It has a parameter like $1, and no value was passed for it. Write the value into the statement.',
    );
  }
  const names = namesUsed(node);
  const forbidden = names.calls.map(({ name }) => name).find(isRefusedFunction);
  if (forbidden !== undefined) {
    return refused(
      verb,
      `${forbidden}() reaches beyond the statement: files, other servers, hidden SQL or the session's settings. Do this step with the database's own client.`,
    );
  }
  const session = found.kinds.find((kind) => SESSION_STATEMENTS[kind] !== undefined);
  if (session !== undefined) return refused(verb, SESSION_STATEMENTS[session] ?? '');
  const effect = isRead(node, found) ? 'read' : 'write';
  return { statement: { effect, verb }, names, node };
}

interface Found {
  readonly kinds: readonly string[];
  /** The highest number of a parameter; 0 where there is none. */
  readonly parameter: number;
  /** Whether a SELECT INTO or FOR UPDATE changes or locks something. */
  readonly changes: boolean;
}

function lookBelow(root: TreeNode): Found {
  const kinds = new Set<string>([root.name]);
  let parameter = 0;
  let changes = false;
  for (const node of nodesBelow(root.fields)) {
    if (node.name.endsWith('Stmt')) kinds.add(node.name);
    if (node.name === 'ParamRef') parameter = Math.max(parameter, numberOf(node));
  }
  // The parts of a UNION have no node name around them.
  for (const fields of recordsBelow(root.fields)) {
    if (fields['intoClause'] !== undefined || fields['lockingClause'] !== undefined) changes = true;
  }
  return { kinds: [...kinds], parameter, changes };
}

/** The grammar omits zeros, and no value can be bound to `$0`. */
function numberOf({ fields }: TreeNode): number {
  return typeof fields['number'] === 'number' ? fields['number'] : Number.POSITIVE_INFINITY;
}

const READ_KINDS = new Set(['SelectStmt', 'VariableShowStmt']);

function isRead(node: TreeNode, { kinds, changes }: Found): boolean {
  if (node.name === 'ExplainStmt' && !isAnalyze(node)) return true;
  if (changes) return false;
  return kinds.every((kind) => READ_KINDS.has(kind) || (kind === 'ExplainStmt' && kind === node.name));
}

/** Whether an EXPLAIN runs the statement. An option that is not plainly off counts as on. */
export function isAnalyze({ fields }: TreeNode): boolean {
  return [...nodesBelow(fields['options'])].some(
    ({ name, fields: option }) => name === 'DefElem' && option['defname'] === 'analyze' && !isOff(option['arg']),
  );
}

/** `false`, `off` and `0` in the grammar's form: a zero is an Integer without a value. */
function isOff(value: unknown): boolean {
  const [node] = nodesBelow(value);
  if (node === undefined) return false;
  const { ival = 0, boolval = false, sval } = node.fields;
  if (node.name === 'Integer') return ival === 0;
  if (node.name === 'Boolean') return boolval === false;
  return typeof sval === 'string' && ['false', 'off', '0'].includes(sval.toLowerCase());
}

function verbOf(node: TreeNode, sql: string): string {
  const known = DML_VERBS[node.name];
  if (known !== undefined) return known;
  const [first = '', second = ''] = wordsOf(sql)
    .slice(0, 2)
    .map(({ text }) => text.toUpperCase());
  return TWO_WORD_VERBS.has(first) ? `${first} ${second}` : first;
}

function refused(verb: string, reason: string): Judged {
  return { statement: { effect: 'refused', verb, reason }, names: NO_NAMES, node: undefined };
}
