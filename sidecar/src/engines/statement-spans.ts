/** Where a statement stands in a text, without its semicolon. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SpanToken extends Span {
  readonly text: string;
}

const ROUTINE = /^(?:TRIGGER|PROCEDURE|PROC|FUNCTION|EVENT|PACKAGE)$/;
/** How far into a statement the word stands that makes it a routine. */
const HEAD_WORDS = 12;
/** After END they close a block that none of our words has opened. */
const OTHER_BLOCKS = /^(?:IF|LOOP|WHILE|REPEAT|FOR)$/;

/**
 * The statements of a text, from the tokens of the engine's own lexer. Semicolons inside the body of a trigger or a
 * procedure separate nothing. `isSeparator` knows other words that end a statement.
 */
export function statementSpans(
  tokens: readonly SpanToken[],
  isSeparator: (token: SpanToken) => boolean = () => false,
): Span[] {
  const spans: Span[] = [];
  let statement: SpanToken[] = [];
  const end = () => {
    const [first, last] = [statement[0], statement[statement.length - 1]];
    if (first !== undefined && last !== undefined) spans.push({ start: first.start, end: last.end });
    statement = [];
  };
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (isSeparator(token) || (token.text === ';' && depth <= 0)) {
      end();
      depth = 0;
      continue;
    }
    statement.push(token);
    if (isRoutine(statement)) depth += step(token, tokens[at - 1], tokens[at + 1]);
  }
  end();
  return spans;
}

/** The same where the lexer has given up: what follows there belongs to the last statement. */
export function withRest(spans: readonly Span[], sql: string, at: number): Span[] {
  const rest = sql.slice(at).trimEnd();
  if (rest === '') return [...spans];
  const last = spans[spans.length - 1];
  const isOpen = last !== undefined && sql.slice(last.end, at).trim() === '';
  const start = isOpen ? last.start : at;
  return [...(isOpen ? spans.slice(0, -1) : spans), { start, end: at + rest.length }];
}

function isRoutine(statement: readonly SpanToken[]): boolean {
  if (!/^(?:CREATE|ALTER)$/i.test(statement[0]?.text ?? '')) return false;
  return statement.slice(1, HEAD_WORDS).some(({ text }) => ROUTINE.test(text.toUpperCase()));
}

function step(token: SpanToken, before: SpanToken | undefined, after: SpanToken | undefined): number {
  const next = after?.text.toUpperCase() ?? '';
  switch (token.text.toUpperCase()) {
    case 'BEGIN':
      return /^(?:TRAN|TRANSACTION)$/.test(next) ? 0 : 1;
    case 'CASE':
      return before?.text.toUpperCase() === 'END' ? 0 : 1;
    case 'END':
      return OTHER_BLOCKS.test(next) ? 0 : -1;
    default:
      return 0;
  }
}
