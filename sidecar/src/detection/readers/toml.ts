import type { Problem } from './located.ts';

/** A single value of a TOML file, under its full name. */
export interface TomlValue {
  readonly line: number;
  readonly value: string | number | boolean;
}

/** What could be read of a TOML file. */
export interface TomlReading {
  /** By full name, e.g. `db.port`. */
  readonly values: ReadonlyMap<string, TomlValue>;
  readonly problems: readonly Problem[];
}

const PART = /[A-Za-z0-9_-]+|"[^"\\]*"|'[^']*'/g;
const NAME = /^(?:[A-Za-z0-9_-]+|"[^"\\]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"\\]*"|'[^']*'))*/;
const HEADER_END = /^\s*\]\s*(?:#.*)?$/;
const STRING = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*(?:#.*)?$/;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['"', '"'],
  ['\\', '\\'],
]);

/**
 * Reads the single values of a TOML file: tables, and names with plain values on one line. Lists, inline tables and
 * multi-line strings are skipped; anything that looks like them is a problem.
 */
export function readToml(text: string): TomlReading {
  return new TomlReader(text).read();
}

class TomlReader {
  readonly #lines: readonly string[];
  readonly #values = new Map<string, TomlValue>();
  readonly #problems: Problem[] = [];
  #table: string | undefined = '';
  #at = 0;

  constructor(text: string) {
    this.#lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  }

  read(): TomlReading {
    for (; this.#at < this.#lines.length; this.#at += 1) {
      const line = (this.#lines[this.#at] ?? '').trim();
      if (line === '' || line.startsWith('#')) continue;
      if (line.startsWith('[')) this.#header(line);
      else this.#entry(line);
    }
    return { values: this.#values, problems: this.#problems };
  }

  #header(line: string): void {
    const inside = line.slice(1).trimStart();
    const name = NAME.exec(inside)?.[0];
    if (name !== undefined && HEADER_END.test(inside.slice(name.length))) this.#table = `${nameOf(name)}.`;
    else {
      // A list of tables has no single values; after any other unreadable table, the names that follow belong nowhere.
      if (!line.startsWith('[[')) this.#problem('has a table whose name cannot be read');
      this.#table = undefined;
    }
  }

  #entry(line: string): void {
    const name = NAME.exec(line)?.[0];
    const rest = name === undefined ? '' : line.slice(name.length).trimStart();
    if (name === undefined || !rest.startsWith('=')) {
      this.#problem('is not valid TOML: expected a name and "=" here');
      return;
    }
    const start = this.#at;
    const value = this.#value(rest.slice(1).trim());
    if (value !== undefined && this.#table !== undefined) {
      this.#values.set(`${this.#table}${nameOf(name)}`, { line: start + 1, value });
    }
  }

  #value(text: string): TomlValue['value'] | undefined {
    for (const quotes of ['"""', "'''"]) {
      if (text.startsWith(quotes)) return this.#skipPast(quotes, text.slice(3));
    }
    if (text.startsWith('[') || text.startsWith('{')) return this.#skipBrackets(text);
    const string = STRING.exec(text);
    if (string) return string[2] ?? withoutEscapes(string[1] ?? '');
    const word = (text.split('#', 1)[0] ?? '').trimEnd();
    if (word === 'true' || word === 'false') return word === 'true';
    if (/^[+-]?\d+(_\d+)*(\.\d+)?$/.test(word)) return Number(word.replaceAll('_', ''));
    if (!/^[\w:.+-]+$/.test(word)) this.#problem('has a value that cannot be read');
    return undefined;
  }

  #skipPast(quotes: string, first: string): undefined {
    if (first.includes(quotes)) return;
    const began = this.#at;
    while (++this.#at < this.#lines.length) {
      if (this.#lines[this.#at]?.includes(quotes)) return;
    }
    this.#at = this.#lines.length;
    this.#problem('has a string that is not closed', began);
  }

  #skipBrackets(first: string): undefined {
    const began = this.#at;
    let depth = bracketsIn(first);
    while (depth > 0 && ++this.#at < this.#lines.length) depth += bracketsIn(this.#lines[this.#at] ?? '');
    if (depth > 0) this.#problem('has a bracket that is not closed', began);
  }

  #problem(reason: string, at = this.#at): void {
    this.#problems.push({ line: at + 1, reason });
  }
}

function bracketsIn(line: string): number {
  // An unclosed string extends to the end: searching again from each quote would take quadratic time.
  const bare = line.replace(/"(?:[^"\\]|\\.)*"?|'[^']*'?/g, '').split('#', 1)[0] ?? '';
  return (bare.match(/[[{]/g)?.length ?? 0) - (bare.match(/[\]}]/g)?.length ?? 0);
}

function nameOf(written: string): string {
  return [...written.matchAll(PART)].map(([part]) => part.replace(/^["']|["']$/g, '')).join('.');
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (whole, code: string) =>
    code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES.get(code) ?? whole),
  );
}
