import type { Binding, Bindings, RefusedStatement } from './engine.ts';
import { firstWord } from './operators.ts';

/** Where a placeholder `:name` stands in a statement. */
export interface Place {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A value and the name that it was given by. */
export interface BoundValue extends Binding {
  readonly name: string;
}

interface Mark {
  /** Where the engine's own mark stands in the text that is sent, and the place that it took. */
  readonly start: number;
  readonly end: number;
  readonly place: Place;
}

/** A statement with the marks of its engine where its names stood, and the values that go beside it. */
export interface BoundStatement {
  /** As it was written. */
  readonly written: string;
  /** As it is judged and sent. */
  readonly text: string;
  /** The value of each mark, in the order of the text. A name that stands twice has two. */
  readonly values: readonly BoundValue[];
  /** Why it must not run as it is: a name without a value, a placeholder of another kind. */
  readonly problem: string | undefined;
  readonly marks: readonly Mark[];
}

/** A statement that goes as it is. */
export function unbound(sql: string, problem?: string): BoundStatement {
  return { written: sql, text: sql, values: [], problem, marks: [] };
}

/** What a statement is that must not run as it is bound; undefined for one that is judged by its text. */
export function refusedBinding({ written, problem }: BoundStatement): RefusedStatement | undefined {
  return problem === undefined ? undefined : { effect: 'refused', verb: firstWord(written), reason: problem };
}

/** Puts a mark in each place. Everything else stays as it was, letter for letter. */
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

/** The sentence about a placeholder that nothing was given for. */
export function withoutValue(placeholder: string): string {
  return `${placeholder} is a parameter, and no value was passed for it. Write the value into the statement.`;
}

/** Where a place in the text that was sent is in the statement as it was written. */
export function writtenIndex({ marks }: BoundStatement, index: number): number {
  let moved = 0;
  for (const { start, end, place } of marks) {
    if (index < start) break;
    if (index < end) return place.start;
    moved = place.end - end;
  }
  return index + moved;
}

/** A colon that touches these ends a label or stands in a range, and begins no name. */
const TOUCHING = /[\p{L}\p{N}_$\]):]/u;

/** Whether the colon here may begin a placeholder, by what stands in front of it. */
export function mayBegin(sql: string, colon: number): boolean {
  return !TOUCHING.test(sql.charAt(colon - 1));
}
