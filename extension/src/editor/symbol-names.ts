/** A character that names are made of in most languages. */
const WORD = String.raw`[\p{L}\p{N}\p{M}_$]`;
const NEAR = 5;

/** The name of a symbol without what outlines add: `(get) size`, `run(int)`, `.button`, `#id`. */
export function plainName(name: string): string {
  const bare = name.replace(/^\((get|set)\) /, '').replace(/\(.*$/s, '');
  return bare.replace(/^[.#@$:-]+(?=[\p{L}_])/u, '');
}

/** Whether the symbol with these names, outermost first, is the one that is meant: `area` or `Circle.area`. */
export function isNamed(names: readonly string[], wanted: string): boolean {
  const plain = names.map(plainName);
  const own = names.at(-1);
  if (own === wanted || plain.at(-1) === wanted) return true;
  const path = wanted.split(/::|[.#]/).filter((part) => part !== '');
  return path.length > 1 && path.every((part, index) => plain.at(index - path.length) === part);
}

/** The last part of `Circle.area`; a name such as `.button` or `--gap` is one part. */
export function lastPart(name: string): string {
  return /(?:::|[.#])([^.#:]+)$/.exec(name)?.[1] ?? name;
}

/** Where a name stands in a line as a whole word. */
export function wordsIn(text: string, name: string): readonly number[] {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const first = isWordCharacter(name.at(0)) ? `(?<!${WORD})` : '';
  const last = isWordCharacter(name.at(-1)) ? `(?!${WORD})` : '';
  return [...text.matchAll(new RegExp(`${first}${escaped}${last}`, 'gu'))].map(({ index }) => index);
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && new RegExp(WORD, 'u').test(character);
}

/** The names that are most like the one that was not found. */
export function nearNames(wanted: string, names: Iterable<string>): readonly string[] {
  const most = Math.max(2, Math.ceil(wanted.length / 3));
  const scored = [...new Set(names)].map((name) => ({ name, distance: distance(wanted, name) }));
  return scored
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, NEAR)
    .map(({ name }) => name);
}

/** How many letters have to be added, left out or replaced; without regard to case. */
function distance(one: string, other: string): number {
  const [a, b] = [one.toLowerCase().slice(0, 80), other.toLowerCase().slice(0, 80)];
  if (a !== '' && (b.includes(a) || (b.length > 2 && a.includes(b)))) return Math.min(1, Math.abs(a.length - b.length));
  let row = Array.from({ length: b.length + 1 }, (_none, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const SCRIPT_NAME = /^#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const OTHER_NAME = /^[^\s\p{N}'"`;,(){}[\]<>=+*/\\|&^%!?:][^\s'"`;,(){}[\]<>=+*/\\|&^%!?:]*$/u;
const RESERVED = new Set(
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield'.split(
    ' ',
  ),
);

/** Whether a name can be given to a symbol; no language server checks that. */
export function isPossibleName(name: string, isScript: boolean): boolean {
  return isScript ? SCRIPT_NAME.test(name) && !RESERVED.has(name) : OTHER_NAME.test(name);
}
