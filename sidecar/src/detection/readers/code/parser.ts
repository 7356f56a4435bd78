import { Containers } from './containers.ts';
import { Cursor } from './cursor.ts';
import type { Expr } from './expression.ts';
import { BINDING, CONSTANTS, PASSED } from './grammar.ts';
import type { Language } from './languages.ts';
import { Suffixes } from './suffixes.ts';
import { type Token, tokenize } from './tokens.ts';
import { skipType } from './types.ts';

const MAX_DEPTH = 48;

/** Reads the expression at a token. Never fails: what is unknown becomes `unreadable`. */
export function parseAt(tokens: readonly Token[], at: number, language: Language): { expr: Expr; end: number } {
  const cursor = new Cursor(tokens, at);
  const expr = new Parser(cursor, language, 0).expression(0);
  const open = !cursor.atEnd && !cursor.beginsLine && !/^[;,)\]}]$/.test(cursor.mark());
  return { expr: open ? { kind: 'unreadable', line: expr.line } : expr, end: cursor.at };
}

/** The same where something else may follow, such as an assignment's sign. */
export function parsePartAt(tokens: readonly Token[], at: number, language: Language): { expr: Expr; end: number } {
  const cursor = new Cursor(tokens, at);
  return { expr: new Parser(cursor, language, 0).expression(0), end: cursor.at };
}

/** The value at a token, with its members and calls but without operators. */
export function parseOperandAt(tokens: readonly Token[], at: number, language: Language): Expr {
  return new Parser(new Cursor(tokens, at), language, 0).operand();
}

/** The parameters of a function of Python that begin at a token, and the token after their bracket. */
export function parametersAt(
  tokens: readonly Token[],
  at: number,
): (Parameters & { readonly end: number }) | undefined {
  const cursor = new Cursor(tokens, at);
  const found = new Parser(cursor, 'python', 0).parameters(')');
  return found && { ...found, end: cursor.at };
}

/** Reads a text that is one expression at a given line of its file. */
export function parseExpression(source: string, language: Language, line = 1, depth = 0): Expr {
  const { tokens, broken } = tokenize(source, language, false);
  const cursor = new Cursor(
    tokens.map((token) => ({ ...token, line: token.line + line - 1 })),
    0,
  );
  const parser = new Parser(cursor, language, depth);
  const expr = language === 'ruby' ? parser.withModifier() : parser.expression(0);
  return broken !== undefined || !cursor.atEnd ? { kind: 'unreadable', line } : expr;
}

/** What a function takes. */
interface Parameters {
  readonly names: readonly string[];
  /** What takes all further arguments. */
  readonly others: string | undefined;
}

class Parser {
  readonly #cursor: Cursor;
  readonly #language: Language;
  readonly #containers: Containers;
  readonly #suffixes: Suffixes;
  #depth: number;

  constructor(cursor: Cursor, language: Language, depth: number) {
    this.#cursor = cursor;
    this.#language = language;
    this.#containers = new Containers(cursor, language, () => this.expression(0));
    this.#suffixes = new Suffixes(cursor, language, this.#containers);
    this.#depth = depth;
  }

  /** Ruby's `value if test`: nil where the test does not hold. */
  withModifier(): Expr {
    const expr = this.expression(0);
    const { line } = expr;
    const none: Expr = { kind: 'value', line, value: null };
    if (this.#cursor.take('if')) return { kind: 'choice', line, test: this.expression(0), yes: expr, no: none };
    if (this.#cursor.take('unless')) return { kind: 'choice', line, test: this.expression(0), yes: none, no: expr };
    return expr;
  }

  expression(least: number): Expr {
    const { line } = this.#cursor;
    if (this.#depth >= MAX_DEPTH) {
      this.#cursor.skipRest();
      return { kind: 'unreadable', line };
    }
    this.#depth += 1;
    let left = this.operand();
    for (;;) {
      const operator = this.#operator();
      const binding = operator === undefined ? undefined : BINDING[this.#language][operator];
      if (operator === undefined || binding === undefined || binding < least) break;
      this.#cursor.at += 1;
      left = { kind: 'pair', line, operator, left, right: this.expression(binding + 1) };
    }
    const expr = least === 0 ? this.#condition(left) : left;
    this.#depth -= 1;
    return expr;
  }

  /** What follows an expression: a condition's branches, or a type. */
  #condition(left: Expr): Expr {
    const { line } = left;
    const unreadable: Expr = { kind: 'unreadable', line };
    if (this.#language === 'python') return this.#pythonCondition(left, unreadable);
    if (this.#cursor.take('?')) {
      const yes = this.expression(0);
      if (!this.#cursor.take(':')) return unreadable;
      return { kind: 'choice', line, test: left, yes, no: this.expression(0) };
    }
    if (this.#language === 'javascript' && (this.#cursor.is('as') || this.#cursor.is('satisfies'))) {
      skipType(this.#cursor);
      // An operator after a type continues the expression.
      const operator = this.#operator();
      if (operator === undefined || BINDING.javascript[operator] === undefined) return left;
      this.#cursor.at += 1;
      return { kind: 'pair', line: left.line, operator, left, right: this.expression(0) };
    }
    return left;
  }

  /** `yes if test else no`; a comprehension is unknown. */
  #pythonCondition(yes: Expr, unreadable: Expr): Expr {
    const chooses = ['if', 'for', 'async'].some((word) => this.#cursor.is(word));
    if (!chooses || this.#cursor.token?.column === 0 || this.#cursor.beginsBlock) return yes;
    if (this.#cursor.take('if')) {
      const test = this.expression(1);
      if (this.#cursor.take('else')) return { kind: 'choice', line: yes.line, test, yes, no: this.expression(0) };
    }
    this.#cursor.skipRest();
    return unreadable;
  }

  /** A value with its members and calls. */
  operand(): Expr {
    if (this.#depth >= MAX_DEPTH) {
      const { line } = this.#cursor;
      this.#cursor.skipRest();
      return { kind: 'unreadable', line };
    }
    this.#depth += 1;
    const expr = this.#suffixes.after(this.#primary());
    this.#depth -= 1;
    return expr;
  }

  #primary(): Expr {
    const { token, line } = this.#cursor;
    if (token === undefined) return { kind: 'unreadable', line };
    this.#cursor.at += 1;
    if (token.kind === 'number') return { kind: 'value', line, value: token.value };
    if (token.kind === 'text' || token.kind === 'template') return this.#text(token);
    return token.kind === 'name' ? this.#name(token.text, line) : this.#mark(token.text, line);
  }

  #text(token: Extract<Token, { kind: 'text' | 'template' }>): Expr {
    const parts = this.#pieces(token);
    // In Python, adjacent strings are one.
    while (this.#language === 'python') {
      const next = this.#cursor.token;
      if (next?.kind !== 'text' && next?.kind !== 'template') break;
      parts.push(...this.#pieces(next));
      this.#cursor.at += 1;
    }
    const [only] = parts;
    return parts.length === 1 && only?.kind === 'value' ? only : { kind: 'template', line: token.line, parts };
  }

  #pieces(token: Extract<Token, { kind: 'text' | 'template' }>): Expr[] {
    const { line } = token;
    if (token.kind === 'text') return [{ kind: 'value', line, value: token.text }];
    return token.parts.map((part): Expr => {
      if ('text' in part) return { kind: 'value', line, value: part.text };
      return part.source === ''
        ? { kind: 'unreadable', line }
        : parseExpression(part.source, this.#language, line, this.#depth);
    });
  }

  #name(first: string, line: number): Expr {
    const name = this.#language === 'php' ? this.#unqualified(first) : first;
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return { kind: 'value', line, value: constant };
    if (PASSED[this.#language].has(name)) return this.operand();
    return this.#word(name, line) ?? { kind: 'name', line, name };
  }

  /** The last part of PHP's `Cake\\Database\\Driver\\Sqlite`, which is the name that means something here. */
  #unqualified(first: string): string {
    let name = first;
    for (;;) {
      const next = this.#cursor.tokens[this.#cursor.at + 1];
      if (!this.#cursor.is('\\') || next?.kind !== 'name') return name;
      name = next.text;
      this.#cursor.at += 2;
    }
  }

  /** Words that start something to skip: functions, classes, negations. */
  #word(name: string, line: number): Expr | undefined {
    const unreadable: Expr = { kind: 'unreadable', line };
    if (this.#language === 'javascript') {
      if (this.#cursor.is('=>')) return this.#function(line);
      if (name === 'async' && (this.#cursor.is('(') || this.#cursor.is('function'))) return this.operand();
      if (name === 'function' || name === 'class') return this.#block(line);
      if (name === 'typeof' || name === 'void') {
        this.operand();
        return unreadable;
      }
    }
    if (this.#language === 'python' && name === 'lambda') return this.#lambda(line);
    if (name === 'if' && this.#language === 'elixir') return this.#ifElse(line);
    if (name === 'not' && (this.#language === 'python' || this.#language === 'ruby')) {
      return { kind: 'not', line, of: this.expression(3) };
    }
    if (this.#language !== 'php') return undefined;
    if (name === 'fn') {
      this.#cursor.skipTo('=>');
      return this.#function(line);
    }
    return name === 'function' || name === 'match' ? this.#block(line) : undefined;
  }

  /** Python's `lambda x, *others: value`. */
  #lambda(line: number): Expr {
    const head = this.parameters(':');
    if (head !== undefined) return { kind: 'function', line, ...head, body: this.expression(0) };
    this.#cursor.skipRest();
    return { kind: 'unreadable', line };
  }

  /** A function's parameters up to a mark; undefined for any that have a default, a type or another form. */
  parameters(end: string): Parameters | undefined {
    const names: string[] = [];
    let others: string | undefined;
    while (!this.#cursor.take(end)) {
      const takesAll = this.#cursor.take('*');
      const { token } = this.#cursor;
      if (token?.kind !== 'name' || others !== undefined) return undefined;
      this.#cursor.at += 1;
      if (takesAll) others = token.text;
      else names.push(token.text);
      if (!this.#cursor.is(end) && !this.#cursor.take(',')) return undefined;
    }
    return { names, others };
  }

  #mark(mark: string, line: number): Expr {
    if (mark === '[' && this.#language === 'elixir' && this.#isKeyword()) return this.#containers.object(line, ']');
    if (mark === '[')
      return this.#language === 'php' ? this.#containers.phpArray(']', line) : this.#containers.list(']', line);
    if (mark === '{' && this.#language === 'elixir') return this.#tuple(line);
    if (mark === '{') return this.#containers.object(line);
    if (mark === '(') return this.#parenthesis(line);
    if (mark === ':' && this.#language === 'elixir') return this.#atom(line);
    if (mark === '-') {
      const value = this.operand();
      if (value.kind === 'value' && typeof value.value === 'number')
        return { kind: 'value', line, value: -value.value };
    } else if (mark === '@' && this.#language === 'php') return this.operand();
    // A name that starts at the global namespace.
    else if (mark === '\\' && this.#language === 'php') return this.operand();
    else if (mark === '!') return { kind: 'not', line, of: this.operand() };
    else if (mark === '+' && this.#language === 'javascript') return this.operand();
    else if (mark === '~' || mark === '&' || mark === '+') this.operand();
    // This closes an enclosing construct, which will read it.
    else if (/^[)\]},;:]$/.test(mark)) this.#cursor.at -= 1;
    return { kind: 'unreadable', line };
  }

  /** Whether Elixir's `name: value` comes next. */
  #isKeyword(): boolean {
    return this.#cursor.token?.kind === 'name' && this.#cursor.mark(1) === ':';
  }

  /** Elixir's tuples; `{:system, "NAME", "default"}` is how a library reads a variable when the program starts. */
  #tuple(line: number): Expr {
    const tuple = this.#containers.list('}', line);
    const [tag, name, ...others] = tuple.kind === 'list' ? tuple.items : [];
    if (tag?.kind !== 'value' || tag.value !== 'system' || name === undefined) return tuple;
    return {
      kind: 'call',
      line,
      of: { kind: 'name', line, name: 'getenv' },
      args: [name, ...others],
      named: new Map(),
    };
  }

  /** Elixir's `if test, do: yes, else: no`. */
  #ifElse(line: number): Expr {
    const branch = (word: string): Expr | undefined => {
      const follows = this.#cursor.take(',') && this.#cursor.take(word) && this.#cursor.take(':');
      return follows ? this.expression(0) : undefined;
    };
    const test = this.expression(1);
    const yes = branch('do');
    const no = yes === undefined ? undefined : (branch('else') ?? { kind: 'value', line, value: null });
    return yes === undefined || no === undefined
      ? { kind: 'unreadable', line }
      : { kind: 'choice', line, test, yes, no };
  }

  /** Elixir's `:name` and `:"name"`. */
  #atom(line: number): Expr {
    const { token } = this.#cursor;
    if (token?.kind !== 'name' && token?.kind !== 'text') return { kind: 'unreadable', line };
    this.#cursor.at += 1;
    return { kind: 'value', line, value: token.text };
  }

  #parenthesis(line: number): Expr {
    const cursor = this.#cursor;
    const close = cursor.closing(cursor.at - 1);
    if (this.#language === 'javascript' && close !== undefined && this.#isArrow(close + 1)) {
      cursor.at = close + 1;
      cursor.skipTo('=>');
      return this.#function(line);
    }
    const { token } = cursor;
    const isCast = this.#language === 'php' && close === cursor.at + 1 && token?.kind === 'name';
    if (isCast && /^(int|integer|string|bool|boolean|float)$/.test(token.text)) {
      cursor.at = close + 1;
      return this.operand();
    }
    const list = this.#containers.list(')', line);
    const [only] = list.kind === 'list' ? list.items : [];
    const trailing = cursor.mark(-2) === ',';
    return list.kind === 'list' && list.items.length === 1 && only && !trailing ? only : list;
  }

  /** Whether there is an arrow at a token, or after the return type that starts there. */
  #isArrow(from: number): boolean {
    const { tokens } = this.#cursor;
    for (let at = from; at < Math.min(from + 12, tokens.length); at += 1) {
      const token = tokens[at];
      const mark = token?.kind === 'mark' ? token.text : '';
      if (mark === '=>') return true;
      if ((at === from && mark !== ':') || /^[;,)}{]$/.test(mark)) return false;
    }
    return false;
  }

  /** Called at the arrow: skips the function. */
  #function(line: number): Expr {
    this.#cursor.at += 1;
    if (this.#cursor.is('{')) this.#cursor.skip();
    else this.expression(0);
    return { kind: 'unreadable', line };
  }

  /** Skips `function name(...) {...}` and `class X {...}`. */
  #block(line: number): Expr {
    this.#cursor.skipBlock();
    return { kind: 'unreadable', line };
  }

  #operator(): string | undefined {
    const { token } = this.#cursor;
    if (token === undefined || (token.kind !== 'mark' && token.kind !== 'name')) return undefined;
    return Object.hasOwn(BINDING[this.#language], token.text) ? token.text : undefined;
  }
}
