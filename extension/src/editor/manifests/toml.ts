import { UnreadManifest } from './manifest.ts';

export type TomlValue = string | readonly TomlValue[] | TomlTable;
export type TomlTable = Map<string, TomlValue>;

/** Deeper than any manifest nests. */
const MAX_DEPTH = 32;

/**
 * Reads TOML as far as manifests go: tables, keys, strings, arrays and inline tables. Numbers, dates and switches come
 * as they are written. Keys stand in maps, where a name such as __proto__ is a name.
 */
export function parseToml(text: string): TomlTable {
  return new TomlReader(text).document();
}

/** What stands below these keys, if anything. */
export function tomlAt(table: TomlTable, ...keys: readonly string[]): TomlValue | undefined {
  return keys.reduce<TomlValue | undefined>((at, key) => (at instanceof Map ? at.get(key) : undefined), table);
}

/** The tables below these keys. */
export function tableAt(table: TomlTable, ...keys: readonly string[]): TomlTable {
  const found = tomlAt(table, ...keys);
  return found instanceof Map ? found : new Map();
}

/** The texts of an array below these keys. */
export function textsAt(table: TomlTable, ...keys: readonly string[]): string[] {
  const found = tomlAt(table, ...keys);
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string') : [];
}

class TomlReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): TomlTable {
    const root: TomlTable = new Map();
    let table = root;
    for (this.#blank(); this.#at < this.#text.length; this.#blank()) {
      if (this.#take('[[')) table = appended(root, this.#header(']]'));
      else if (this.#take('[')) table = below(root, this.#header(']'));
      else this.#pair(table, 0);
    }
    return root;
  }

  #header(end: string): string[] {
    const keys = this.#keys();
    if (!this.#take(end)) throw this.#wrong();
    return keys;
  }

  #pair(table: TomlTable, depth: number): void {
    const keys = this.#keys();
    const last = keys.pop() ?? '';
    if (!this.#take('=')) throw this.#wrong();
    this.#spaces();
    below(table, keys).set(last, this.#value(depth));
  }

  #keys(): string[] {
    const keys: string[] = [];
    do {
      this.#spaces();
      keys.push(this.#key());
      this.#spaces();
    } while (this.#take('.') && keys.length < MAX_DEPTH);
    return keys;
  }

  #key(): string {
    const quote = this.#text[this.#at];
    if (quote === '"' || quote === "'") return this.#string();
    return this.#word(/[\w-]+/y);
  }

  #value(depth: number): TomlValue {
    if (depth > MAX_DEPTH) throw this.#wrong();
    const next = this.#text[this.#at];
    if (next === '"' || next === "'") return this.#string();
    if (this.#take('[')) return this.#array(depth);
    if (this.#take('{')) return this.#inline(depth);
    return this.#word(/[^\s,\]}#]+/y);
  }

  #array(depth: number): TomlValue[] {
    const values: TomlValue[] = [];
    for (this.#blank(); !this.#take(']'); this.#blank()) {
      values.push(this.#value(depth + 1));
      this.#blank();
      if (!this.#take(',') && this.#text[this.#at] !== ']') throw this.#wrong();
    }
    return values;
  }

  #inline(depth: number): TomlTable {
    const table: TomlTable = new Map();
    for (this.#blank(); !this.#take('}'); this.#blank()) {
      this.#pair(table, depth + 1);
      this.#blank();
      if (!this.#take(',') && this.#text[this.#at] !== '}') throw this.#wrong();
    }
    return table;
  }

  #string(): string {
    const quote = this.#text[this.#at] ?? '';
    const long = quote.repeat(3);
    if (this.#take(long)) return this.#until(long, quote === '"').replace(/^\r?\n/, '');
    this.#at += 1;
    const value = this.#until(quote, quote === '"');
    if (value.includes('\n')) throw this.#wrong();
    return value;
  }

  #until(end: string, hasEscapes: boolean): string {
    let value = '';
    for (; this.#at < this.#text.length; this.#at += 1) {
      if (this.#take(end)) return value;
      // Names need no other escape than that of the quote: the letter stands for itself.
      if (hasEscapes && this.#text[this.#at] === '\\') this.#at += 1;
      value += this.#text[this.#at] ?? '';
    }
    throw this.#wrong();
  }

  #word(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [word] = pattern.exec(this.#text) ?? [];
    if (word === undefined) throw this.#wrong();
    this.#at += word.length;
    return word;
  }

  #take(wanted: string): boolean {
    if (!this.#text.startsWith(wanted, this.#at)) return false;
    this.#at += wanted.length;
    return true;
  }

  #spaces(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at += 1;
  }

  /** Blanks, line ends and comments. */
  #blank(): void {
    for (;;) {
      while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
      if (this.#text[this.#at] !== '#') return;
      const end = this.#text.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.#text.length : end;
    }
  }

  #wrong(): UnreadManifest {
    return new UnreadManifest(`is not understood at line ${this.#text.slice(0, this.#at).split('\n').length}`);
  }
}

function below(table: TomlTable, keys: readonly string[]): TomlTable {
  let at = table;
  for (const key of keys) {
    const known = at.get(key);
    // Keys below a list of tables mean its last.
    const inner = Array.isArray(known) ? known.at(-1) : known;
    const next: TomlTable = inner instanceof Map ? inner : new Map();
    if (next !== inner) at.set(key, next);
    at = next;
  }
  return at;
}

function appended(root: TomlTable, keys: readonly string[]): TomlTable {
  const holder = below(root, keys.slice(0, -1));
  const last = keys.at(-1) ?? '';
  const known = holder.get(last);
  const table: TomlTable = new Map();
  holder.set(last, [...(Array.isArray(known) ? known : []), table]);
  return table;
}
