import type { Containers } from './containers.ts';
import type { Cursor } from './cursor.ts';
import type { Expr } from './expression.ts';
import type { Language } from './languages.ts';
import { skipTypeArguments } from './types.ts';

/** Reads what follows a value: calls, members, indexes. */
export class Suffixes {
  readonly #cursor: Cursor;
  readonly #language: Language;
  readonly #containers: Containers;

  constructor(cursor: Cursor, language: Language, containers: Containers) {
    this.#cursor = cursor;
    this.#language = language;
    this.#containers = containers;
  }

  /** The value with everything that follows it. */
  after(first: Expr): Expr {
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
    // Where a line break may end a statement, a bracket on the next line starts another one.
    const fresh = this.#language !== 'php' && cursor.beginsLine;
    if (mark === '(') return fresh && this.#language !== 'javascript' ? undefined : this.#call(of);
    if (mark === '[') return fresh ? undefined : this.#index(of);
    if (this.#isAccess(mark)) {
      const name = cursor.tokens[cursor.at + 1];
      if (name?.kind !== 'name') {
        return mark === '?.' || this.#language === 'elixir' ? this.#optional(of) : undefined;
      }
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

  /** `a?.[b]` and `a?.(b)`; in Elixir `a.(b)` calls a function that a name holds. */
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
      return this.#containers.phpArray(')', line);
    }
    const args: Expr[] = [];
    const named = new Map<string, Expr>();
    const separator = this.#language === 'python' ? '=' : ':';
    while (!this.#cursor.is(')')) {
      const { token } = this.#cursor;
      const name = token?.kind === 'name' && this.#cursor.mark(1) === separator ? token.text : undefined;
      if (name !== undefined) this.#cursor.at += 2;
      const spread = ['...', '*'].some((mark) => this.#cursor.take(mark));
      const unknown = this.#cursor.take('**');
      const item = this.#containers.item(')');
      if (item === undefined) return { kind: 'unreadable', line };
      if (name !== undefined) named.set(name, item);
      else if (unknown) args.push({ kind: 'unreadable', line });
      else args.push(spread ? { kind: 'spread', line, of: item } : item);
    }
    this.#cursor.at += 1;
    return { kind: 'call', line, of, args, named };
  }

  #index(of: Expr): Expr {
    this.#cursor.at += 1;
    const key = this.#containers.item(']');
    if (key === undefined || !this.#cursor.take(']')) return { kind: 'unreadable', line: of.line };
    return { kind: 'member', line: of.line, of, key };
  }

  /** `fetch("X") { "default" }`: the block's value counts as a last argument. */
  #rubyBlock(of: Expr): Expr {
    const { line } = of;
    this.#cursor.at += 1;
    // An empty block has no value.
    const isEmpty = this.#cursor.is('}');
    const value: Expr | undefined = isEmpty ? { kind: 'value', line, value: null } : this.#containers.item('}');
    if (value === undefined || !this.#cursor.take('}') || of.kind !== 'call') return { kind: 'unreadable', line };
    return { ...of, args: [...of.args, value] };
  }
}
