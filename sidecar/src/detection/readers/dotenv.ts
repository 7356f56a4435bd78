import type { Problem } from './located.ts';

/** A piece of a value: text, or a reference to another variable. */
export type Segment =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'reference';
      readonly name: string;
      /** As written: used when `$NAME` without braces names nothing. */
      readonly written: string;
      readonly fallback: readonly Segment[] | undefined;
      /** `:-`: the fallback also replaces an empty value. */
      readonly emptyToo: boolean;
    };

export interface DotenvEntry {
  readonly name: string;
  readonly line: number;
  readonly segments: readonly Segment[];
}

export interface Dotenv {
  readonly entries: readonly DotenvEntry[];
  readonly problems: readonly Problem[];
}

export interface Expanded {
  readonly value: string;
  /** Variables that were referred to and have no value. */
  readonly missing: readonly string[];
}

const NAME = /(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*(?:=|:(?=[ \t]))[ \t]*/y;
const MAX_REFERENCES = 200;
const MAX_EXPANDED_CHARS = 64 * 1024;
const MAX_DEPTH = 30;
/** Longer text is a key or a document, not a template, and searching it for references would take long. */
const MAX_TEMPLATE_CHARS = 8 * 1024;

/**
 * Reads a .env file: `export`, comments, quotes, quoted values over several lines, references in double quotes and
 * without quotes. Without quotes a `#` starts a comment only after whitespace, so that passwords with a `#` stay whole.
 */
export function readDotenv(text: string): Dotenv {
  return new DotenvReader(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')).read();
}

/** Splits a text at its references in compose syntax, where `$$` is a dollar sign. */
export function readTemplate(text: string): readonly Segment[] {
  return text.split('$$').flatMap((part, index): readonly Segment[] => {
    const segments = segmentsOf(part, false);
    return index === 0 ? segments : [{ kind: 'text', text: '$' }, ...segments];
  });
}

type Lookup = (name: string) => DotenvEntry | undefined;

/** How much may still be inserted: references to references can multiply without end. */
interface Budget {
  references: number;
  chars: number;
}

/** Fills in references. `lookup` gives a name's effective entry; names in `open` are not followed. */
export function expand(
  segments: readonly Segment[],
  lookup: Lookup,
  open: readonly string[] = [],
  budget: Budget = { references: MAX_REFERENCES, chars: MAX_EXPANDED_CHARS },
): Expanded {
  let value = '';
  const missing: string[] = [];
  for (const segment of segments) {
    const part =
      segment.kind === 'text' ? { value: segment.text, missing: [] } : expandReference(segment, lookup, open, budget);
    value += part.value;
    missing.push(...part.missing);
  }
  return { value, missing };
}

function expandReference(
  reference: Extract<Segment, { kind: 'reference' }>,
  lookup: Lookup,
  open: readonly string[],
  budget: Budget,
): Expanded {
  const { name, fallback, emptyToo, written } = reference;
  budget.references -= 1;
  if (budget.references < 0 || budget.chars < 0 || open.length > MAX_DEPTH) return { value: '', missing: [name] };
  // A variable that refers to itself has no value here.
  const entry = open.includes(name) ? undefined : lookup(name);
  const inner = entry && expand(entry.segments, lookup, [...open, name], budget);
  budget.chars -= inner?.value.length ?? 0;
  if (inner && !(emptyToo && inner.value === '' && fallback)) return inner;
  if (fallback) return expand(fallback, lookup, open, budget);
  // Without braces, a dollar sign is more often part of a password than a reference.
  return written.startsWith('${') ? { value: '', missing: [name] } : { value: written, missing: [] };
}

class DotenvReader {
  readonly #text: string;
  readonly #entries: DotenvEntry[] = [];
  readonly #problems: Problem[] = [];
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Dotenv {
    while (this.#at < this.#text.length) {
      this.#skip(/[ \t]*/y);
      const char = this.#text[this.#at];
      if (char !== undefined && char !== '\n' && char !== '#') this.#entry();
      this.#endLine();
    }
    return { entries: this.#entries, problems: this.#problems };
  }

  #entry(): void {
    NAME.lastIndex = this.#at;
    const match = NAME.exec(this.#text);
    const name = match?.[1];
    // A line that assigns nothing (a bare word, a shell command) is skipped, as other readers do.
    if (match === null || name === undefined) return;
    const line = this.#line;
    this.#at += match[0].length;
    const quote = this.#text[this.#at];
    const segments =
      quote === '"' || quote === "'" || quote === '`' ? this.#quoted(quote) : segmentsOf(this.#bare(), false);
    if (segments) this.#entries.push({ name, line, segments });
    else this.#problems.push({ line, reason: `the quote after ${name}= is never closed` });
  }

  #bare(): string {
    const end = this.#lineEnd();
    const rest = this.#text.slice(this.#at, end);
    this.#at = end;
    if (rest.startsWith('#')) return '';
    const comment = /[ \t]#/.exec(rest);
    return (comment ? rest.slice(0, comment.index) : rest).trim();
  }

  #quoted(quote: string): readonly Segment[] | undefined {
    const start = this.#at + 1;
    let end = start;
    while (end < this.#text.length && this.#text[end] !== quote) {
      // A backslash escapes the quote after it, except in single quotes, where it is an ordinary character.
      end += quote !== "'" && this.#text[end] === '\\' ? 2 : 1;
    }
    if (end >= this.#text.length) return undefined;
    const inner = this.#text.slice(start, end);
    this.#at = end + 1;
    this.#line += inner.split('\n').length - 1;
    if (quote === "'") return [{ kind: 'text', text: inner }];
    return quote === '`' ? [{ kind: 'text', text: inner.replaceAll('\\`', '`') }] : segmentsOf(inner, true);
  }

  #endLine(): void {
    this.#at = this.#lineEnd() + 1;
    this.#line += 1;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#at);
    return end === -1 ? this.#text.length : end;
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }
}

const ESCAPED = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
  ['$', '$'],
  ['`', '`'],
]);

function segmentsOf(text: string, escapes: boolean): readonly Segment[] {
  const segments: Segment[] = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    const next = text[at + 1] ?? '';
    if (text[at] === '\\' && (escapes ? ESCAPED.has(next) : next === '$')) {
      plain += ESCAPED.get(next) ?? '';
      at += 2;
      continue;
    }
    const reference =
      text[at] === '$' && text.length <= MAX_TEMPLATE_CHARS ? referenceAt(text, at, escapes) : undefined;
    if (reference) {
      if (plain !== '') segments.push({ kind: 'text', text: plain });
      plain = '';
      segments.push(reference.segment);
      at = reference.end;
    } else {
      plain += text[at];
      at += 1;
    }
  }
  if (plain !== '') segments.push({ kind: 'text', text: plain });
  return segments;
}

function referenceAt(text: string, at: number, escapes: boolean): { segment: Segment; end: number } | undefined {
  const simple = /\$([A-Za-z_]\w*)/y;
  simple.lastIndex = at;
  const bare = simple.exec(text);
  if (bare) {
    const [written, name = ''] = bare;
    return {
      segment: { kind: 'reference', name, written, fallback: undefined, emptyToo: false },
      end: at + written.length,
    };
  }
  const end = closingBrace(text, at);
  const parts =
    end === undefined ? null : /^\$\{([A-Za-z_]\w*)(?:(:?-)([\s\S]*)|:?\?[\s\S]*)?\}$/.exec(text.slice(at, end));
  if (end === undefined || parts === null) return undefined;
  const [written, name = '', operator, rest] = parts;
  const fallback = rest === undefined ? undefined : segmentsOf(rest, escapes);
  return { segment: { kind: 'reference', name, written, fallback, emptyToo: operator === ':-' }, end };
}

function closingBrace(text: string, at: number): number | undefined {
  if (text[at + 1] !== '{') return undefined;
  let depth = 0;
  for (let i = at + 1; i < text.length; i += 1) {
    if (text[i] === '{' && text[i - 1] === '$') depth += 1;
    if (text[i] === '}') depth -= 1;
    if (depth === 0) return i + 1;
  }
  return undefined;
}
