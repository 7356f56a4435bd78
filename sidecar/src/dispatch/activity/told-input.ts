import { withoutCredentials } from '@devdb/shared/credentials';
import { type PlainText, plain, sentenceText } from '@devdb/shared/plain-text';
import { MAX_SHOWN_TEXT_CHARS, MAX_SUBJECT_CHARS } from '../limits.ts';

/** What a call asked for, as the activity keeps it. */
export interface ToldInput {
  /** The SQL, whole. */
  readonly statement?: string;
  /** Any other input, as JSON with its longest texts cut. */
  readonly input?: string;
  /** The fields of such an input in one line. */
  readonly line?: string;
}

/** Fields that say how a call runs, not what it does. */
const MANNER = new Set(['connection', 'timeoutMs', 'limit', 'projectRoot', 'wait']);
const SQL_FIELDS = new Set(['query', 'queries']);

/** Keeps what describes the call, and of a file's content the beginning. */
export function toldInput(input: unknown): ToldInput {
  if (input === undefined) return {};
  if (typeof input !== 'object' || input === null) return { input: jsonOf(shortened(input)) };
  const fields = Object.entries(input);
  const statement = fields.flatMap(([name, value]) => (SQL_FIELDS.has(name) ? statementsOf(value) : [])).join(';\n');
  if (statement !== '') return { statement };
  if (fields.every(([name]) => MANNER.has(name))) return {};
  const safe: object = Object(withoutCredentials(shortened(input)));
  const line = Object.entries(safe).flatMap(([name, value]) => (MANNER.has(name) ? [] : [shortly(value)]));
  return { input: jsonOf(safe), line: line.join(' · ') };
}

/** The one line of the list. */
export function subjectOf({ statement, line = '' }: ToldInput): PlainText {
  const text = (statement ?? line).trimStart();
  if (text === '') return plain``;
  // More than the line is examined, so that a credential is not cut before it can be recognized.
  const safe = hidden(text.slice(0, 4 * MAX_SUBJECT_CHARS)).replace(/\s+/g, ' ');
  return sentenceText(safe.length > MAX_SUBJECT_CHARS ? `${safe.slice(0, MAX_SUBJECT_CHARS)}…` : safe);
}

/** A text without the credentials that stand in it. */
export function hidden(text: string): string {
  const shown = withoutCredentials(text);
  return typeof shown === 'string' ? shown : '';
}

function statementsOf(value: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === 'string');
}

/** Long texts are cut before credentials are looked for, since a file may have 10 MiB, and once more behind that. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value);
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

function shortText(text: string): string {
  if (text.length <= MAX_SHOWN_TEXT_CHARS) return hidden(text);
  const searched = hidden(text.slice(0, 4 * MAX_SHOWN_TEXT_CHARS));
  return `${searched.slice(0, MAX_SHOWN_TEXT_CHARS)}… (${text.length} characters)`;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, (_name, inner: unknown) => cutText(inner, 80));
  return String(cutText(text, MAX_SUBJECT_CHARS));
}

function cutText(value: unknown, most: number): unknown {
  return typeof value === 'string' && value.length > most ? `${value.slice(0, most)}…` : value;
}
