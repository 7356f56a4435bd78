import { type BoundStatement, refusedBinding } from '../bound-statement.ts';
import type { JudgedStatement, Judgement, RefusedStatement } from '../engine.ts';
import { firstWord } from '../operators.ts';
import { type JudgedReading, judgeTokens, type Named } from './judge-tokens.ts';
import { type QuoteMode, type Token, tokenize } from './tokenize.ts';

const DEFAULT_MODE: QuoteMode = { ansiQuotes: false, backslashEscapes: true };
const OTHER_MODES: readonly QuoteMode[] = [
  { ansiQuotes: true, backslashEscapes: true },
  { ansiQuotes: false, backslashEscapes: false },
  { ansiQuotes: true, backslashEscapes: false },
];
/** Each executable comment doubles the readings. */
const MOST_COMMENTS = 4;
const SEVERITY = { read: 0, write: 1, refused: 2 } as const;

/** A statement as it is judged from its text alone. */
export interface Judged extends JudgedReading {
  /** As a server in its usual mode reads them, comments that it executes included. */
  readonly tokens: readonly Token[];
}

/** A statement that may run, as its text was judged: every way to run it goes by this. */
export interface ReadyStatement extends BoundStatement, JudgedStatement, Named {
  readonly tokens: readonly Token[];
}

/** Judges a statement as it will be sent, with its bound values. */
export function ready(bound: BoundStatement): ReadyStatement | RefusedStatement {
  const refusal = refusedBinding(bound);
  if (refusal !== undefined) return refusal;
  const { statement, ...judged } = judge(bound.text, bound.values.length > 0);
  return statement.effect === 'refused' ? statement : { ...bound, ...statement, ...judged };
}

/**
 * Judges a statement in every way a server may read it: with each sql_mode that moves the end of a quote, with and
 * without what stands in executable comments. The strictest reading counts. `bound`: values come for its marks.
 */
export function judge(sql: string, bound = false): Judged {
  if (sql.includes('\0')) return refused('', 'The statement contains a NUL character. Remove it.');
  const judged: JudgedReading[] = [];
  let tokens: readonly Token[] | undefined;
  let unread: Judged | undefined;
  for (const mode of modesFor(sql)) {
    const read = tokenize(sql, mode);
    if (!read.ok) {
      const position = read.at + 1;
      const reason = `The statement cannot be read: ${read.problem} at position ${position}. Correct it.`;
      if (!read.byServer) return refused(firstWord(sql), reason);
      unread ??= unjudged({ effect: 'refused', verb: firstWord(sql), reason, position });
      tokens ??= [];
      continue;
    }
    tokens ??= read.tokens;
    if (read.comments > MOST_COMMENTS) {
      return refused(firstWord(sql), `There are more than ${MOST_COMMENTS} executable comments. Leave them out.`);
    }
    judged.push(...readings(read.tokens, read.comments).map((one) => judgeTokens(one, bound)));
  }
  if (judged.length === 0) return unread ?? refused(firstWord(sql), 'There is no statement. Send one SQL statement.');
  return { ...strictest(judged), tokens: tokens ?? [] };
}

/**
 * The modes in which to read a statement. Most statements read the same in all: only a double quote or a backslash
 * makes a difference.
 */
export function modesFor(sql: string): readonly QuoteMode[] {
  return /["\\]/.test(sql) ? [DEFAULT_MODE, ...OTHER_MODES] : [DEFAULT_MODE];
}

/** Every combination of comments that may be executed. A reading in which nothing is left does nothing. */
function readings(tokens: readonly Token[], comments: number): readonly (readonly Token[])[] {
  if (comments === 0) return [tokens];
  const all = Array.from({ length: 2 ** comments }, (_, chosen) =>
    tokens.filter(({ comment }) => comment === undefined || (chosen & (2 ** comment)) !== 0),
  );
  const filled = all.filter((reading) => reading.length > 0);
  return filled.length === 0 ? [tokens] : filled;
}

function strictest(judged: readonly JudgedReading[]): JudgedReading {
  const sorted = judged.toSorted((a, b) => SEVERITY[b.statement.effect] - SEVERITY[a.statement.effect]);
  const statement: Judgement = sorted[0]?.statement ?? refused('', 'There is no statement.').statement;
  return {
    statement,
    calls: distinct(judged.flatMap(({ calls }) => calls)),
    tables: distinct(judged.flatMap(({ tables }) => tables)),
  };
}

/** How the server compares names depends on its settings; here only exactly equal names are equal. */
function distinct<T>(named: readonly T[]): readonly T[] {
  return [...new Map(named.map((one) => [JSON.stringify(one), one])).values()];
}

function refused(verb: string, reason: string): Judged {
  return unjudged({ effect: 'refused', verb, reason });
}

function unjudged(statement: RefusedStatement): Judged {
  return { statement, calls: [], tables: [], tokens: [] };
}
