import type { NamesUsed } from './names-used.ts';
import type { Reach } from './reach.ts';

/** When code that a statement touches may first run: while it is compiled, when it is planned, or only when it runs. */
export type Stage = 'compile' | 'plan' | 'run';

export interface Touched {
  /** In words, for a person. */
  readonly what: string;
  readonly stage: Stage;
}

type Sized = { readonly name: string; readonly least: number; readonly most: number | null };

/**
 * What a statement touches that may change something, by the names in it. A name counts wherever an object of that name
 * is, so the search path does not matter; an unreachable one costs one question too many, never one too few.
 */
export function touchedBy(names: NamesUsed, { builtIn, own }: Reach): Touched[] {
  return [
    ...own.anywhere.map((what) => ({ what, stage: 'compile' as const })),
    ...calls(names, builtIn, own),
    ...operators(names, own),
    ...types(names, own),
    ...relations(names, own),
    ...(names.writes ? writtenRelations(names, own) : []),
    ...casts(names, own),
    ...(own.textSearch && searchesText(names) ? [{ what: 'the text search', stage: 'compile' as const }] : []),
  ];
}

/** Whether code may run by this stage, including every earlier one. */
export function runsBy(stage: Stage, touched: readonly Touched[]): boolean {
  const order: readonly Stage[] = ['compile', 'plan', 'run'];
  return touched.some((one) => order.indexOf(one.stage) <= order.indexOf(stage));
}

/** For a long list, its start and end say enough. */
export function inWords(touched: readonly Touched[]): string {
  const all = [...new Set(touched.map(({ what }) => what))];
  return all.length > 4 ? `${all.slice(0, 4).join(', ')} and more` : all.join(', ');
}

function calls({ calls: used, samples }: NamesUsed, builtIn: Reach['builtIn'], own: Reach['own']): Touched[] {
  const hasOwn = own.types.length > 0 || own.functions.length > 0;
  const risky = builtIn.filter(({ given, name }) => (given ? hasOwn : name !== 'setseed'));
  return [
    ...risky
      .filter((one) => used.some((call) => fits(call, one)))
      .map((one) => called(one, one.given ? 'compile' : 'run')),
    ...own.functions
      .filter((one) => (one.sample ? samples.includes(one.name) : used.some((call) => fits(call, one))))
      .map((one) => called(one, one.early ? 'compile' : one.late ? 'run' : 'plan')),
  ];
}

function called({ name }: Sized, stage: Stage): Touched {
  return { what: `${name}()`, stage };
}

function fits({ name, values }: NamesUsed['calls'][number], { name: other, least, most }: Sized): boolean {
  if (name !== other) return false;
  return values === undefined || most === null || (values >= least && values <= most);
}

function operators({ operators: used }: NamesUsed, own: Reach['own']): Touched[] {
  return own.operators
    .filter((one) => used.some(({ name, isPrefix }) => name === one.name && isPrefix === one.isPrefix))
    .map(({ name, early }) => ({ what: `the operator ${name}`, stage: early ? 'compile' : 'plan' }));
}

/** A type's name may be written as a call: `address('x')` is a cast. */
function types({ types: used, calls: alsoUsed }: NamesUsed, own: Reach['own']): Touched[] {
  const names = new Set([...used, ...alsoUsed.map(({ name }) => name)]);
  return own.types.filter((type) => names.has(type)).map((type) => ({ what: `the type ${type}`, stage: 'compile' }));
}

/** A cast between Postgres' own types that calls user-defined code. */
function casts({ casts: used, calls: alsoUsed }: NamesUsed, own: Reach['own']): Touched[] {
  const names = new Set([...used, ...alsoUsed.map(({ name }) => name)]);
  return own.casts.filter((type) => names.has(type)).map((type) => ({ what: `a cast to ${type}`, stage: 'plan' }));
}

function relations({ relations: used }: NamesUsed, own: Reach['own']): Touched[] {
  return own.read
    .filter(({ name }) => used.includes(name))
    .map(({ name, early }) => ({ what: name, stage: early ? 'compile' : 'plan' }));
}

/**
 * What a write additionally touches: defaults, checks, generated columns, indexes and rules of the relations it names.
 */
function writtenRelations({ relations: used }: NamesUsed, own: Reach['own']): Touched[] {
  return own.written
    .filter(({ name }) => used.includes(name))
    .map(({ name, early }) => ({ what: `what hangs on ${name}`, stage: early ? 'compile' : 'plan' }));
}

function searchesText({ calls: used, operators: signs }: NamesUsed): boolean {
  return (
    used.some(({ name }) => /ts_|ts(vector|query)|_tsq/.test(name)) || signs.some(({ name }) => name.startsWith('@@'))
  );
}
