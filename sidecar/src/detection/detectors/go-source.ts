import type { AppFolder } from '../app-folder.ts';
import type { Collector } from '../collector.ts';
import { addDsn } from '../dsn-finding.ts';
import type { Environment } from '../environment.ts';
import { filesBelow, type Search } from '../listed-files.ts';
import { Evaluator } from '../readers/code/evaluate.ts';
import { type Expr, nameOf } from '../readers/code/expression.ts';
import { callsOf, type Program, readProgram } from '../readers/code/program.ts';
import { type Dsn, readDsn } from '../readers/dsn.ts';

/** Files in which programs open their database. */
const FILES =
  /^(main|app|server|db|database|gorm|sql|orm|mysql|postgres\w*|pg|sqlite\w*|conn\w*|store|storage|repository|models?|init|setup|data|client|bootstrap)\.go$/;
const FOLDERS =
  /^(cmd|internal|pkg|app|api|server|db|database|models?|common|config|configs|store|storage|repository|initializers?|infra\w*|util|data|persistence|platform|driver|core)$/;
const SEARCH: Search = {
  files: FILES,
  enters: (name, depth, parent) => depth < 4 && (FOLDERS.test(name) || parent === 'cmd'),
  most: 40,
};
/** Programs open the database of their tests in the same file. */
const TEST = /(^|[^a-z])tests?([^a-z]|$)/i;
const OPENS =
  /\b(sql|gorm|sqlx|postgres|mysql|sqlite|sqlserver|pgx|pgxpool)\.(Open|Connect|MustConnect|New|MustOpen)\b/;

/** Adds the databases that a Go program opens with a text, whole or put together from texts and variables. */
export async function addGoSources(
  app: AppFolder,
  environment: Environment,
  collector: Collector,
  signal: AbortSignal,
): Promise<void> {
  for (const file of await filesBelow(app, SEARCH, signal)) {
    const text = await collector.textOf(app, app.path(file));
    if (text === undefined || !OPENS.test(text)) continue;
    // The tokens of Go's expressions are those of JavaScript's.
    await addOpened(app, file, readProgram(text, 'javascript'), environment, collector);
  }
}

async function addOpened(
  app: AppFolder,
  file: string,
  program: Program,
  environment: Environment,
  collector: Collector,
): Promise<void> {
  const evaluator = new Evaluator({
    bindings: assignedOnce(program),
    env: (variable) => {
      const resolved = environment.resolve(variable);
      return resolved.state === 'set' ? { text: resolved.text } : { missing: resolved.names };
    },
    file: app.absolute(file),
    root: app.absolute(),
  });
  const added = new Set<string>();
  for (const { driver, expr, line } of opened(program)) {
    const what = file.replace(/\.go$/, '');
    const value = evaluator.value(expr);
    if (!value.ok) {
      if (!added.has('')) collector.skip(app.path(file), value.line, `${what}: the data source ${value.reason}`);
      added.add('');
      continue;
    }
    const text = String(value.value ?? '');
    const dsn: Dsn | undefined = readDsn(text, driverName(driver, evaluator));
    if (dsn === undefined || added.has(text)) continue;
    added.add(text);
    const environment = TEST.test(text) ? 'test' : '';
    await addDsn(collector, app, { what, file: app.path(file), line, environment, rank: 3 }, dsn);
  }
}

interface Opened {
  readonly driver: Expr | string;
  readonly expr: Expr;
  readonly line: number;
}

/** The data sources of `sql.Open(driver, source)`, `postgres.Open(source)`, `pgx.Connect(context, source)`. */
function opened(program: Program): Opened[] {
  const calls = ['sql', 'sqlx', 'gorm', 'postgres', 'mysql', 'sqlite', 'sqlserver', 'pgx', 'pgxpool'].flatMap((name) =>
    callsOf(program, name).map(({ call }) => ({ name, call })),
  );
  return calls.flatMap(({ name, call }): Opened[] => {
    if (!OPENS.test(nameOf(call.of) ?? '')) return [];
    const [first, second] = call.args;
    const { line } = call;
    const isDialect = /^(postgres|mysql|sqlite|sqlserver)$/.test(name);
    if (isDialect) return first === undefined ? [] : [{ driver: name, expr: first, line }];
    if (second === undefined || first === undefined) return [];
    if (name.startsWith('pgx')) return [{ driver: 'pgx', expr: second, line }];
    // GORM's present form takes a dialect, whose own call is read.
    return first.kind === 'call' ? [] : [{ driver: first, expr: second, line }];
  });
}

function driverName(driver: Expr | string, evaluator: Evaluator): string {
  if (typeof driver === 'string') return driver;
  const value = evaluator.value(driver);
  return value.ok ? String(value.value) : '';
}

/** A name assigned twice has no certain value; where it is assigned does not matter. */
function assignedOnce({ assignments }: Program): ReadonlyMap<string, Expr> {
  const bindings = new Map<string, Expr>();
  for (const { target, value } of assignments) {
    bindings.set(target, bindings.has(target) ? { kind: 'unreadable', line: value.line } : value);
  }
  return bindings;
}
