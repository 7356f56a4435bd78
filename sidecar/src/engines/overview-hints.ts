import { MOST_LOOKUP_ROWS } from './limits.ts';
import { nameWords, singulars } from './name-words.ts';
import type { OverviewTable } from './overview-facts.ts';

/** More columns than this describe things, not codes. */
const MOST_LOOKUP_COLUMNS = 10;
/** A table that nothing points to has to look like one of codes and labels. */
const MOST_UNREFERENCED_COLUMNS = 6;

const CODES = new Set(['code', 'key', 'slug', 'abbr', 'abbreviation', 'symbol', 'iso', 'value']);
const LABELS = new Set(['label', 'name', 'title', 'description', 'caption', 'text', 'meaning', 'display']);
const LOOKUP_NAMES = new Set(
  'category code country currency enum gender kind label language level locale lookup option priority reason role severity stage state status type unit'.split(
    ' ',
  ),
);
/** Who has these is a person or an account: small in a development database, and not a list of codes. */
const PERSONAL = new Set('password passwd secret token hash salt email mail phone birthday birth ssn iban'.split(' '));

/** Whether a table is a small list that gives codes their meaning. Its rows may not be known before they are read. */
export function isLookup(table: OverviewTable, isReferenced: boolean): boolean {
  if (table.kind !== 'table' || table.columns.length < 2 || table.columns.length > MOST_LOOKUP_COLUMNS) return false;
  const { rows, atMost = false } = table;
  // Statistics may be older than the first rows; a bound is not.
  if (rows !== null && (rows > MOST_LOOKUP_ROWS || (rows === 0 && atMost))) return false;
  const words = table.columns.map(({ name }) => nameWords(name));
  if (words.some((ofOne) => ofOne.some((word) => PERSONAL.has(word)))) return false;
  const has = (wanted: ReadonlySet<string>) => words.some((ofOne) => wanted.has(ofOne.at(-1) ?? ''));
  const isNamedSo = saysLookup(table.name);
  if (has(LABELS) && (isNamedSo || has(CODES)) && words.length <= MOST_UNREFERENCED_COLUMNS) return true;
  return isReferenced && rows !== null && (has(LABELS) || has(CODES) || isNamedSo);
}

function saysLookup(name: string): boolean {
  const last = nameWords(name).at(-1) ?? '';
  return singulars(last).some((word) => LOOKUP_NAMES.has(word));
}

const IN_USE = new Set(
  'active archived deactivated deleted disabled discarded enabled removed trashed voided'.split(' '),
);
/** What may stand around such a word: `deleted_at`, `is_active`. */
const AROUND = new Set(['at', 'on', 'date', 'time', 'utc', 'timestamp', 'is', 'was', 'flag']);
/** The same in one word. */
const RUN_TOGETHER = /^(?:(?:deleted|archived|removed|disabled)(?:at|on)|is(?:active|deleted|enabled|archived))$/;

/** The columns that say that a row no longer counts: `deleted_at`, `is_active`. */
export function softDeleteColumns({ kind, columns }: OverviewTable): string[] {
  if (kind.includes('view')) return [];
  return columns.flatMap(({ name }) => (saysInUse(nameWords(name)) ? name : []));
}

function saysInUse(words: readonly string[]): boolean {
  const [only, ...others] = words.filter((word) => !AROUND.has(word));
  return only !== undefined && others.length === 0 && (IN_USE.has(only) || RUN_TOGETHER.test(only));
}

const KINDS = new Set(['status', 'state', 'kind', 'type', 'stage', 'phase']);

/** The columns that hold one of a few codes, where no declared key says of which table. */
export function kindColumns({ kind, columns, keys }: OverviewTable): string[] {
  if (kind.includes('view')) return [];
  const declared = new Set(keys.flatMap((key) => key.columns));
  return columns.flatMap(({ name, isKey }) =>
    !isKey && !declared.has(name) && holdsKinds(nameWords(name)) ? name : [],
  );
}

function holdsKinds(words: readonly string[]): boolean {
  const meaning = words.at(-1) === 'code' ? words.slice(0, -1) : words;
  return KINDS.has(meaning.at(-1) ?? '');
}
