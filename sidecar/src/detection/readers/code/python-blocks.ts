import type { Expr } from './expression.ts';
import { parsePartAt } from './parser.ts';
import type { Token } from './tokens.ts';

const MAX_BRANCHES = 30;
const MAX_BLOCKS = 30;

interface Block {
  readonly column: number;
  /** When it is executed; undefined for a loop, a function and the like. */
  readonly when: Expr | undefined;
  /** The tests of an `if` and its `elif` so far. */
  readonly tests: readonly Expr[];
}

/** The blocks around a line of Python, entered one line after the other. */
export class PythonBlocks {
  readonly #tokens: readonly Token[];
  #open: Block[] = [];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** Called for the first token of each statement. */
  enter(at: number): void {
    const token = this.#tokens[at];
    if (token === undefined) return;
    const before = this.#open.find(({ column }) => column === token.column);
    this.#open = this.#open.filter(({ column }) => column < token.column);
    const word = token.kind === 'name' ? token.text : '';
    if (word === 'if') this.#push(token.column, [], this.#test(at));
    else if (word === 'elif' && before) this.#push(token.column, before.tests, this.#test(at));
    else if (word === 'else' && before) this.#push(token.column, before.tests, undefined);
    else if (BLOCKS.has(word)) this.#open.push({ column: token.column, when: undefined, tests: [] });
  }

  /** When the current line is executed; undefined outside any block. */
  condition(line: number): Expr | undefined {
    if (this.#open.length > MAX_BLOCKS) return { kind: 'unreadable', line };
    return this.#open
      .map(({ when }): Expr => when ?? { kind: 'unreadable', line })
      .reduce<Expr | undefined>((left, right) => (left === undefined ? right : and(left, right)), undefined);
  }

  #push(column: number, earlier: readonly Expr[], test: Expr | undefined): void {
    // More than real settings have; each `elif` negates all conditions before it.
    const known = earlier.length <= MAX_BRANCHES;
    const none = (known ? earlier : []).map((one): Expr => ({ kind: 'not', line: one.line, of: one }));
    const all = test === undefined ? none : [...none, test];
    const [first, ...others] = all;
    const when = known ? first && others.reduce(and, first) : undefined;
    this.#open.push({ column, when, tests: test === undefined || !known ? earlier : [...earlier, test] });
  }

  /** What stands between the word and the colon. */
  #test(at: number): Expr {
    const { expr, end } = parsePartAt(this.#tokens, at + 1, 'python');
    const colon = this.#tokens[end];
    const line = this.#tokens[at]?.line ?? 1;
    return colon?.kind === 'mark' && colon.text === ':' ? expr : { kind: 'unreadable', line };
  }
}

const BLOCKS: ReadonlySet<string> = new Set([
  'try',
  'except',
  'finally',
  'for',
  'while',
  'with',
  'def',
  'class',
  'async',
  'match',
  'case',
  'else',
  'elif',
]);

function and(left: Expr, right: Expr): Expr {
  return { kind: 'pair', line: left.line, operator: 'and', left, right };
}
