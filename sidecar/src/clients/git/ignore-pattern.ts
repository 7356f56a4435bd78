/** One line of an ignore file. Texts have one character per byte, since Git compares bytes. */
export interface IgnorePattern {
  readonly negated: boolean;
  readonly foldersOnly: boolean;
  /** Compared with the last name of a path only. */
  readonly lastNameOnly: boolean;
  readonly steps: readonly Step[];
}

type ByteTest = (byte: number) => boolean;

type Step =
  /** This byte. */
  | number
  | { readonly kind: 'one'; readonly test: ByteTest }
  /** Any number of bytes; with `**` slashes too. */
  | { readonly kind: 'many'; readonly slashes: boolean }
  /** Nothing, or any number of whole folders: `**` with its slash. */
  | { readonly kind: 'folders' };

/** The budget for one question, since patterns can be made to be slow. */
export interface Effort {
  left: number;
}

/** The budget ran out. */
export class TooSlow extends Error {}

const SLASH = 0x2f;
const NOTHING: Step = { kind: 'one', test: () => false };
const SPECIAL = /[*?[\\]/;

/** The patterns of an ignore file, in order. */
export function parsePatterns(text: string, fold: boolean): IgnorePattern[] {
  return text
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => parsePattern(withoutEnd(line.replace(/\r$/, '')), fold));
}

/** Without trailing spaces that no backslash protects, and without anything after a NUL. */
function withoutEnd(raw: string): string {
  const [line = ''] = raw.split('\0', 1);
  let end = line.length;
  while (line[end - 1] === ' ') end -= 1;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes += 1;
  return line.slice(0, end < line.length && backslashes % 2 === 1 ? end + 1 : end);
}

function parsePattern(line: string, fold: boolean): IgnorePattern {
  const negated = line.startsWith('!');
  const whole = line.slice(negated ? 1 : 0);
  const foldersOnly = whole.endsWith('/');
  const text = foldersOnly ? whole.slice(0, -1) : whole;
  const lastNameOnly = !text.includes('/');
  const glob = lowered(!lastNameOnly && text.startsWith('/') ? text.slice(1) : text, fold);
  // The part before the first special character is compared literally; a star counts as if it began the rest.
  const special = glob.search(SPECIAL);
  const plain = special < 0 || lastNameOnly ? 0 : special;
  const steps = special < 0 ? literals(glob) : [...literals(glob.slice(0, plain)), ...stepsOf(glob.slice(plain), fold)];
  return { negated, foldersOnly, lastNameOnly, steps };
}

/** Whether a path, or a last name, matches the steps. */
export function matches({ steps }: IgnorePattern, text: string, effort: Effort): boolean {
  let now = new Set<number>();
  enter(now, steps, 0);
  for (let at = 0; at < text.length && now.size > 0; at += 1) {
    effort.left -= now.size;
    if (effort.left < 0) throw new TooSlow();
    const next = new Set<number>();
    for (const index of now) take(next, steps, index, text.charCodeAt(at));
    now = next;
  }
  return now.has(steps.length);
}

function take(next: Set<number>, steps: readonly Step[], index: number, byte: number): void {
  const step = steps[index];
  if (step === undefined) return;
  if (typeof step === 'number') {
    if (step === byte) enter(next, steps, index + 1);
  } else if (step.kind === 'one') {
    if (step.test(byte)) enter(next, steps, index + 1);
  } else if (step.kind === 'many') {
    if (step.slashes || byte !== SLASH) enter(next, steps, index);
  } else {
    next.add(index);
    if (byte === SLASH) enter(next, steps, index + 1);
  }
}

/** A step that may match nothing may be skipped at once. */
function enter(states: Set<number>, steps: readonly Step[], index: number): void {
  for (let at = index; !states.has(at); at += 1) {
    states.add(at);
    const step = steps[at];
    if (typeof step !== 'object' || step.kind === 'one') return;
  }
}

function literals(text: string): Step[] {
  return [...Buffer.from(text, 'latin1')];
}

function stepsOf(glob: string, fold: boolean): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at < glob.length; ) {
    const { step, next } = stepAt(glob, at, fold);
    steps.push(step);
    at = next;
  }
  return steps;
}

function stepAt(glob: string, at: number, fold: boolean): { readonly step: Step; readonly next: number } {
  const char = glob[at] ?? '';
  if (char === '*') return starAt(glob, at);
  if (char === '?') return { step: { kind: 'one', test: (byte) => byte !== SLASH }, next: at + 1 };
  if (char === '[') return setAt(glob, at, fold);
  if (char !== '\\') return { step: char.charCodeAt(0), next: at + 1 };
  const escaped = glob[at + 1];
  return { step: escaped === undefined ? NOTHING : escaped.charCodeAt(0), next: at + 2 };
}

function starAt(glob: string, at: number): { readonly step: Step; readonly next: number } {
  let next = at;
  while (glob[next] === '*') next += 1;
  const isWholeName =
    next - at > 1 &&
    (at === 0 || glob[at - 1] === '/') &&
    (next === glob.length || glob[next] === '/' || glob.startsWith('\\/', next));
  if (isWholeName && glob[next] === '/') return { step: { kind: 'folders' }, next: next + 1 };
  return { step: { kind: 'many', slashes: isWholeName }, next };
}

const between = (low: string, high: string) => (byte: number) =>
  byte >= low.charCodeAt(0) && byte <= high.charCodeAt(0);
const isDigit = between('0', '9');
const isLower = between('a', 'z');
const isUpper = between('A', 'Z');
const isLetter = (byte: number) => isLower(byte) || isUpper(byte);
const isGraphic = between('!', '~');
const isControl = (byte: number) => byte < 0x20 || byte === 0x7f;

const CLASSES = new Map<string, ByteTest>([
  ['alnum', (byte) => isLetter(byte) || isDigit(byte)],
  ['alpha', isLetter],
  ['blank', (byte) => byte === 0x20 || byte === 0x09],
  ['cntrl', isControl],
  ['digit', isDigit],
  ['graph', isGraphic],
  ['lower', isLower],
  ['print', (byte) => isGraphic(byte) || byte === 0x20],
  ['punct', (byte) => isGraphic(byte) && !isLetter(byte) && !isDigit(byte)],
  ['space', (byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)],
  ['upper', isUpper],
  ['xdigit', (byte) => isDigit(byte) || between('a', 'f')(byte) || between('A', 'F')(byte)],
]);

/** `[...]`: one byte of a set. An unclosed set, or one with an unknown class, matches nothing. */
function setAt(glob: string, start: number, fold: boolean): { readonly step: Step; readonly next: number } {
  const broken = { step: NOTHING, next: glob.length };
  const negated = glob[start + 1] === '!' || glob[start + 1] === '^';
  const first = start + (negated ? 2 : 1);
  const tests: ByteTest[] = [];
  let at = first;
  for (let last = ''; at === first || glob[at] !== ']'; ) {
    const member = memberAt(glob, at, last, fold);
    if (member === undefined) return broken;
    tests.push(member.test);
    last = member.last;
    at = member.next;
  }
  const test: ByteTest = (byte) => byte !== SLASH && tests.some((one) => one(byte)) !== negated;
  return { step: { kind: 'one', test }, next: at + 1 };
}

interface Member {
  readonly test: ByteTest;
  readonly next: number;
  /** The start of a range that may follow; empty where none can. */
  readonly last: string;
}

function memberAt(glob: string, at: number, last: string, fold: boolean): Member | undefined {
  const char = glob[at];
  if (char === undefined) return undefined;
  if (char === '-' && last !== '' && glob[at + 1] !== undefined && glob[at + 1] !== ']') {
    const isEscaped = glob[at + 1] === '\\';
    const high = glob[at + (isEscaped ? 2 : 1)];
    return high === undefined ? undefined : { test: between(last, high), next: at + (isEscaped ? 3 : 2), last: '' };
  }
  if (char === '[' && glob[at + 1] === ':') return classAt(glob, at, fold);
  const one = char === '\\' ? glob[at + 1] : char;
  if (one === undefined) return undefined;
  return { test: between(one, one), next: at + (char === '\\' ? 2 : 1), last: one };
}

function classAt(glob: string, at: number, fold: boolean): Member | undefined {
  const end = glob.indexOf(']', at + 2);
  if (end < 0) return undefined;
  // Without its colon it is an ordinary bracket.
  if (glob[end - 1] !== ':' || end - 1 < at + 2) return { test: between('[', '['), next: at + 1, last: '[' };
  const name = glob.slice(at + 2, end - 1);
  const test = CLASSES.get(fold && name === 'upper' ? 'lower' : name);
  return test && { test, next: end + 1, last: '' };
}

/** ASCII only: Git folds no other letters. */
export function lowered(text: string, fold: boolean): string {
  return fold ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}
