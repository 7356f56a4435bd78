import type { LanguageId } from './language-ids.ts';

/** A kind of string of a language. */
export interface StringForm {
  /** What it begins with; matched at a place. Its group `mark` is asked for again at the end. */
  readonly open: RegExp;
  /** What ends it, for the text that it began with. */
  readonly close: (opened: RegExpExecArray) => string;
  /** How a character is written that would mean something else. */
  readonly escapes: 'backslash' | 'doubled' | 'none';
  /** What begins a piece of code in it, whose end is a closing brace; or a variable's name. */
  readonly holes?: readonly string[];
  /** It ends with its line. */
  readonly oneLine?: true;
  /** Its text begins in the next line and ends before a line with its word alone. */
  readonly heredoc?: true;
}

export interface Language {
  readonly lineComments: readonly string[];
  readonly blockComment?: readonly [open: string, close: string];
  readonly strings: readonly StringForm[];
  /** What joins two strings to one. */
  readonly joins: RegExp;
  /** What would go on with a string that ends here. */
  readonly goesOn: RegExp;
  /** Whether slashes around something are a pattern. */
  readonly hasPatterns?: true;
  /** What begins its code; all of the text is code without it. */
  readonly begins?: RegExp;
  readonly ends?: string;
}

const same = (opened: RegExpExecArray): string => opened[0];
const mark = (opened: RegExpExecArray): string => opened.groups?.['mark'] ?? '';

const C_COMMENTS = { lineComments: ['//'], blockComment: ['/*', '*/'] } as const;
const DOUBLE: StringForm = { open: /"/y, close: same, escapes: 'backslash', oneLine: true };
const SINGLE: StringForm = { open: /'/y, close: same, escapes: 'backslash', oneLine: true };
const PLUS = { joins: /^\s*\+\s*$/, goesOn: /^\s*\+/ } as const;

const SCRIPT: Language = {
  ...C_COMMENTS,
  ...PLUS,
  strings: [{ open: /`/y, close: same, escapes: 'backslash', holes: ['${'] }, DOUBLE, SINGLE],
  hasPatterns: true,
};

const PYTHON: Language = {
  lineComments: ['#'],
  joins: /^\s*(?:[+\\]\s*)?$/,
  goesOn: /^\s*\+/,
  strings: [
    ...['"""', "'''", '"', "'"].flatMap((quotes): StringForm[] => {
      const line = quotes.length === 1 ? ({ oneLine: true } as const) : {};
      const form = { close: mark, escapes: 'backslash', ...line } as const;
      return [
        { ...form, open: new RegExp(`(?:[fF][rR]?|[rR][fF])(?<mark>${quotes})`, 'y'), holes: ['{'] },
        { ...form, open: new RegExp(`[rRuUbB]{0,2}(?<mark>${quotes})`, 'y') },
      ];
    }),
  ],
};

const PHP: Language = {
  ...C_COMMENTS,
  lineComments: ['//', '#'],
  joins: /^\s*\.\s*$/,
  goesOn: /^\s*\./,
  begins: /<\?(?:php|=)/g,
  ends: '?>',
  strings: [
    { open: /<<<[ \t]*'(?<mark>\w+)'/y, close: mark, escapes: 'none', heredoc: true },
    { open: /<<<[ \t]*"?(?<mark>\w+)"?/y, close: mark, escapes: 'backslash', holes: ['{$', '${', '$'], heredoc: true },
    { open: /"/y, close: same, escapes: 'backslash', holes: ['{$', '${', '$'] },
    { open: /'/y, close: same, escapes: 'backslash' },
  ],
};

const RUBY: Language = {
  lineComments: ['#'],
  joins: /^\s*[+\\]?\s*$/,
  goesOn: /^\s*(?:\+|<<)/,
  hasPatterns: true,
  strings: [
    { open: /<<[~-]'(?<mark>\w+)'/y, close: mark, escapes: 'none', heredoc: true },
    { open: /<<[~-]"?(?<mark>[A-Z]\w*)"?/y, close: mark, escapes: 'backslash', holes: ['#{'], heredoc: true },
    { open: /"/y, close: same, escapes: 'backslash', holes: ['#{'] },
    { open: /'/y, close: same, escapes: 'backslash' },
    { open: /%[Q]?\(/y, close: () => ')', escapes: 'backslash', holes: ['#{'] },
    { open: /%[Q]?\{/y, close: () => '}', escapes: 'backslash', holes: ['#{'] },
    { open: /%q\(/y, close: () => ')', escapes: 'backslash' },
    { open: /%q\{/y, close: () => '}', escapes: 'backslash' },
  ],
};

const GO: Language = {
  ...C_COMMENTS,
  ...PLUS,
  strings: [{ open: /`/y, close: same, escapes: 'none' }, DOUBLE, SINGLE],
};

const C_SHARP: Language = {
  ...C_COMMENTS,
  ...PLUS,
  strings: [
    { open: /\$+(?<mark>"{3,})/y, close: mark, escapes: 'none', holes: ['{'] },
    { open: /(?<mark>"{3,})/y, close: mark, escapes: 'none' },
    { open: /(?:\$@|@\$)"/y, close: () => '"', escapes: 'doubled', holes: ['{'] },
    { open: /@"/y, close: () => '"', escapes: 'doubled' },
    { open: /\$"/y, close: () => '"', escapes: 'backslash', holes: ['{'], oneLine: true },
    DOUBLE,
    SINGLE,
  ],
};

const JAVA: Language = {
  ...C_COMMENTS,
  ...PLUS,
  strings: [{ open: /"""/y, close: same, escapes: 'backslash' }, DOUBLE, SINGLE],
};

/** What strings are in each of them. */
export const LANGUAGES: Readonly<Record<LanguageId, Language>> = {
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  python: PYTHON,
  php: PHP,
  ruby: RUBY,
  go: GO,
  csharp: C_SHARP,
  java: JAVA,
};

export function languageOf(id: string): Language | undefined {
  const found = Object.entries(LANGUAGES).find(([one]) => one === id);
  return found?.[1];
}
