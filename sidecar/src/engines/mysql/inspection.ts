import { closedViews } from './closed-views.ts';
import { comesWith, isBuiltIn } from './functions.ts';
import type { Call, Named } from './judge-tokens.ts';
import type { ServerObjects, View } from './server-objects.ts';
import type { ServerVersion } from './server-version.ts';
import { modesIn, namesOfRoutine, namesOfView } from './stored-text.ts';

/**
 * The result of looking up a statement's names. `harmless`: everything only reads. `unknown`: it calls a function that
 * the server does not show, or that does not exist. `hidden`: something does more than read, or this user may not see
 * what it does.
 */
export type Finding = 'harmless' | 'unknown' | 'hidden';

/** How many views and functions are followed; beyond that the user is asked. */
const MOST_TEXTS = 200;

/** A text whose names are to be looked up: a statement, a view or a function. */
interface Text extends Named {
  /** The schema of its unqualified names; undefined means the connection's. */
  readonly schema: string | undefined;
  readonly ignoresSpace: boolean;
  /** It runs with its definer's rights, so an object this user cannot see may exist all the same. */
  readonly isNested: boolean;
}

/** Looks up everything a statement names, and what the views and functions behind those names use. */
export async function inspect(named: Named, objects: ServerObjects, version: ServerVersion): Promise<Finding> {
  if (named.calls.length === 0 && named.tables.length === 0) return 'harmless';
  return new Inspection(objects, version).run({ ...named, schema: undefined, isNested: false });
}

/** What the calls in a view do; the view's tables are checked elsewhere. */
export function inspectCalls(
  { calls }: Named,
  schema: string,
  objects: ServerObjects,
  version: ServerVersion,
): Promise<Finding> {
  return new Inspection(objects, version).run({ calls, tables: [], schema, isNested: true });
}

class Inspection {
  readonly #objects: ServerObjects;
  readonly #version: ServerVersion;
  readonly #seen = new Set<string>();
  readonly #open: Text[] = [];
  #isUnknown = false;

  constructor(objects: ServerObjects, version: ServerVersion) {
    this.#objects = objects;
    this.#version = version;
  }

  async run(named: Omit<Text, 'ignoresSpace'>): Promise<Finding> {
    const ignoresSpace = named.calls.some(({ form }) => form === 'spaced') && (await this.#ignoresSpace());
    this.#open.push({ ...named, ignoresSpace });
    for (let texts = 0; ; texts += 1) {
      const text = this.#open.shift();
      if (text === undefined) return this.#isUnknown ? 'unknown' : 'harmless';
      if (texts >= MOST_TEXTS || !(await this.#areTablesHarmless(text)) || !(await this.#areCallsHarmless(text))) {
        return 'hidden';
      }
    }
  }

  async #areTablesHarmless({ tables, schema, isNested }: Text): Promise<boolean> {
    const named = tables
      .map((one) => ({ ...one, schema: one.schema ?? schema }))
      .filter((one) => this.#isNew('t', [one, isNested]));
    for (const found of await this.#objects.tables(named)) {
      if (found.kind === 'foreign' || (found.kind === 'missing' && isNested)) return false;
      if (found.kind === 'view' && !this.#follow(found)) return false;
      // Not checked which views that opens: a single one that does more than read is enough to ask.
      if (found.kind === 'every-view' && (await this.#hasClosedViews())) return false;
    }
    return true;
  }

  async #hasClosedViews(): Promise<boolean> {
    const closed = await closedViews(this.#objects, this.#version, []);
    return closed.length > 0;
  }

  /** Whether a view's text is visible and only reads; the names in it are queued for lookup. */
  #follow({ schema, text }: View): boolean {
    const named = text === undefined ? undefined : namesOfView(text);
    if (named === undefined) return false;
    this.#open.push({ ...named, schema, ignoresSpace: false, isNested: true });
    return true;
  }

  async #areCallsHarmless({ calls, schema, ignoresSpace, isNested }: Text): Promise<boolean> {
    const open = calls
      .filter((call) => call.schema !== undefined || !isBuiltIn(call.name.toLowerCase(), call.form, ignoresSpace))
      .filter((call) => this.#isNew('f', [call, schema, isNested]));
    const bare = open.filter((call) => call.schema === undefined).map(({ name }) => name);
    if (bare.length > 0 && (await this.#objects.isLoadable(bare))) return false;
    for (const call of open) {
      if (!(await this.#isCallHarmless({ ...call, schema: call.schema ?? schema }, call, isNested))) return false;
    }
    return true;
  }

  async #isCallHarmless(call: Call, written: Call, isNested: boolean): Promise<boolean> {
    if (call.inPackage || (written.schema !== undefined && (await this.#objects.isPackage(written.schema))))
      return false;
    const routine = await this.#objects.routine(call);
    if (routine === undefined) {
      if (written.schema === undefined && comesWith(this.#version, call.name.toLowerCase(), call.form)) return true;
      this.#isUnknown = true;
      return !isNested;
    }
    const named = routine.text === undefined ? undefined : namesOfRoutine(routine.text, routine.sqlMode);
    if (named === undefined) return false;
    const ignoresSpace = modesIn(routine.sqlMode).has('IGNORE_SPACE');
    this.#open.push({ ...named, schema: routine.schema, ignoresSpace, isNested: true });
    return true;
  }

  async #ignoresSpace(): Promise<boolean> {
    return modesIn(await this.#objects.sqlMode()).has('IGNORE_SPACE');
  }

  #isNew(kind: 't' | 'f', what: unknown): boolean {
    const key = JSON.stringify([kind, what]);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}
