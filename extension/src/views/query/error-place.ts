import type { AppError } from '@devdb/shared/errors';
import type { Span } from './statement-choice.ts';

/** Where an error of a statement belongs in the file: at its position, at what it is near to, or at the statement. */
export function errorPlace(text: string, { start, end }: Span, { details = {} }: Pick<AppError, 'details'>): Span {
  const statement = text.slice(start, end);
  const position = details.position === undefined ? undefined : unitsOf(statement, details.position - 1);
  if (position !== undefined && position < statement.length) return wordAt(statement, position, start);
  const line = statement.split('\n', 1)[0] ?? '';
  return { start, end: start + line.trimEnd().length };
}

/** Databases count characters, editors count UTF-16 units. */
function unitsOf(statement: string, characters: number): number {
  return [...statement].slice(0, characters).join('').length;
}

function wordAt(statement: string, position: number, start: number): Span {
  const word = /^[\p{L}\p{N}_$]+/u.exec(statement.slice(position))?.[0] ?? statement.charAt(position);
  return { start: start + position, end: start + position + word.length };
}
