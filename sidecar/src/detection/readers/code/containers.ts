import type { Cursor } from './cursor.ts';
import type { Expr } from './expression.ts';
import type { Language } from './languages.ts';
import type { Token } from './tokens.ts';

/** Reads what is in brackets: lists, arguments, objects, PHP arrays. Each method starts after the opening bracket. */
export class Containers {
  readonly #cursor: Cursor;
  readonly #language: Language;
  readonly #expression: () => Expr;

  /** `expression` reads the expression at the cursor. */
  constructor(cursor: Cursor, language: Language, expression: () => Expr) {
    this.#cursor = cursor;
    this.#language = language;
    this.#expression = expression;
  }

  /** Items up to the closing bracket. */
  list(closer: string, line: number): Expr {
    const items: Expr[] = [];
    while (!this.#cursor.is(closer)) {
      const spread = this.#cursor.take('...') || this.#cursor.take('*');
      const item = this.item(closer);
      if (item === undefined) return { kind: 'unreadable', line };
      items.push(spread ? { kind: 'unreadable', line: item.line } : item);
    }
    this.#cursor.at += 1;
    return { kind: 'list', line, items };
  }

  /** An expression and the comma after it; undefined where the list ends or breaks off. */
  item(closer: string): Expr | undefined {
    if (this.#cursor.atEnd) return undefined;
    const item = this.#expression();
    const { ended, clean } = this.#cursor.endItem(closer);
    if (!ended) return undefined;
    return clean ? item : { kind: 'unreadable', line: item.line };
  }

  /** Entries up to the closing bracket, with what is spread before and after them. */
  object(line: number, closer = '}'): Expr {
    const entries = new Map<string, Expr>();
    const spreads: Expr[] = [];
    const overrides: Expr[] = [];
    while (!this.#cursor.is(closer)) {
      const spread = this.#cursor.take('...') || this.#cursor.take('**');
      const key = spread ? undefined : this.#key();
      const start = this.#cursor.line;
      const item = key?.value ?? this.item(closer);
      if (key?.value && !this.#cursor.endItem(closer).ended) return { kind: 'unreadable', line };
      if (item === undefined) return { kind: 'unreadable', line };
      if (spread) (entries.size === 0 ? spreads : overrides).push(item);
      else if (key) entries.set(key.name, { ...item, line: key.line });
      // A computed name may be any name.
      else overrides.push({ kind: 'unreadable', line: start });
    }
    this.#cursor.at += 1;
    return { kind: 'object', line, entries, spreads, overrides };
  }

  /** `[1, 'a' => 2]` and `array(...)`. */
  phpArray(closer: string, line: number): Expr {
    const entries = new Map<string, Expr>();
    const overrides: Expr[] = [];
    while (!this.#cursor.is(closer)) {
      if (this.#cursor.atEnd) return { kind: 'unreadable', line };
      const spread = this.#cursor.take('...');
      const first = this.#expression();
      const value = this.#cursor.take('=>') ? this.#expression() : undefined;
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

  /** An entry's name, which its value follows; includes the value where the name stands alone. */
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
    if (mark !== '(') return undefined;
    this.#cursor.skipBlock();
    return { name, line, value: { kind: 'unreadable', line } };
  }
}

function keyOf(token: Token): string | undefined {
  if (token.kind === 'name' || token.kind === 'text') return token.text;
  return token.kind === 'number' ? String(token.value) : undefined;
}
