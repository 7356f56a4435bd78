import { Cursor } from './cursor.ts';
import type { Expr } from './expression.ts';
import { BINDING, CONSTANTS, PASSED } from './grammar.ts';
import type { Language } from './languages.ts';
import { type Token, tokenize } from './tokens.ts';
import { skipType, skipTypeArguments } from './types.ts';

const MAX_DEPTH = 48;

/** Reads the expression that begins at a token. It never fails: what cannot be told is `unreadable`. */
export function parseAt(tokens: readonly Token[], at: number, language: Language): { expr: Expr; end: number } {
  const cursor = new Cursor(tokens, at);
  const expr = new Parser(cursor, language, 0).expression(0);
  const open = !cursor.atEnd && !cursor.beginsLine && !/^[;,)\]}]$/.test(cursor.mark());
  return { expr: open ? { kind: 'unreadable', line: expr.line } : expr, end: cursor.at };
}

/** The same where something else may follow, e.g. the sign of an assignment. */
export function parsePartAt(tokens: readonly Token[], at: number, language: Language): { expr: Expr; end: number } {
  const cursor = new Cursor(tokens, at);
  return { expr: new Parser(cursor, language, 0).expression(0), end: cursor.at };
}

/** The value that begins at a token, with what hangs on it, without operators. */
export function parseOperandAt(tokens: readonly Token[], at: number, language: Language): Expr {
  return new Parser(new Cursor(tokens, at), language, 0).operand();
}

/** Reads a text that is one expression and stands at a line of its file. */
export function parseExpression(source: string, language: Language, line = 1, depth = 0): Expr {
  const { tokens, broken } = tokenize(source, language, false);
  const cursor = new Cursor(
    tokens.map((token) => ({ ...token, line: token.line + line - 1 })),
    0,
  );
  const expr = new Parser(cursor, language, depth).expression(0);
  return broken !== undefined || !cursor.atEnd ? { kind: 'unreadable', line } : expr;
}

class Parser {
  readonly #cursor: Cursor;
  readonly #language: Language;
  #depth: number;

  constructor(cursor: Cursor, language: Language, depth: number) {
    this.#cursor = cursor;
    this.#language = language;
    this.#depth = depth;
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

  /** A choice is not made here: both ways are passed over. */
  #condition(left: Expr): Expr {
    const unreadable: Expr = { kind: 'unreadable', line: left.line };
    if (this.#language === 'python') {
      const chooses = ['if', 'for', 'async'].some((word) => this.#cursor.is(word));
      if (!chooses || this.#cursor.token?.column === 0) return left;
      this.#cursor.skipRest();
      return unreadable;
    }
    if (this.#cursor.take('?')) {
      this.expression(0);
      if (this.#cursor.take(':')) this.expression(0);
      return unreadable;
    }
    if (this.#language === 'javascript' && (this.#cursor.is('as') || this.#cursor.is('satisfies'))) {
      skipType(this.#cursor);
      // What follows a type still belongs to the expression.
      const operator = this.#operator();
      if (operator === undefined || BINDING.javascript[operator] === undefined) return left;
      this.#cursor.at += 1;
      return { kind: 'pair', line: left.line, operator, left, right: this.expression(0) };
    }
    return left;
  }

  /** A value with what hangs on it. */
  operand(): Expr {
    if (this.#depth >= MAX_DEPTH) {
      const { line } = this.#cursor;
      this.#cursor.skipRest();
      return { kind: 'unreadable', line };
    }
    this.#depth += 1;
    const expr = this.#postfix(this.#primary());
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
    // In Python texts that stand side by side are one.
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

  #name(name: string, line: number): Expr {
    const constant = CONSTANTS.get(name);
    if (constant !== undefined) return { kind: 'value', line, value: constant };
    if (PASSED[this.#language].has(name)) return this.operand();
    return this.#word(name, line) ?? { kind: 'name', line, name };
  }

  /** Words that begin something that is passed over: functions, classes, negations. */
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
    if (this.#language === 'python' && name === 'lambda') {
      this.#cursor.skipRest();
      return unreadable;
    }
    if (name === 'not' && (this.#language === 'python' || this.#language === 'ruby')) {
      this.expression(3);
      return unreadable;
    }
    if (this.#language !== 'php') return undefined;
    if (name === 'fn') {
      this.#cursor.skipTo('=>');
      return this.#function(line);
    }
    return name === 'function' || name === 'match' ? this.#block(line) : undefined;
  }

  #mark(mark: string, line: number): Expr {
    if (mark === '[') return this.#language === 'php' ? this.#phpArray(']', line) : this.#list(']', line);
    if (mark === '{') return this.#object(line);
    if (mark === '(') return this.#parenthesis(line);
    if (mark === '-') {
      const value = this.operand();
      if (value.kind === 'value' && typeof value.value === 'number')
        return { kind: 'value', line, value: -value.value };
    } else if (mark === '@' && this.#language === 'php') return this.operand();
    else if (mark === '!' || mark === '~' || mark === '&' || mark === '+') this.operand();
    // The end of something around is not ours to take.
    else if (/^[)\]},;:]$/.test(mark)) this.#cursor.at -= 1;
    return { kind: 'unreadable', line };
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
    const list = this.#list(')', line);
    const [only] = list.kind === 'list' ? list.items : [];
    const trailing = cursor.mark(-2) === ',';
    return list.kind === 'list' && list.items.length === 1 && only && !trailing ? only : list;
  }

  /** Whether an arrow stands at a token, or after the return type that begins there. */
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

  /** Standing at the arrow: passes over the function. */
  #function(line: number): Expr {
    this.#cursor.at += 1;
    if (this.#cursor.is('{')) this.#cursor.skip();
    else this.expression(0);
    return { kind: 'unreadable', line };
  }

  /** Passes over `function name(...) {...}` and `class X {...}`. */
  #block(line: number): Expr {
    while (!this.#cursor.atEnd && !this.#cursor.is('{')) this.#cursor.skip();
    this.#cursor.skip();
    return { kind: 'unreadable', line };
  }

  #list(closer: string, line: number): Expr {
    const items: Expr[] = [];
    while (!this.#cursor.is(closer)) {
      const spread = this.#cursor.take('...') || this.#cursor.take('*');
      const item = this.#item(closer);
      if (item === undefined) return { kind: 'unreadable', line };
      items.push(spread ? { kind: 'unreadable', line: item.line } : item);
    }
    this.#cursor.at += 1;
    return { kind: 'list', line, items };
  }

  /** An expression and the comma behind it; undefined where the list does not go on. */
  #item(closer: string): Expr | undefined {
    if (this.#cursor.atEnd) return undefined;
    const item = this.expression(0);
    const { ended, clean } = this.#cursor.endItem(closer);
    if (!ended) return undefined;
    return clean ? item : { kind: 'unreadable', line: item.line };
  }

  #object(line: number): Expr {
    const entries = new Map<string, Expr>();
    const spreads: Expr[] = [];
    const overrides: Expr[] = [];
    while (!this.#cursor.is('}')) {
      const spread = this.#cursor.take('...') || this.#cursor.take('**');
      const key = spread ? undefined : this.#key();
      const start = this.#cursor.line;
      const item = key?.value ?? this.#item('}');
      if (key?.value && !this.#cursor.endItem('}').ended) return { kind: 'unreadable', line };
      if (item === undefined) return { kind: 'unreadable', line };
      if (spread) (entries.size === 0 ? spreads : overrides).push(item);
      else if (key) entries.set(key.name, { ...item, line: key.line });
      // A name that is computed may be any name.
      else overrides.push({ kind: 'unreadable', line: start });
    }
    this.#cursor.at += 1;
    return { kind: 'object', line, entries, spreads, overrides };
  }

  /** The name of an entry, behind which its value stands; with the value where the name is all there is. */
  #key(): { readonly name: string; readonly line: number; readonly value?: Expr } | undefined {
    const { token, line } = this.#cursor;
    const name = token && keyOf(token);
    if (token === undefined || name === undefined) return undefined;
    const mark = this.#cursor.mark(1);
    if (mark === ':') {
      this.#cursor.at += 2;
      return { name, line };
    }
    if (token.kind !== 'name' || this.#language !== 'javascript') return undefined;
    if (mark === ',' || mark === '}') {
      this.#cursor.at += 1;
      return { name, line, value: { kind: 'name', line, name } };
    }
    return mark === '(' ? { name, line, value: this.#block(line) } : undefined;
  }

  #phpArray(closer: string, line: number): Expr {
    const entries = new Map<string, Expr>();
    const overrides: Expr[] = [];
    while (!this.#cursor.is(closer)) {
      if (this.#cursor.atEnd) return { kind: 'unreadable', line };
      const spread = this.#cursor.take('...');
      const first = this.expression(0);
      const value = this.#cursor.take('=>') ? this.expression(0) : undefined;
      const { ended, clean } = this.#cursor.endItem(closer);
      if (!ended) return { kind: 'unreadable', line };
      const named = value === undefined || first.kind === 'value';
      if (spread || !named) overrides.push({ kind: 'unreadable', line: first.line });
      else {
        const key = value && first.kind === 'value' ? String(first.value) : String(entries.size);
        const { line: own } = first;
        entries.set(key, clean ? { ...(value ?? first), line: own } : { kind: 'unreadable', line: own });
      }
    }
    this.#cursor.at += 1;
    return { kind: 'object', line, entries, spreads: [], overrides };
  }

  #postfix(first: Expr): Expr {
    let expr = first;
    for (;;) {
      const next = this.#suffix(expr);
      if (next === undefined) return expr;
      expr = next;
    }
  }

  #suffix(of: Expr): Expr | undefined {
    const cursor = this.#cursor;
    const mark = cursor.mark();
    // Where a line may end a statement, a bracket on the next one begins another.
    const fresh = this.#language !== 'php' && cursor.beginsLine;
    if (mark === '(') return fresh && this.#language !== 'javascript' ? undefined : this.#call(of);
    if (mark === '[') return fresh ? undefined : this.#index(of);
    if (this.#isAccess(mark)) {
      const name = cursor.tokens[cursor.at + 1];
      if (name?.kind !== 'name') return mark === '?.' ? this.#optional(of) : undefined;
      cursor.at += 2;
      return { kind: 'member', line: of.line, of, key: { kind: 'value', line: name.line, value: name.text } };
    }
    if (this.#language === 'ruby' && mark === '{') return this.#rubyBlock(of);
    if (this.#language !== 'javascript' || fresh) return undefined;
    if (mark === '!') {
      cursor.at += 1;
      return of;
    }
    return mark === '<' && skipTypeArguments(cursor) ? of : undefined;
  }

  /** `a?.[b]` and `a?.(b)` */
  #optional(of: Expr): Expr | undefined {
    const mark = this.#cursor.mark(1);
    if (mark !== '[' && mark !== '(') return undefined;
    this.#cursor.at += 1;
    return mark === '[' ? this.#index(of) : this.#call(of);
  }

  #isAccess(mark: string): boolean {
    if (this.#language === 'php') return mark === '->' || mark === '::';
    return mark === '.' || (mark === '?.' && this.#language === 'javascript');
  }

  #call(of: Expr): Expr {
    const { line } = of;
    this.#cursor.at += 1;
    if (this.#language === 'php' && of.kind === 'name' && of.name.toLowerCase() === 'array') {
      return this.#phpArray(')', line);
    }
    const args: Expr[] = [];
    const named = new Map<string, Expr>();
    const separator = this.#language === 'python' ? '=' : ':';
    while (!this.#cursor.is(')')) {
      const { token } = this.#cursor;
      const name = token?.kind === 'name' && this.#cursor.mark(1) === separator ? token.text : undefined;
      if (name !== undefined) this.#cursor.at += 2;
      const spread = ['...', '*', '**'].some((mark) => this.#cursor.take(mark));
      const item = this.#item(')');
      if (item === undefined) return { kind: 'unreadable', line };
      if (name !== undefined) named.set(name, item);
      else args.push(spread ? { kind: 'unreadable', line } : item);
    }
    this.#cursor.at += 1;
    return { kind: 'call', line, of, args, named };
  }

  #index(of: Expr): Expr {
    this.#cursor.at += 1;
    const key = this.#item(']');
    if (key === undefined || !this.#cursor.take(']')) return { kind: 'unreadable', line: of.line };
    return { kind: 'member', line: of.line, of, key };
  }

  /** `fetch("X") { "default" }`: what the block gives stands for a last argument. */
  #rubyBlock(of: Expr): Expr {
    const { line } = of;
    this.#cursor.at += 1;
    const value = this.#item('}');
    if (value === undefined || !this.#cursor.take('}') || of.kind !== 'call') return { kind: 'unreadable', line };
    return { ...of, args: [...of.args, value] };
  }

  #operator(): string | undefined {
    const { token } = this.#cursor;
    if (token === undefined || (token.kind !== 'mark' && token.kind !== 'name')) return undefined;
    return Object.hasOwn(BINDING[this.#language], token.text) ? token.text : undefined;
  }
}

function keyOf(token: Token): string | undefined {
  if (token.kind === 'name' || token.kind === 'text') return token.text;
  return token.kind === 'number' ? String(token.value) : undefined;
}
