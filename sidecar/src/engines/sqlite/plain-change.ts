import { isOperator } from '../operators.ts';
import { isName, isWord, type Token } from './tokenize.ts';

/** A change of one table that can be run, counted and rolled back without a trace. */
export interface PlainChange {
  readonly verb: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly table: string;
  /** Whether it replaces rows with the same key. */
  readonly replaces: boolean;
}

type Head = Omit<PlainChange, 'table'> & { readonly nameAt: number };

/** Keywords that may precede a parenthesis without calling anything. */
const BEFORE_BRACKET = new Set(
  (
    'ALL AND AS ASC BETWEEN BY CASE CAST CONFLICT CROSS DEFAULT DESC DISTINCT ELSE ESCAPE EXCEPT EXISTS FILTER FROM ' +
    'GLOB GROUP HAVING IN INNER INTERSECT IS ISNULL JOIN LEFT LIKE LIMIT MATERIALIZED NOT NOTNULL NULL OFFSET ON OR ' +
    'ORDER OUTER OVER PARTITION REGEXP RETURNING SELECT SET THEN UNION UPDATE USING VALUES WHEN WHERE WINDOW'
  ).split(' '),
);

/** Return the same for the same arguments and rows. Date functions are excluded: their argument may be 'now'. */
const STEADY_FUNCTIONS = new Set(
  (
    'abs acos asin atan atan2 avg ceil ceiling char coalesce concat concat_ws cos count degrees dense_rank exp ' +
    'first_value floor format glob group_concat hex if ifnull iif instr json json_array json_array_length json_each ' +
    'json_extract json_group_array json_group_object json_insert json_object json_patch json_pretty json_quote ' +
    'json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_array jsonb_extract jsonb_insert ' +
    'jsonb_object jsonb_patch jsonb_remove jsonb_replace jsonb_set lag last_value lead length like likelihood likely ' +
    'ln log log10 log2 lower ltrim max median min mod nth_value ntile nullif octet_length percent_rank pi pow power ' +
    'printf quote radians rank replace round row_number rtrim sign sin soundex sqrt string_agg substr substring sum ' +
    'tan total trim trunc typeof unhex unicode unistr unlikely upper zeroblob'
  ).split(' '),
);
const CLOCK_WORDS = new Set(['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP']);

/** Reads the tokens of a statement already known to be a single write. */
export function plainChangeIn(tokens: readonly Token[]): PlainChange | undefined {
  const head = changeHead(tokens);
  if (head === undefined) return undefined;
  const prefixed = isOperator(tokens[head.nameAt + 1], '.');
  if (prefixed && tokens[head.nameAt]?.value.toLowerCase() !== 'main') return undefined;
  const nameAt = head.nameAt + (prefixed ? 2 : 0);
  const name = tokens[nameAt];
  if (!isName(name) || /^sqlite_/i.test(name.value)) return undefined;
  const rest = tokens.slice(nameAt + 1);
  if (!rest.every((token, at) => isSteady(token, rest[at + 1]))) return undefined;
  return { verb: head.verb, table: name.value, replaces: head.replaces };
}

function changeHead(tokens: readonly Token[]): Head | undefined {
  const first = tokens[0];
  if (isWord(first, 'REPLACE') && isWord(tokens[1], 'INTO')) return { verb: 'INSERT', nameAt: 2, replaces: true };
  if (isWord(first, 'DELETE') && isWord(tokens[1], 'FROM')) return { verb: 'DELETE', nameAt: 2, replaces: false };
  const resolution = isWord(tokens[1], 'OR') ? tokens[2] : undefined;
  // OR FAIL keeps half of the change, and OR ROLLBACK ends the dry run's transaction.
  const unsafe = ['ABORT', 'IGNORE', 'REPLACE'].every((word) => !isWord(resolution, word));
  if (resolution !== undefined && unsafe) return undefined;
  const at = resolution === undefined ? 1 : 3;
  const replaces = isWord(resolution, 'REPLACE');
  if (isWord(first, 'UPDATE')) return { verb: 'UPDATE', nameAt: at, replaces };
  if (isWord(first, 'INSERT') && isWord(tokens[at], 'INTO')) return { verb: 'INSERT', nameAt: at + 1, replaces };
  return undefined;
}

function isSteady(token: Token, next: Token | undefined): boolean {
  if (!isName(token)) return true;
  if (/^pragma_/i.test(token.value)) return false;
  const upper = token.text.toUpperCase();
  if (token.kind === 'word' && (upper === 'WITH' || CLOCK_WORDS.has(upper))) return false;
  if (!isOperator(next, '(')) return true;
  return (token.kind === 'word' && BEFORE_BRACKET.has(upper)) || STEADY_FUNCTIONS.has(token.value.toLowerCase());
}
