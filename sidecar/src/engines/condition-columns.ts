/** A column that a condition compares with something else, as a server prints the condition in its plan. */
export interface ComparedColumn {
  /** The table's name or alias in front of the column, where the server printed one. */
  readonly of?: string | undefined;
  readonly name: string;
  readonly by: 'equality' | 'range';
  /** Postgres compares it as `text`, which an index serves if the column holds texts. */
  readonly asText?: true;
}

type Piece =
  | { readonly kind: 'name'; readonly parts: readonly string[]; readonly isQuoted: boolean }
  | { readonly kind: 'mark'; readonly text: string }
  | { readonly kind: 'value' };

// Postgres calls a subquery that runs once `(InitPlan 1).col1`: a value.
// A quote that is not closed reaches to the end: to look for its end from each of many quotes would take too long.
const PIECE =
  /\(InitPlan \d{1,9}\)\.col\d{1,9}|'[^'\\]*(?:(?:''|\\.)[^'\\]*)*'?|(?<name>(?:"[^"]*(?:""[^"]*)*"?|`[^`]*(?:``[^`]*)*`?|[\p{L}_][\p{L}\p{N}_$]*)(?:\.(?:"[^"]*(?:""[^"]*)*"?|`[^`]*(?:``[^`]*)*`?|[\p{L}_][\p{L}\p{N}_$]*))*)|\d[\w.]*|(?<mark>::|[<>=!~@#%^&|?+*/-]+|\S)/gsu;
const NAME_PART = /"[^"]*(?:""[^"]*)*"?|`[^`]*(?:``[^`]*)*`?|[^."`]+/gu;

/** A longer condition is no more worth reading than its plan. */
const LONGEST_READ = 10_000;

/** MariaDB's word around a condition that holds only for some rows of an outer join. */
const AROUND_CONDITION = 'trigcond';
const OPERATORS: Readonly<Record<string, ComparedColumn['by'] | undefined>> = {
  '=': 'equality',
  '<=>': 'equality',
  in: 'equality',
  is: 'equality',
  '<': 'range',
  '>': 'range',
  '<=': 'range',
  '>=': 'range',
  between: 'range',
};

/**
 * The columns by which an index could find the rows that a condition keeps: each stands alone on one side of a
 * comparison that has to hold. Anything else, such as a part of an OR or a column in an expression, is left out.
 */
export function comparedColumns(condition: string): ComparedColumn[] {
  if (condition.length > LONGEST_READ) return [];
  return conjuncts(piecesOf(condition)).flatMap(comparedIn);
}

function piecesOf(condition: string): Piece[] {
  return [...condition.matchAll(PIECE)].map(({ groups = {} }): Piece => {
    const { name, mark } = groups;
    if (name !== undefined) return { kind: 'name', parts: partsOf(name), isQuoted: /["`]/.test(name) };
    return mark === undefined ? { kind: 'value' } : { kind: 'mark', text: mark };
  });
}

function partsOf(name: string): string[] {
  return [...name.matchAll(NAME_PART)].map(([part]) =>
    /^["`]/.test(part) ? part.slice(1, -1).replaceAll('""', '"').replaceAll('``', '`') : part,
  );
}

/** What has to hold together: the parts between AND, without their parentheses. */
function conjuncts(pieces: readonly Piece[]): (readonly Piece[])[] {
  const inner = withoutParentheses(pieces);
  // Without parentheses, AND binds before OR.
  if (splitAt(inner, 'or').length > 1) return [];
  const parts = splitAt(inner, 'and');
  return parts.length > 1 ? parts.flatMap(conjuncts) : [inner];
}

function withoutParentheses(pieces: readonly Piece[]): readonly Piece[] {
  const start = wordOf(pieces[0]) === AROUND_CONDITION ? 1 : 0;
  const isWhole = isMark(pieces[start], '(') && closingOf(pieces, start) === pieces.length - 1;
  return isWhole ? withoutParentheses(pieces.slice(start + 1, -1)) : pieces;
}

function closingOf(pieces: readonly Piece[], open: number): number {
  let depth = 0;
  for (let at = open; at < pieces.length; at += 1) {
    depth += isMark(pieces[at], '(') ? 1 : isMark(pieces[at], ')') ? -1 : 0;
    if (depth === 0) return at;
  }
  return -1;
}

/** Splits at a word outside parentheses; the AND of a BETWEEN belongs to it. */
function splitAt(pieces: readonly Piece[], word: string): (readonly Piece[])[] {
  const parts: Piece[][] = [[]];
  let depth = 0;
  let isBetween = false;
  for (const piece of pieces) {
    depth += isMark(piece, '(') ? 1 : isMark(piece, ')') ? -1 : 0;
    const found = depth === 0 ? wordOf(piece) : undefined;
    if (found === word && !(word === 'and' && isBetween)) {
      parts.push([]);
      continue;
    }
    if (found === 'between') isBetween = true;
    if (found === 'and') isBetween = false;
    parts.at(-1)?.push(piece);
  }
  return parts;
}

function comparedIn(pieces: readonly Piece[]): ComparedColumn[] {
  const at = operatorAt(pieces);
  const by = OPERATORS[operatorOf(pieces[at]) ?? ''];
  if (by === undefined) return [];
  const [left, right] = [pieces.slice(0, at), pieces.slice(at + 1)];
  if (wordOf(pieces[at]) === 'is' && !(right.length === 1 && wordOf(right[0]) === 'null')) return [];
  const [one, other] = [columnIn(left), columnIn(right)];
  return [
    ...(one === undefined || takesFrom(one.of, right) ? [] : [{ ...one, by }]),
    ...(other === undefined || takesFrom(other.of, left) ? [] : [{ ...other, by }]),
  ];
}

function operatorAt(pieces: readonly Piece[]): number {
  let depth = 0;
  return pieces.findIndex((piece) => {
    depth += isMark(piece, '(') ? 1 : isMark(piece, ')') ? -1 : 0;
    return depth === 0 && operatorOf(piece) !== undefined;
  });
}

function operatorOf(piece: Piece | undefined): string | undefined {
  const word = wordOf(piece);
  if (word !== undefined) return Object.hasOwn(OPERATORS, word) ? word : undefined;
  return piece?.kind === 'mark' && /^[<>=!~@#%^&|?+*/-]+$/.test(piece.text) ? piece.text : undefined;
}

/** A column alone. */
function columnIn(pieces: readonly Piece[]): Omit<ComparedColumn, 'by'> | undefined {
  const inner = withoutParentheses(pieces);
  if (inner.length > 2 && isMark(inner.at(-2), '::') && wordOf(inner.at(-1)) === 'text') {
    const column = columnIn(inner.slice(0, -2));
    return column && { ...column, asText: true };
  }
  const [first, ...more] = inner;
  if (first?.kind !== 'name' || more.length > 0 || NO_COLUMNS.has(wordOf(first) ?? '')) return undefined;
  const [name, of] = first.parts.toReversed();
  return name === undefined ? undefined : { ...(of === undefined ? {} : { of }), name };
}

/** Words of conditions and of types that are not the name of a column. */
const NO_COLUMNS: ReadonlySet<string> = new Set(
  'null true false any all with without time zone varying precision'.split(' '),
);

/** Whether this side takes its value from the same table: then no index of that table finds the rows. */
function takesFrom(of: string | undefined, pieces: readonly Piece[]): boolean {
  return pieces.some((piece, at) => {
    if (piece.kind !== 'name' || isMark(pieces[at - 1], '::') || isMark(pieces[at + 1], '(')) return false;
    return piece.parts.at(-2) === of && !NO_COLUMNS.has(wordOf(piece) ?? '');
  });
}

function wordOf(piece: Piece | undefined): string | undefined {
  return piece?.kind === 'name' && !piece.isQuoted && piece.parts.length === 1
    ? piece.parts[0]?.toLowerCase()
    : undefined;
}

function isMark(piece: Piece | undefined, text: string): boolean {
  return piece?.kind === 'mark' && piece.text === text;
}
