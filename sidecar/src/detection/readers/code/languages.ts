/** The languages whose settings are read. */
export type Language = 'javascript' | 'python' | 'php' | 'ruby' | 'elixir';

/** Where an escape or interpolation in a string ends. */
interface Escape {
  readonly text: string;
  readonly end: number;
}
interface Hole {
  readonly source: string;
  readonly end: number;
}

/** How to read one form of string. */
export interface TextForm {
  /** Whether it may span several lines. */
  readonly lines: boolean;
  readonly escape: (source: string, at: number) => Escape | undefined;
  readonly hole: ((source: string, at: number) => Hole | undefined) | undefined;
  /** Bytes and the like: not a text. */
  readonly unreadable?: boolean | undefined;
}

/** What the tokenizer needs to know about a language. */
export interface LanguageRules {
  readonly lineComment: RegExp;
  readonly blockComments: boolean;
  readonly regexes: boolean;
  /** A string's prefix and quotes. */
  readonly string: RegExp;
  /** Syntax that cannot be followed, such as a here-document. */
  readonly unreadable: RegExp;
  /** The start of a text up to a line with the word that it captures. Its content is never a setting. */
  readonly heredoc?: RegExp | undefined;
  /** Where code begins in a file with other content. */
  readonly begin: RegExp | undefined;
  readonly form: (prefix: string, quotes: string) => TextForm;
}

const COMMON: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['$', '$'],
  ['0', '\0'],
  ['\n', ''],
]);
const NEVER = /(?!)/y;

export const LANGUAGES: Readonly<Record<Language, LanguageRules>> = {
  javascript: {
    lineComment: /\/\/[^\n]*/y,
    blockComments: true,
    regexes: true,
    string: /["'`]/y,
    unreadable: NEVER,
    begin: undefined,
    form: (_prefix, quotes) =>
      quotes === '`'
        ? { lines: true, escape: escapeAt, hole: (source, at) => hole(source, at, '${') }
        : { lines: false, escape: escapeAt, hole: undefined },
  },
  python: {
    lineComment: /#[^\n]*/y,
    blockComments: false,
    regexes: false,
    string: /(?:[rRbBuUfF]{0,2})(?:"""|'''|"|')/y,
    unreadable: NEVER,
    begin: undefined,
    form: (prefix, quotes) => ({
      lines: quotes.length === 3,
      escape: prefix.includes('r') ? rawEscape : pythonEscape,
      hole: prefix.includes('f') ? formatHole : undefined,
      unreadable: prefix.includes('b'),
    }),
  },
  php: {
    lineComment: /(?:\/\/|#(?!\[))(?:(?!\?>)[^\n])*/y,
    blockComments: true,
    regexes: false,
    string: /["'`]/y,
    unreadable: /<<</y,
    heredoc: /<<<[ \t]*["']?([A-Za-z_]\w*)["']?\r?\n/y,
    begin: /<\?(?:php\b|=)/g,
    form: (_prefix, quotes) =>
      quotes === "'"
        ? { lines: true, escape: singleQuoted, hole: undefined }
        : { lines: true, escape: phpEscape, hole: phpHole, unreadable: quotes === '`' },
  },
  ruby: {
    lineComment: /#[^\n]*/y,
    blockComments: false,
    regexes: false,
    string: /["'`]/y,
    unreadable: /<<[~-]?["']?[A-Z]|%[qQwWiI]?[[({|]/y,
    begin: undefined,
    form: (_prefix, quotes) => ({
      lines: true,
      escape: quotes === "'" ? singleQuoted : escapeAt,
      hole: quotes === "'" ? undefined : (source, at) => hole(source, at, '#{'),
      unreadable: quotes === '`',
    }),
  },
  elixir: {
    // A sigil in brackets, such as a list of words or an expression to match, is never a setting that is read.
    lineComment:
      /#[^\n]*|~[a-zA-Z](?:\([^)\n]{0,2000}\)|\{[^}\n]{0,2000}\}|\[[^\]\n]{0,2000}\]|\/[^/\n]{0,2000}\/|\|[^|\n]{0,2000}\|)[a-z]*/y,
    blockComments: false,
    regexes: false,
    string: /(?:~[a-zA-Z])?(?:"""|'''|"|')/y,
    unreadable: NEVER,
    begin: undefined,
    form: (prefix, quotes) => ({
      lines: true,
      escape: escapeAt,
      hole: quotes.startsWith('"') ? (source, at) => hole(source, at, '#{') : undefined,
      unreadable: prefix !== '',
    }),
  },
};

function escapeAt(source: string, at: number): Escape {
  const char = source[at + 1] ?? '';
  const code = /^(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2}))/.exec(source.slice(at + 1, at + 11));
  if (code === null) return { text: COMMON.get(char) ?? char, end: at + 2 };
  const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16);
  return { text: point > 0x10ffff ? '' : String.fromCodePoint(point), end: at + 1 + code[0].length };
}

/** Python keeps the backslash when it is not an escape. */
function pythonEscape(source: string, at: number): Escape {
  const char = source[at + 1] ?? '';
  if (/[ntrbfv\\'"0\nxu]/.test(char)) return escapeAt(source, at);
  return { text: `\\${char}`, end: at + 2 };
}

function rawEscape(source: string, at: number): Escape {
  return { text: source.slice(at, at + 2), end: at + 2 };
}

function singleQuoted(source: string, at: number): Escape {
  const char = source[at + 1] ?? '';
  return { text: char === "'" || char === '\\' ? char : `\\${char}`, end: at + 2 };
}

function phpEscape(source: string, at: number): Escape {
  const char = source[at + 1] ?? '';
  if (char === "'" || char === '`' || char === 'b') return { text: `\\${char}`, end: at + 2 };
  return COMMON.has(char) || char === 'u' || char === 'x' ? escapeAt(source, at) : { text: `\\${char}`, end: at + 2 };
}

/** An expression in braces, with nested braces counted. */
function hole(source: string, at: number, opening: string): Hole | undefined {
  if (!source.startsWith(opening, at)) return undefined;
  const start = at + opening.length;
  let depth = 1;
  for (let end = start; end < source.length; end += 1) {
    if (source[end] === '{') depth += 1;
    if (source[end] === '}') depth -= 1;
    if (depth === 0) return { source: source.slice(start, end), end: end + 1 };
  }
  return { source: '', end: source.length };
}

function formatHole(source: string, at: number): Hole | undefined {
  if (source.startsWith('{{', at)) return { source: '"{"', end: at + 2 };
  if (source.startsWith('}}', at)) return { source: '"}"', end: at + 2 };
  return hole(source, at, '{');
}

function phpHole(source: string, at: number): Hole | undefined {
  if (source.startsWith('{$', at)) return hole(source, at, '{');
  const simple = /\$[A-Za-z_]\w*/y;
  simple.lastIndex = at;
  const name = simple.exec(source)?.[0];
  // An index or property after such a name is not evaluated.
  return name === undefined
    ? undefined
    : { source: /[[-]/.test(source[at + name.length] ?? '') ? '' : name, end: at + name.length };
}
