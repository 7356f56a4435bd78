import type { Definition, Environment } from './environment.ts';

const MAX_NAMED = 5;
const SERVER = /^[a-z][a-z0-9+_-]*:\/\//i;
const FILE = /^(?:sqlite|file)/i;
/** Behind a user. */
const PASSWORD = /:\/\/[^/@]+:$/;
/** Behind a part of the database's name, and among the options. */
const COMPLETE = /:\/\/[^/]*\/[^/]|\?/;

/**
 * The variables that a server's URL is put together from and that are set, but still empty. A password may be empty, and
 * so may what follows the database's name.
 */
export function emptyReferences(all: Environment, { entry }: Definition, environment: string): readonly string[] {
  const empty: string[] = [];
  let before = '';
  for (const segment of entry.segments) {
    const value = segment.kind === 'text' ? undefined : all.resolve(segment.name, environment);
    const text = segment.kind === 'text' ? segment.text : value?.state === 'set' ? value.text : '';
    const isEmpty = value?.state === 'set' && text === '';
    if (segment.kind === 'reference' && isEmpty && segment.fallback === undefined) {
      if (!PASSWORD.test(before) && !COMPLETE.test(before)) empty.push(segment.name);
    }
    before += text;
  }
  return SERVER.test(before) && !FILE.test(before) ? [...new Set(empty)].slice(0, MAX_NAMED) : [];
}
