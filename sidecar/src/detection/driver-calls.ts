import type { ServerKind } from '@devdb/shared/engines';
import type { AppFolder } from './app-folder.ts';
import { CodeFile } from './code-file.ts';
import type { Collector, Place } from './collector.ts';
import { addDescribed, SCRIPT_FIELDS } from './connection-fields.ts';
import { driversOf } from './driver-packages.ts';
import type { Environment } from './environment.ts';
import { environmentInName } from './environment-names.ts';
import type { Expr } from './readers/code/expression.ts';
import { parseOperandAt } from './readers/code/parser.ts';
import { exported, type Program } from './readers/code/program.ts';

/** A driver of Node's or Deno's programs, and what of it opens a database. */
interface Driver {
  readonly kind: ServerKind;
  readonly module: RegExp;
  readonly calls: ReadonlySet<string>;
}

const DRIVERS: readonly Driver[] = [
  {
    kind: 'postgres',
    // Deno's are named by their address, or as its list of imports has it.
    module:
      /(?:from |require\()['"](?:pg|postgres|(?:jsr:)?@db\/postgres(?:@[^'"]*)?|https:\/\/deno\.land\/x\/postgres[@/][^'"]*)['"]/,
    calls: new Set(['Pool', 'Client']),
  },
  {
    kind: 'mysql2',
    module: /(?:from |require\()['"](?:mysql2?|mysql2\/promise|promise-mysql|mariadb)['"]/,
    calls: new Set(['createPool', 'createConnection']),
  },
];
const SCRIPT = /\.[cm]?[jt]s$/;
/** What an object needs to be a connection: a pool's size says nothing. */
const CONNECTS = ['host', 'database', 'connectionString', 'uri', 'user'];
/** What says in a file without a call that an object is a connection. */
const DESCRIBES = ['host', 'user', 'password', 'database'];

/** A file of a Node program. */
export interface Script {
  readonly app: AppFolder;
  /** Below the application's folder. */
  readonly name: string;
  readonly text: string;
  readonly environment: Environment;
}

/** Adds the databases that a program opens through its driver, and those that it describes for a call elsewhere. */
export async function addDriverUses(script: Script, collector: Collector): Promise<void> {
  if (!SCRIPT.test(script.name)) return;
  await calls(script, collector);
  await settings(script, collector);
}

/** `new Pool({...})` of pg and `createConnection({...})` of mysql, in a Node program without a library above its driver. */
async function calls({ app, name, text, environment }: Script, collector: Collector): Promise<void> {
  const [driver, ...others] = DRIVERS.filter(({ module }) => module.test(text));
  if (driver === undefined || others.length > 0 || ![...driver.calls].some((call) => text.includes(`${call}(`))) return;
  const code = await CodeFile.read(app, name, 'javascript', environment, collector);
  if (code === undefined) return;
  for (const written of firstArguments(code.program, driver.calls)) {
    const object = code.evaluator.resolve(written);
    if (!CONNECTS.some((field) => code.evaluator.field(object, field) !== undefined)) continue;
    await addObject(code, placeOf(code, written), object, driver.kind, collector);
  }
}

/** `module.exports = { host, user, password, database }`, also under a name, for a call that another file makes. */
async function settings({ app, name, text, environment }: Script, collector: Collector): Promise<void> {
  if (!DESCRIBES.every((field) => text.includes(field)) || !/\bexports?\b/.test(text)) return;
  const [driver, ...others] = new Set((await driversOf(app)).map(({ kind }) => kind));
  if (driver === undefined || driver === 'sqlite' || others.length > 0) return;
  const code = await CodeFile.read(app, name, 'javascript', environment, collector);
  if (code === undefined) return;
  for (const [key, expr] of objectsOf(code)) {
    const object = code.evaluator.resolve(expr);
    if (!DESCRIBES.every((field) => code.evaluator.field(object, field) !== undefined)) continue;
    const place = { ...placeOf(code, object), environment: environmentInName(key) };
    await addObject(code, place, object, driver, collector);
  }
}

/** What a file exports, by name or as a whole, and what is in that. */
function objectsOf({ program, evaluator }: CodeFile): (readonly [string, Expr])[] {
  const whole = exported(program);
  const named = program.assignments.filter(({ conditional }) => !conditional);
  const exports =
    whole === undefined ? named.map(({ target, value }) => [target, value] as const) : [['', whole] as const];
  return exports.flatMap(([key, expr]) => {
    const object = evaluator.resolve(expr);
    return [[key, object] as const, ...(object.kind === 'object' ? object.entries : [])];
  });
}

async function addObject(
  { app, evaluator }: CodeFile,
  place: Place,
  object: Expr,
  kind: ServerKind,
  collector: Collector,
): Promise<void> {
  if (object.kind !== 'object') return;
  const known = withoutUnsetPassword(evaluator, object);
  await addDescribed(collector, app, evaluator, place, { kind, object: known, names: SCRIPT_FIELDS });
}

/** A driver that is given no password connects without one, where the program itself says to which database. */
function withoutUnsetPassword(evaluator: CodeFile['evaluator'], object: Extract<Expr, { kind: 'object' }>): Expr {
  const [password, database] = [object.entries.get('password'), evaluator.field(object, 'database')];
  const value = password && evaluator.value(password);
  const isUnset = value?.ok === false && value.missing.length > 0;
  if (!isUnset || database === undefined || !evaluator.value(database).ok) return object;
  return { ...object, entries: new Map([...object.entries].filter(([name]) => name !== 'password')) };
}

function placeOf({ app, file }: CodeFile, { line }: Expr): Place {
  return { what: file.slice(app.folder === '' ? 0 : app.folder.length + 1).replace(/\.\w+$/, ''), file, line };
}

/** The first arguments of calls, also of a module's own: `new pg.Pool({...})`. */
export function firstArguments({ tokens, language }: Program, calls: ReadonlySet<string>): Expr[] {
  return tokens.flatMap((token, at): Expr[] => {
    const next = tokens[at + 1];
    if (token.kind !== 'name' || !calls.has(token.text) || next?.kind !== 'mark' || next.text !== '(') return [];
    const [first] = argumentsOf(parseOperandAt(tokens, at, language), token.text);
    return first === undefined ? [] : [first];
  });
}

/** What stands behind the name itself in `createPool({...}).promise()`. */
function argumentsOf(expr: Expr, name: string): readonly Expr[] {
  if (expr.kind === 'call' && expr.of.kind === 'name' && expr.of.name === name) return expr.args;
  return expr.kind === 'call' || expr.kind === 'member' ? argumentsOf(expr.of, name) : [];
}
