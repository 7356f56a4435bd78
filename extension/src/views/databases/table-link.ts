import { AppError } from '@devdb/shared/errors';
import type { TableLink } from '@devdb/shared/table-link';

const MOST_CHARS = { root: 4_096, connection: 200, table: 1_000 } as const;
type Part = keyof typeof MOST_CHARS;

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

/** Where the editor takes a link apart: `path` and `query` are decoded once. */
export interface LinkParts {
  readonly path: string;
  readonly query: string;
}

/** Reads what any page of the web may have written: exactly these parts, each once, as visible text. */
export function readLink({ path, query }: LinkParts): TableLink {
  if (path !== '/open') throw unreadable();
  const found = new Map<Part, string>();
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0));
    if (!isPart(name) || found.has(name)) throw unreadable();
    found.set(name, textOf(pair.slice(at + 1), MOST_CHARS[name]));
  }
  const [root, connection, table] = [found.get('root'), found.get('connection'), found.get('table')];
  if (root === undefined || table === undefined) throw unreadable();
  return { root, connection, table };
}

function isPart(name: string): name is Part {
  return Object.hasOwn(MOST_CHARS, name);
}

function textOf(encoded: string, most: number): string {
  const text = decoded(encoded);
  if (text === '' || text.length > most || INVISIBLE.test(text)) throw unreadable();
  return text;
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw unreadable();
  }
}

function unreadable(): AppError {
  return new AppError('E_INVALID_PARAMS', 'DevDB cannot read this link.', {
    hint: 'A link to a table reads /open?root=...&connection=...&table=...',
  });
}
