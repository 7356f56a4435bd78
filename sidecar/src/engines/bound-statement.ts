import type { Binding, Bindings, RefusedStatement } from './engine.ts';
import { firstWord } from './operators.ts';

/** The position of a placeholder `:name` in a statement. */
export interface Place {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A value and the name it was given under. */
export interface BoundValue extends Binding {
  readonly name: string;
}

interface Mark {
  /** The position of the engine's marker in the text that is sent, and of the placeholder it replaced. */
  readonly start: number;
  readonly end: number;
  readonly place: Place;
}

/** A statement with the engine's markers in place of its names, and the values sent separately. */
export interface BoundStatement {
  /** As it was written. */
  readonly written: string;
  /** As it is judged and sent. */
  readonly text: string;
  /** The value of each marker, in text order. A name used twice has two. */
  readonly values: readonly BoundValue[];
  /** Why it must not run: a name without a value, or another kind of placeholder. */
  readonly problem: string | undefined;
  readonly marks: readonly Mark[];
}

/** A statement without placeholders. */
export function unbound(sql: string, problem?: string): BoundStatement {
  return { written: sql, text: sql, values: [], problem, marks: [] };
}

/** What a statement is that must not run as it is bound; undefined for one that is judged by its text. */
export function refusedBinding({ written, problem }: BoundStatement): RefusedStatement | undefined {
  return problem === undefined ? undefined : { effect: 'refused', verb: firstWord(written), reason: problem };
}

/** Replaces each placeholder with a marker. All other text stays exactly as it was. */
export function bindPlaces(
  sql: string,
  places: readonly Place[],
  params: Bindings,
  markOf: (place: Place, index: number) => string,
): BoundStatement {
  const values: BoundValue[] = [];
  const marks: Mark[] = [];
  let text = '';
  let at = 0;
  for (const [index, place] of places.entries()) {
    const binding = Object.hasOwn(params, place.name) ? params[place.name] : undefined;
    if (binding === undefined) return unbound(sql, withoutValue(`:${place.name}`));
    text += sql.slice(at, place.start);
    const start = text.length;
    text += markOf(place, index);
    marks.push({ start, end: text.length, place });
    values.push({ name: place.name, ...binding });
    at = place.end;
  }
  return { written: sql, text: text + sql.slice(at), values, problem: undefined, marks };
}

/** The message about a placeholder without a value. */
export function withoutValue(placeholder: string): string {
  return `${placeholder} is a parameter, and no value was passed for it. Write the value into the statement.`;
}

/** Maps a position in the text that was sent to the statement as written. */
export function writtenIndex({ marks }: BoundStatement, index: number): number {
  let moved = 0;
  for (const { start, end, place } of marks) {
    if (index < start) break;
    if (index < end) return place.start;
    moved = place.end - end;
  }
  return index + moved;
}

/** A colon right after one of these ends a label or is part of a range; it starts no name. */
const TOUCHING = /[\p{L}\p{N}_$\]):]/u;

/** Whether a colon may start a placeholder, judging by the character before it. */
export function mayBegin(sql: string, colon: number): boolean {
  return !TOUCHING.test(sql.charAt(colon - 1));
}
