import type { Reading, SqlReader, SqlToken } from './sql-reader.ts';
import type { Span } from './statement-spans.ts';

/** A table that a statement names: where the name stands, and its parts without their quotes. */
export interface TableName extends Span {
  readonly path: readonly string[];
}

const VERB = /^(?:select|with|insert|update|delete|replace|merge|create|alter|drop|truncate|explain)$/i;
const BEFORE_TABLE = /^(?:from|join|into|update|table|references|truncate)$/i;
/** They may stand between such a word and the table. */
const MODIFIER = /^(?:only|if|not|exists|low_priority|ignore)$/i;
/** What ends a list of tables, read from its end. */
const CLAUSE = /^(?:select|where|on|set|using|values|by|having|distinct|all|returning|when|then|and|or|in|limit)$/i;
/** `EXTRACT(year FROM created)`: no table follows. */
const OWN_FROM = /^(?:extract|substring|trim|overlay|position)$/i;
const NAME = /^(?:[\p{L}_\u0080-\uFFFF]|"|`|\[.)/u;

/**
 * The table whose name stands at a place of a text, where the statement leaves no doubt: it follows FROM, JOIN, INTO,
 * UPDATE or TABLE, and is neither a common table expression nor an alias. Whether there is such a table is not known.
 */
export async function tableAt(reader: SqlReader, text: string, offset: number): Promise<TableName | undefined> {
  const span = (await reader.split(text)).find(({ start, end }) => start <= offset && offset <= end);
  if (span === undefined) return undefined;
  const statement = text.slice(span.start, span.end);
  const tokens = await tokensOf(reader, statement);
  const found = nameAt(tokens, offset - span.start);
  if (found === undefined) return undefined;
  return { start: found.start + span.start, end: found.end + span.start, path: found.path };
}

/** The tokens before the first piece that cannot be read, such as another language's placeholder. */
async function tokensOf(reader: SqlReader, sql: string): Promise<readonly SqlToken[]> {
  const [whole] = await reader.readings(sql);
  if (whole === undefined || whole.ok) return whole?.tokens ?? [];
  const [part]: readonly (Reading | undefined)[] = await reader.readings(sql.slice(0, whole.at ?? 0));
  return part?.ok === true ? part.tokens : [];
}

function nameAt(tokens: readonly SqlToken[], offset: number): TableName | undefined {
  if (!isVerb(tokens)) return undefined;
  const at = tokens.findIndex((token) => token.start <= offset && offset <= token.end && isName(token));
  if (at < 0) return undefined;
  let first = at;
  while (tokens[first - 1]?.text === '.' && isName(tokens[first - 2])) first -= 2;
  let last = at;
  while (tokens[last + 1]?.text === '.' && isName(tokens[last + 2])) last += 2;
  const [head, tail] = [tokens[first], tokens[last]];
  if (head === undefined || tail === undefined || !standsForTable(tokens, first)) return undefined;
  const path = tokens.slice(first, last + 1).flatMap((token) => (token.text === '.' ? [] : [bareName(token.text)]));
  if (path.length === 1 && isNamedInside(tokens, bareName(tail.text))) return undefined;
  return isWhole(tokens, last) ? { start: head.start, end: tail.end, path } : undefined;
}

function isVerb(tokens: readonly SqlToken[]): boolean {
  return VERB.test(tokens.find(({ text }) => text !== '(')?.text ?? '');
}

/** Other languages have sentences that begin with Update and Insert into. */
function isWhole(tokens: readonly SqlToken[], last: number): boolean {
  const verb = tokens[0]?.text.toLowerCase();
  const rest = tokens.slice(last + 1).map(({ text }) => text.toLowerCase());
  if (verb === 'update') return rest.includes('set') || tokens.slice(0, last).some(({ text }) => /^set$/i.test(text));
  if (verb !== 'insert' && verb !== 'replace') return true;
  const hasRows = (text: string) => /^(?:\(|values?|select|set|default|with)$/.test(text);
  return rest.some(hasRows) || tokens.slice(0, last).some(({ text }) => hasRows(text.toLowerCase()));
}

function isName(token: SqlToken | undefined): token is SqlToken {
  return token !== undefined && NAME.test(token.text) && !token.kind.startsWith('string');
}

/** Whether a table is named here: directly behind such a word, or further on in its list. */
function standsForTable(tokens: readonly SqlToken[], first: number): boolean {
  let at = first - 1;
  while (MODIFIER.test(tokens[at]?.text ?? '')) at -= 1;
  if (tokens[at]?.text !== ',') return opensTables(tokens, at);
  for (; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token === undefined || CLAUSE.test(token.text)) return false;
    if (BEFORE_TABLE.test(token.text))
      return /^(?:from|join|update|table)$/i.test(token.text) && opensTables(tokens, at);
    if (token.text !== ',' && token.text !== '.' && !isName(token)) return false;
  }
  return false;
}

function opensTables(tokens: readonly SqlToken[], at: number): boolean {
  const word = tokens[at]?.text ?? '';
  if (!BEFORE_TABLE.test(word)) return false;
  const before = tokens[at - 1]?.text ?? '';
  // ON DUPLICATE KEY UPDATE, DO UPDATE, FOR UPDATE: columns follow, or nothing.
  if (/^update$/i.test(word)) return !/^(?:key|do|for|on|then)$/i.test(before);
  if (!/^from$/i.test(word)) return true;
  if (/^distinct$/i.test(before)) return false;
  return !OWN_FROM.test(tokens[openParenthesis(tokens, at) - 1]?.text ?? '');
}

/** The parenthesis that is open at a token; -1 for none. */
function openParenthesis(tokens: readonly SqlToken[], from: number): number {
  let depth = 0;
  for (let at = from - 1; at >= 0; at -= 1) {
    if (tokens[at]?.text === ')') depth += 1;
    if (tokens[at]?.text !== '(') continue;
    if (depth === 0) return at;
    depth -= 1;
  }
  return -1;
}

/** Whether the statement gives this name to something of its own. */
function isNamedInside(tokens: readonly SqlToken[], name: string): boolean {
  const hasExpressions = tokens.some(({ text }) => /^with$/i.test(text));
  return tokens.some((token, at) => {
    if (!isName(token) || bareName(token.text).toLowerCase() !== name.toLowerCase()) return false;
    const [before, after] = [tokens[at - 1], tokens[at + 1]?.text ?? ''];
    if (/^as$/i.test(before?.text ?? '')) return true;
    if (
      isName(before) &&
      !MODIFIER.test(before.text) &&
      !CLAUSE.test(before.text) &&
      !BEFORE_TABLE.test(before.text) &&
      isTable(tokens, at - 1)
    )
      return true;
    return hasExpressions && /^(?:with|recursive|,)$/i.test(before?.text ?? '') && /^(?:as|\()$/i.test(after);
  });
}

function isTable(tokens: readonly SqlToken[], last: number): boolean {
  let first = last;
  while (tokens[first - 1]?.text === '.' && isName(tokens[first - 2])) first -= 2;
  return standsForTable(tokens, first);
}

function bareName(text: string): string {
  const close = { '"': '"', '`': '`', '[': ']' }[text.charAt(0)];
  if (close === undefined || text.length < 2) return text;
  return text.slice(1, -1).replaceAll(close + close, close);
}
