import { isOperator } from '../operators.ts';
import { type Call, callsIn } from './judge.ts';
import { isWord, type Token, type Tokens, tokenize } from './tokenize.ts';

/** A stored function, as the catalogue tells it; without its text where this user may not see it. */
export interface Routine {
  readonly schema: string;
  readonly name: string;
  readonly body: string | undefined;
}

/** Looks stored functions up; names are compared without case. */
export type FindFunctions = (calls: readonly Call[]) => Promise<readonly Routine[]>;

/** Functions that call functions are followed so far down. */
const MOST_LEVELS = 5;

/**
 * Whether calling these functions leaves everything as it was. The server refuses a function that writes rows, but one
 * that sets a global variable or writes a file runs with its owner's rights in a read-only transaction too, and a
 * loadable function can do anything. So only stored functions are taken whose text is seen and has none of that.
 */
export async function areHarmless(calls: readonly Call[], find: FindFunctions): Promise<boolean> {
  let open = calls;
  const seen = new Set<string>();
  for (let level = 0; level < MOST_LEVELS; level += 1) {
    if (open.length === 0) return true;
    const routines = await find(open);
    if (!open.every((call) => isKnown(call, routines))) return false;
    const inner: Call[] = [];
    for (const { schema, name, body } of routines) {
      const key = JSON.stringify([schema, name.toLowerCase()]);
      if (seen.has(key)) continue;
      seen.add(key);
      const found = body === undefined ? undefined : callsOfBody(body, schema);
      if (found === undefined) return false;
      inner.push(...found);
    }
    open = inner;
  }
  return false;
}

/** A name that is no stored function is the server's own, where servers have one of this name. */
function isKnown({ schema, name, sometimesBuiltIn }: Call, routines: readonly Routine[]): boolean {
  const stored = routines.some(
    (routine) =>
      routine.name.toLowerCase() === name.toLowerCase() && (schema === undefined || routine.schema === schema),
  );
  return stored || sometimesBuiltIn;
}

/** Words that a function's text may not have: they change rows, or reach past rows and transaction. */
const FORBIDDEN = [
  'ALTER',
  'CALL',
  'CREATE',
  'DELETE',
  'DEALLOCATE',
  'DROP',
  'EXECUTE',
  'FLUSH',
  'GLOBAL',
  'GRANT',
  'INSERT',
  'INSTALL',
  'KILL',
  'LOAD',
  'OUTFILE',
  'DUMPFILE',
  'PERSIST',
  'PERSIST_ONLY',
  'PREPARE',
  'PURGE',
  'REPLACE',
  'RESET',
  'REVOKE',
  'SHUTDOWN',
  'SONAME',
  'STATEMENT',
  'TRUNCATE',
  'UPDATE',
] as const;

const MODES = [
  { ansiQuotes: false, backslashEscapes: true },
  { ansiQuotes: true, backslashEscapes: false },
] as const;

/** The functions that a function's text calls; undefined when it does what no read may do. */
function callsOfBody(body: string, schema: string): readonly Call[] | undefined {
  const [usual, other] = MODES.map((mode) => tokenize(body, mode));
  // A text that another sql_mode reads in another way is left alone.
  if (usual === undefined || !usual.ok || usual.comments > 0 || !sameTokens(usual, other)) return undefined;
  const { tokens } = usual;
  if (tokens.some((token, at) => reachesOut(token, tokens[at + 1]))) return undefined;
  const calls = callsIn(tokens);
  if ('refused' in calls || calls.writes) return undefined;
  return calls.unknown.map((call) => ({ ...call, schema: call.schema ?? schema }));
}

function reachesOut(token: Token, next: Token | undefined): boolean {
  if (token.kind === 'variable') return /^@@(global|persist)/i.test(token.text);
  return FORBIDDEN.some((word) => isWord(token, word)) && !isOperator(next, '(');
}

function sameTokens(a: Tokens, b: Tokens | undefined): boolean {
  if (!a.ok || b === undefined || !b.ok || a.tokens.length !== b.tokens.length) return false;
  return a.tokens.every(({ start, end }, at) => b.tokens[at]?.start === start && b.tokens[at]?.end === end);
}
