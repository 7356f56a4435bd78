import { inspectCalls } from './inspection.ts';
import type { NamedView, ServerObjects } from './server-objects.ts';
import { isMariadb, type ServerVersion } from './server-version.ts';
import { namesOfView } from './stored-text.ts';

/**
 * Views that must not be opened: as soon as MariaDB opens a view, to list its columns or show its definition, it runs
 * functions in it that it takes for constants. Views of the left-out schemas only count where others use them.
 */
export async function closedViews(
  objects: ServerObjects,
  version: ServerVersion,
  leftOutSchemas: readonly string[],
): Promise<readonly NamedView[]> {
  const views = isMariadb(version) ? await objects.views() : [];
  const wanted = views.filter(({ schema }) => !leftOutSchemas.includes(schema.toLowerCase()));
  if (wanted.length === 0) return [];
  const known = new Set((await objects.names()).map(keyOf));
  const look = new Look(views, known, objects, version);
  const closed: NamedView[] = [];
  for (const view of wanted) if (await look.isClosed(view)) closed.push(view);
  return closed;
}

class Look {
  readonly #views: ReadonlyMap<string, NamedView>;
  readonly #known: ReadonlySet<string>;
  readonly #objects: ServerObjects;
  readonly #version: ServerVersion;
  readonly #closed = new Map<string, boolean>();

  constructor(views: readonly NamedView[], known: ReadonlySet<string>, objects: ServerObjects, version: ServerVersion) {
    this.#views = new Map(views.map((view) => [keyOf(view), view]));
    this.#known = known;
    this.#objects = objects;
    this.#version = version;
  }

  async isClosed(view: NamedView): Promise<boolean> {
    const key = keyOf(view);
    const before = this.#closed.get(key);
    if (before !== undefined) return before;
    // No view is part of itself; if a server claims one is, this ends the recursion.
    this.#closed.set(key, true);
    const isClosed = await this.#doesMore(view);
    this.#closed.set(key, isClosed);
    return isClosed;
  }

  /** A view opens the views it is made of, and runs with its definer's rights. */
  async #doesMore({ schema, text }: NamedView): Promise<boolean> {
    const named = text === undefined ? undefined : namesOfView(text);
    if (named === undefined) return true;
    for (const table of named.tables.filter(({ isOwn }) => !isOwn)) {
      const key = keyOf({ schema: table.schema ?? schema, name: table.name });
      const inner = this.#views.get(key);
      if (inner === undefined ? !this.#known.has(key) : await this.isClosed(inner)) return true;
    }
    if (named.calls.length === 0) return false;
    return (await inspectCalls(named, schema, this.#objects, this.#version)) !== 'harmless';
  }
}

/** Exact spelling, as the server writes names into a view's text: a name not found that way counts as unseen. */
function keyOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return JSON.stringify([schema, name]);
}
