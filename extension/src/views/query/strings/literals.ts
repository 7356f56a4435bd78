import type { Language, StringForm } from './languages.ts';

/** A string of a program's text. */
export interface Literal {
  /** With its quotes. */
  readonly from: number;
  readonly to: number;
  /** Without them. */
  readonly start: number;
  readonly end: number;
  /**
   * Its text, each character at its place: code in it is `HOLE`, and where an escape has two characters for one, a
   * blank stands before or behind it.
   */
  readonly text: string;
}

/** Stands for what is only known when the program runs. A letter to every engine, so that it never ends a name. */
export const HOLE = 'ª';

/** Beyond it the rest of a program is not read: real programs do not nest strings that deep. */
const MOST_NESTED = 40;
/** Saves trying every form at every character. */
const MAY_OPEN = /["'`<%$@rRuUbBfF]/;

const BLANK_ESCAPES = /^[ntrfv\r\n]$/;
const PLAIN_ESCAPES = /^['"`\\/$#{}]$/;

/** The strings of a program's text, those in the code of others too, in the order of their ends. */
export function literalsOf(text: string, language: Language): Literal[] {
  const scanner = new Scanner(text, language);
  scanner.program();
  return scanner.literals;
}

class Scanner {
  readonly literals: Literal[] = [];
  readonly #text: string;
  readonly #language: Language;
  #nested = 0;
  /** Heredocs whose text begins in the next line. */
  #waiting: { readonly form: StringForm; readonly close: string }[] = [];

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
  }

  program(): void {
    const { begins, ends } = this.#language;
    if (begins === undefined) {
      this.#code(0, undefined);
      return;
    }
    const open = new RegExp(begins, 'g');
    for (let found = open.exec(this.#text); found !== null; found = open.exec(this.#text)) {
      open.lastIndex = this.#code(open.lastIndex, ends);
    }
  }

  /** Reads code up to `close`, which in a string's hole is its brace; gives the place behind it. */
  #code(from: number, close: string | undefined): number {
    const text = this.#text;
    let depth = 0;
    let last = '';
    for (let at = from; at < text.length; ) {
      const character = text.charAt(at);
      if (close !== undefined && depth === 0 && text.startsWith(close, at)) return at + close.length;
      const behind = this.#comment(at, close) ?? this.#string(at, last) ?? this.#pattern(at, last);
      if (behind !== undefined) {
        at = behind;
        last = '"';
        continue;
      }
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      at += 1;
      if (character === '\n' && this.#waiting.length > 0) at = this.#heredocs(at);
      if (!/\s/.test(character)) last = character;
    }
    return text.length;
  }

  #comment(at: number, close: string | undefined): number | undefined {
    const text = this.#text;
    const { lineComments, blockComment } = this.#language;
    if (blockComment !== undefined && text.startsWith(blockComment[0], at)) {
      const end = text.indexOf(blockComment[1], at + blockComment[0].length);
      return end < 0 ? text.length : end + blockComment[1].length;
    }
    const opened = lineComments.find((one) => text.startsWith(one, at));
    // An attribute of PHP.
    if (opened === undefined || text.startsWith('#[', at)) return undefined;
    const line = text.indexOf('\n', at);
    const end = line < 0 ? text.length : line;
    // PHP's code ends in a comment too.
    const tag = close === '?>' ? text.slice(at, end).indexOf(close) : -1;
    return tag < 0 ? end : at + tag;
  }

  #string(at: number, last: string): number | undefined {
    if (!MAY_OPEN.test(this.#text.charAt(at))) return undefined;
    const before = this.#text.charAt(at - 1);
    for (const form of this.#language.strings) {
      form.open.lastIndex = at;
      const opened = form.open.exec(this.#text);
      if (opened === null) continue;
      // At the end of a word it is no prefix, and after a value a percent sign divides.
      if (opened[0].length > 1 && /\w/.test(before) && /\w/.test(opened[0].charAt(0))) continue;
      if (opened[0].startsWith('%') && /[\w)\]"]/.test(last)) continue;
      const close = form.close(opened);
      const start = at + opened[0].length;
      if (form.heredoc === undefined) return this.#literal(at, start, form, close);
      this.#waiting.push({ form, close });
      return start;
    }
    return undefined;
  }

  #heredocs(from: number): number {
    const waiting = this.#waiting;
    this.#waiting = [];
    let at = from;
    for (const { form, close } of waiting) {
      const lines = new RegExp(`^[ \\t]*${close}\\b`, 'gm');
      lines.lastIndex = at;
      const end = lines.exec(this.#text);
      if (end === null) return this.#text.length;
      this.#literal(at, at, form, '', end.index);
      at = lines.lastIndex;
    }
    return at;
  }

  /** Reads a string's text up to `close`, or to a known place; gives the place behind it. */
  #literal(from: number, start: number, form: StringForm, close: string, limit?: number): number {
    const text = this.#text;
    const parts: string[] = [];
    let quotes = 0;
    for (let at = start; ; ) {
      const character = text.charAt(at);
      if (at >= text.length || (form.oneLine === true && /[\r\n]/.test(character))) return at;
      if (limit === undefined ? text.startsWith(close, at) && !isDoubled(text, at, form) : at >= limit) {
        const to = at + close.length;
        this.literals.push({ from, to, start, end: at, text: parts.join('') });
        return to;
      }
      const hole = form.holes?.find((one) => text.startsWith(one, at));
      const behind = hole === undefined ? undefined : this.#hole(at, hole);
      if (behind !== undefined) {
        parts.push(HOLE.repeat(behind - at));
        at = behind;
      } else if ((character === '\\' && form.escapes === 'backslash') || isDoubled(text, at, form)) {
        const next = text.charAt(at + 1);
        if (/["`]/.test(next)) quotes += 1;
        parts.push(unescaped(next, quotes));
        at += 2;
      } else {
        parts.push(character);
        at += 1;
      }
    }
  }

  /** The place behind code in a string; undefined where there is none. */
  #hole(at: number, opened: string): number | undefined {
    const text = this.#text;
    const next = text.charAt(at + opened.length);
    if (opened === '$') {
      const name = /\$[A-Za-z_]\w*(?:->\w+|\[[^\]\n]{0,100}\])?/y;
      name.lastIndex = at;
      return name.test(text) ? name.lastIndex : undefined;
    }
    // A doubled brace is a brace.
    if (opened === '{' && next === '{') return at + 2;
    if (this.#nested >= MOST_NESTED) return text.length;
    this.#nested += 1;
    const behind = this.#code(at + opened.length, '}');
    this.#nested -= 1;
    return behind;
  }

  #pattern(at: number, last: string): number | undefined {
    if (this.#language.hasPatterns !== true || this.#text.charAt(at) !== '/' || !/^[(,=:[!&|?{};]?$/.test(last))
      return undefined;
    const pattern = /\/(?:[^\\/[\r\n]|\\[^\r\n]|\[(?:[^\]\\\r\n]|\\[^\r\n])*\])+\//y;
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : undefined;
  }
}

function isDoubled(text: string, at: number, form: StringForm): boolean {
  return form.escapes === 'doubled' && text.startsWith('""', at);
}

/** Two characters for one: the blank stands outside of a quoted name. */
function unescaped(next: string, quotes: number): string {
  if (BLANK_ESCAPES.test(next)) return '  ';
  if (/["`]/.test(next)) return quotes % 2 === 1 ? ` ${next}` : `${next} `;
  return PLAIN_ESCAPES.test(next) ? ` ${next}` : HOLE.repeat(2);
}
