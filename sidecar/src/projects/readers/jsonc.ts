import type { Located, Problem, Reading } from './located.ts';

const MAX_DEPTH = 64;
const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Reads JSON with comments and trailing commas. After an error in an element of the outer array it goes on with the next. */
export function readJsonc(text: string): Reading {
  const parser = new JsoncParser(text);
  return parser.parse();
}

class Unreadable extends Error {
  readonly at: number;

  constructor(at: number, reason: string) {
    super(reason);
    this.at = at;
  }
}

class JsoncParser {
  readonly #text: string;
  readonly #lineEnds: readonly number[];
  readonly #problems: Problem[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lineEnds = [...text.matchAll(/\n/g)].map(({ index }) => index);
  }

  parse(): Reading {
    let value: Located | undefined;
    try {
      this.#skipBlank();
      value = this.#peek() === '[' ? this.#array(0) : this.#value(0);
      this.#skipBlank();
      if (this.#at < this.#text.length) throw this.#unexpected('the end of the file');
    } catch (error) {
      this.#note(error);
    }
    return { value, problems: this.#problems };
  }

  #value(depth: number): Located {
    this.#skipBlank();
    if (depth > MAX_DEPTH) throw new Unreadable(this.#at, `is nested more than ${MAX_DEPTH} deep`);
    const char = this.#peek();
    if (char === '{') return this.#object(depth);
    if (char === '[') return this.#array(depth);
    const line = this.#line();
    return { kind: 'scalar', line, value: char === '"' ? this.#string() : this.#word() };
  }

  #object(depth: number): Located {
    const line = this.#line();
    const entries = new Map<string, Located>();
    this.#at += 1;
    for (;;) {
      this.#skipBlank();
      if (this.#take('}')) return { kind: 'object', line, entries };
      if (this.#peek() !== '"') throw this.#unexpected('a name in double quotes or "}"');
      const name = this.#string();
      this.#skipBlank();
      if (!this.#take(':')) throw this.#unexpected(`":" after ${JSON.stringify(name)}`);
      entries.set(name, this.#value(depth + 1));
      this.#skipBlank();
      if (!this.#take(',') && this.#peek() !== '}') throw this.#unexpected('"," or "}"');
    }
  }

  #array(depth: number): Located {
    const line = this.#line();
    const items: Located[] = [];
    this.#at += 1;
    for (;;) {
      this.#skipBlank();
      if (this.#take(']')) return { kind: 'array', line, items };
      const start = this.#at;
      try {
        items.push(this.#value(depth + 1));
        this.#skipBlank();
        if (!this.#take(',') && this.#peek() !== ']') throw this.#unexpected('"," or "]"');
      } catch (error) {
        if (depth > 0 || !this.#resume(start)) {
          if (depth > 0) throw error;
          this.#note(error);
          return { kind: 'array', line, items };
        }
        this.#note(error);
      }
    }
  }

  /** Moves behind the element that starts at `start` by counting brackets; false when its end is not found. */
  #resume(start: number): boolean {
    const failedAt = this.#at;
    let depth = 0;
    this.#at = start;
    while (this.#at < this.#text.length) {
      if (!this.#skipComments()) return false;
      const char = this.#peek();
      if (depth === 0 && char === ']') return this.#at >= failedAt;
      if (char === '"') this.#skipString();
      else {
        if (char === '{' || char === '[') depth += 1;
        if (char === '}' || char === ']') depth = Math.max(0, depth - 1);
        this.#at += 1;
      }
      if (depth === 0 && this.#at > failedAt && this.#skipComments() && this.#atSeparator()) return true;
    }
    return false;
  }

  /** False at a comment that is not closed: then nothing follows. */
  #skipComments(): boolean {
    try {
      this.#skipBlank();
      return true;
    } catch (error) {
      if (error instanceof Unreadable) return false;
      throw error;
    }
  }

  #atSeparator(): boolean {
    return this.#take(',') || this.#peek() === ']';
  }

  #string(): string {
    const start = this.#at;
    let out = '';
    this.#at += 1;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined || char === '\n') throw new Unreadable(start, 'has a string that is not closed');
      this.#at += 1;
      if (char === '"') return out;
      out += char === '\\' ? this.#escape() : char;
    }
  }

  #escape(): string {
    const char = this.#text[this.#at] ?? '';
    this.#at += 1;
    if (char !== 'u') {
      const plain = ESCAPES.get(char);
      if (plain === undefined)
        throw new Unreadable(this.#at - 2, 'has an unknown escape (write "\\\\" for a backslash)');
      return plain;
    }
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) throw new Unreadable(this.#at - 2, 'has "\\u" without four hex digits');
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #word(): number | boolean | null {
    const word = /^[^\s,:[\]{}"/]+/.exec(this.#text.slice(this.#at, this.#at + 64))?.[0] ?? '';
    if (/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(word)) {
      this.#at += word.length;
      return Number(word);
    }
    if (word !== 'true' && word !== 'false' && word !== 'null') throw this.#unexpected('a value');
    this.#at += word.length;
    return word === 'null' ? null : word === 'true';
  }

  #skipString(): void {
    try {
      this.#string();
    } catch {
      // A broken string ends with its line: what follows is judged by its brackets.
      const end = this.#text.indexOf('\n', this.#at);
      this.#at = end === -1 ? this.#text.length : end;
    }
  }

  #skipBlank(): void {
    let before: number;
    do {
      before = this.#at;
      this.#skipBlankOnce();
    } while (this.#at > before);
  }

  #skipBlankOnce(): void {
    while (/\s/.test(this.#peek() ?? '')) this.#at += 1;
    if (this.#text.startsWith('//', this.#at)) this.#at = this.#endOf('\n', this.#at + 2) ?? this.#text.length;
    if (!this.#text.startsWith('/*', this.#at)) return;
    const end = this.#endOf('*/', this.#at + 2);
    if (end === undefined) throw new Unreadable(this.#at, 'has a comment that is not closed');
    this.#at = end;
  }

  #endOf(mark: string, from: number): number | undefined {
    const at = this.#text.indexOf(mark, from);
    return at === -1 ? undefined : at + mark.length;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at += 1;
    return true;
  }

  // The text itself is not quoted: it may be part of a password.
  #unexpected(wanted: string): Unreadable {
    return new Unreadable(
      this.#at,
      this.#peek() === undefined ? `ends where ${wanted} is missing` : `needs ${wanted} here`,
    );
  }

  #line(at = this.#at): number {
    let low = 0;
    let high = this.#lineEnds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lineEnds[middle] ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  }

  #note(error: unknown): void {
    if (!(error instanceof Unreadable)) throw error;
    this.#problems.push({ line: this.#line(error.at), reason: `not valid JSON: it ${error.message}` });
  }
}
