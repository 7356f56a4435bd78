import { AppError } from '@devdb/shared/errors';
import type { SqlReader } from '../engines/sql-reader.ts';
import type { Span } from '../engines/statement-spans.ts';
import { type Formattable, formattable } from './formattable.ts';
import type { Laid } from './lay-out.ts';
import { type Read, reflow } from './reflow.ts';
import { isSameText } from './same-text.ts';

/** What stands at a place of the text from now on. */
export interface Edit extends Span {
  readonly text: string;
}

/** Lays statements out in lines; nothing about the answer is relied on. */
export type LayOut = (statements: readonly string[]) => Promise<readonly Laid[]>;

/**
 * The edits that format the statements of a text that touch a part of it. They change blanks alone, and only those
 * without a meaning: every token, every comment and what separates the statements stays. Refused for a text that cannot
 * be read.
 */
export async function formatText(reader: SqlReader, text: string, part: Span, layOut: LayOut): Promise<Edit[]> {
  const read = await readText(reader, text);
  const chosen = formattable(read, await reader.split(text), reader.clientWord).filter(
    ({ start, end }) => start <= part.end && end >= part.start,
  );
  if (chosen.length === 0) return [];
  const laid = await layOut(chosen.map(({ start, end }) => text.slice(start, end)));
  const edits: Edit[] = [];
  for (const [at, statement] of chosen.entries()) {
    edits.push(await editOf(reader, text, statement, laid[at] ?? { ok: false, problem: undefined }));
  }
  const changed = edits.filter(({ start, end, text: other }) => text.slice(start, end) !== other);
  if (!(await isSameText(reader, text, edited(text, changed)))) throw wouldChange(text, chosen[0]?.start ?? 0);
  return changed;
}

async function readText(reader: SqlReader, text: string): Promise<Read> {
  const [first] = await reader.readings(text);
  if (first?.ok === true) return { text, tokens: first.tokens };
  const at = first?.at === undefined ? '' : ` in line ${lineOf(text, first.at)}`;
  throw new AppError('E_SQL', `Nothing was formatted: there is ${first?.problem ?? 'a piece that is not SQL'}${at}.`, {
    hint: 'Correct it, or choose another database for the file if the file is written for another one.',
  });
}

async function editOf(reader: SqlReader, text: string, statement: Formattable, laid: Laid): Promise<Edit> {
  if (!laid.ok) {
    const near = laid.problem === undefined ? '' : `, near ${JSON.stringify(laid.problem)}`;
    throw new AppError(
      'E_SQL',
      `Nothing was formatted: the statement in line ${lineOf(text, statement.start)} cannot be read${near}.`,
      { hint: 'Correct it, or select other statements and format the selection.' },
    );
  }
  const [proposed] = await reader.readings(laid.text);
  if (proposed?.ok !== true) throw wouldChange(text, statement.start);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const flowing = reflow(
    { text, tokens: statement.tokens },
    { text: laid.text, tokens: proposed.tokens },
    reader.clientWord,
    lineEnd,
  );
  if (flowing === undefined) throw wouldChange(text, statement.start);
  return onItsOwnLine(text, { start: statement.start, end: statement.end, text: flowing }, lineEnd);
}

/** A statement begins its line, unless a comment stands before it. */
function onItsOwnLine(text: string, edit: Edit, lineEnd: string): Edit {
  let { start } = edit;
  while (/[ \t]/.test(text.charAt(start - 1))) start -= 1;
  const last = text.charAt(start - 1);
  if (start === 0 || last === '\n' || last === '\r') return { ...edit, start };
  return last === ';' ? { start, end: edit.end, text: lineEnd + edit.text } : edit;
}

function edited(text: string, edits: readonly Edit[]): string {
  let end = 0;
  const parts = edits.map((edit) => {
    const part = text.slice(end, edit.start) + edit.text;
    end = edit.end;
    return part;
  });
  return parts.join('') + text.slice(end);
}

function wouldChange(text: string, at: number): AppError {
  return new AppError(
    'E_NOT_SUPPORTED',
    `Nothing was formatted: the statement in line ${lineOf(text, at)} could mean something else in another form.`,
    { hint: 'Select other statements and format the selection.' },
  );
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
