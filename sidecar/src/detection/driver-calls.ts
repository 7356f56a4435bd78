import type { ServerKind } from '@devdb/shared/engines';
import type { AppFolder } from './app-folder.ts';
import { CodeFile } from './code-file.ts';
import type { Collector } from './collector.ts';
import { addDescribed, SCRIPT_FIELDS } from './connection-fields.ts';
import type { Environment } from './environment.ts';
import type { Expr } from './readers/code/expression.ts';
import { parseOperandAt } from './readers/code/parser.ts';
import type { Program } from './readers/code/program.ts';

/** A driver of Node programs, and what of it opens a database. */
interface Driver {
  readonly kind: ServerKind;
  readonly module: RegExp;
  readonly calls: ReadonlySet<string>;
}

const DRIVERS: readonly Driver[] = [
  { kind: 'postgres', module: /(?:from |require\()['"]pg['"]/, calls: new Set(['Pool', 'Client']) },
  {
    kind: 'mysql2',
    module: /(?:from |require\()['"](?:mysql2?|mysql2\/promise|promise-mysql|mariadb)['"]/,
    calls: new Set(['createPool', 'createConnection']),
  },
];
const SCRIPT = /\.[cm]?[jt]s$/;
/** What an object needs to be a connection: a pool's size says nothing. */
const CONNECTS = ['host', 'database', 'connectionString', 'uri', 'user'];

/** `new Pool({...})` of pg and `createConnection({...})` of mysql, in a Node program without a library above its driver. */
export async function driverCalls(
  app: AppFolder,
  name: string,
  text: string,
  environment: Environment,
  collector: Collector,
): Promise<void> {
  const [driver, ...others] = SCRIPT.test(name) ? DRIVERS.filter(({ module }) => module.test(text)) : [];
  if (driver === undefined || others.length > 0 || ![...driver.calls].some((call) => text.includes(`${call}(`))) return;
  const code = await CodeFile.read(app, name, 'javascript', environment, collector);
  for (const object of code === undefined ? [] : firstArguments(code.program, driver.calls)) {
    await addCall(code, object, driver.kind, collector);
  }
}

async function addCall(code: CodeFile | undefined, written: Expr, kind: ServerKind, collector: Collector) {
  if (code === undefined) return;
  const { app, file, evaluator } = code;
  const object = evaluator.resolve(written);
  if (object.kind !== 'object' || !CONNECTS.some((field) => evaluator.field(object, field) !== undefined)) return;
  const what = file.slice(app.folder === '' ? 0 : app.folder.length + 1).replace(/\.\w+$/, '');
  const place = { what, file, line: written.line };
  await addDescribed(collector, app, evaluator, place, { kind, object, names: SCRIPT_FIELDS });
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
