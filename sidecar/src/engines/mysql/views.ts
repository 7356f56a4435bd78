import type { Catalog } from './catalog.ts';
import { usualTokens } from './classify.ts';
import { type Call, callsIn } from './judge.ts';
import { areHarmless, type FindFunctions } from './routines.ts';
import type { Token } from './tokenize.ts';

/** A view that was found harmless is not looked at again for so long. */
const TRUSTED_FOR_MS = 60_000;
const MOST_LEVELS = 8;
/** Statements may name anything: what is remembered stays bounded. */
const MOST_NAMES = 10_000;

interface View {
  readonly calls: readonly Call[] | undefined;
  readonly names: readonly string[];
}

/** Whether views hide calls of functions that reach past the transaction. What this user may not see is let pass. */
export class ViewBook {
  readonly #now: () => number;
  /** Names that are no views, or harmless ones, until when. */
  readonly #harmless = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Names of a statement that may be views and have not been looked at lately. */
  unknownNames(tokens: readonly Token[]): readonly string[] {
    const now = this.#now();
    return namesIn(tokens).filter((name) => (this.#harmless.get(name) ?? 0) < now);
  }

  /** Looks these names up, and what the views behind them are made of. */
  async areHarmless(names: readonly string[], catalog: Catalog, find: FindFunctions): Promise<boolean> {
    const seen = new Set<string>();
    let open = names;
    for (let level = 0; level < MOST_LEVELS && open.length > 0; level += 1) {
      for (const name of open) seen.add(name);
      const views = await viewsNamed(open, catalog);
      for (const { calls } of views) {
        if (calls === undefined || !(await areHarmless(calls, find))) return false;
      }
      open = views.flatMap((view) => view.names).filter((name) => !seen.has(name));
    }
    if (open.length > 0) return false;
    if (this.#harmless.size > MOST_NAMES) this.#harmless.clear();
    const until = this.#now() + TRUSTED_FOR_MS;
    for (const name of seen) this.#harmless.set(name, until);
    return true;
  }
}

/** Every name of a statement, tables or not: which of them are views is the catalogue's to say. */
function namesIn(tokens: readonly Token[]): string[] {
  // In double quotes it is a text or a name, as sql_mode has it.
  const mayName = tokens.filter(({ kind, text }) => kind === 'word' || kind === 'quoted' || text.startsWith('"'));
  return [...new Set(mayName.map(({ value }) => value.toLowerCase()))];
}

async function viewsNamed(names: readonly string[], catalog: Catalog): Promise<View[]> {
  const rows = await catalog.ask('VIEWS', (query) =>
    query
      .select({ text: 'VIEW_DEFINITION' })
      .whereIn(
        'TABLE_SCHEMA',
        [...new Set([catalog.ownSchema, ...names])].filter((name) => !SYSTEM.has(name)),
      )
      .whereIn('TABLE_NAME', [...names]),
  );
  return rows.map(({ text }) => {
    const tokens = usualTokens(text ?? '');
    const calls = callsIn(tokens);
    const harmful = 'refused' in calls || calls.writes;
    return { calls: harmful ? undefined : calls.unknown, names: namesIn(tokens) };
  });
}

/** Their views are the server's own. */
const SYSTEM = new Set(['information_schema', 'mysql', 'performance_schema', 'sys']);
