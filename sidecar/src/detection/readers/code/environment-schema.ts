import { ENVIRONMENT_OBJECTS } from './environment-calls.ts';
import { type Expr, nameOf } from './expression.ts';

type Call = Extract<Expr, { kind: 'call' }>;
type ObjectExpr = Extract<Expr, { kind: 'object' }>;

/** What t3-env calls the groups of its variables. */
const GROUPS = ['server', 'shared', 'client'];

/**
 * The variables with their defaults that a library checks the environment for: envalid's `cleanEnv(process.env, {...})`,
 * zod's `z.object({...}).parse(process.env)`, t3-env's `createEnv({ server: {...} })`. Undefined for any other call.
 */
export function checkedEnvironment(call: Call, resolve: (expr: Expr) => Expr): ObjectExpr | undefined {
  const [first, second] = call.args;
  const name = nameOf(call.of) ?? '';
  if (/(?:^|\.)cleanEnv$/.test(name) && second && isEnvironment(first)) return withDefaults(call, [resolve(second)]);
  if (/(?:^|\.)createEnv$/.test(name) && first) {
    const options = resolve(first);
    const groups = GROUPS.flatMap((group) => {
      const entry = options.kind === 'object' ? options.entries.get(group) : undefined;
      return entry === undefined ? [] : [resolve(entry)];
    });
    return groups.length === 0 ? undefined : withDefaults(call, groups);
  }
  const method = call.of.kind === 'member' ? keyOf(call.of) : undefined;
  if (call.of.kind !== 'member' || first === undefined || !/^(?:safeParse|parse)$/.test(method ?? '')) return undefined;
  // Also an object that is made from variables.
  const given = isEnvironment(first) ? undefined : resolve(first);
  if (given !== undefined && (given.kind !== 'object' || given.spreads.length + given.overrides.length > 0))
    return undefined;
  const shape = shapeOf(call.of.of, resolve);
  const checked = shape && withDefaults(call, [shape], given);
  if (checked === undefined || method === 'parse') return checked;
  return { ...checked, entries: new Map<string, Expr>([['data', checked]]) };
}

/** `z.object({...})`, also behind a name or with more methods behind it. */
function shapeOf(written: Expr, resolve: (expr: Expr) => Expr): Expr | undefined {
  for (const call of chainOf(resolve(written))) {
    const [only] = call.args;
    if (only && call.of.kind === 'member' && keyOf(call.of) === 'object') return resolve(only);
  }
  return undefined;
}

function withDefaults(call: Call, shapes: readonly Expr[], given?: ObjectExpr): ObjectExpr | undefined {
  const objects = shapes.filter((shape) => shape.kind === 'object');
  const entries = new Map(
    objects.flatMap((shape) => [...shape.entries].map(([key, rule]) => [key, valueOr(key, rule, given)])),
  );
  return entries.size === 0 ? undefined : { kind: 'object', line: call.line, entries, spreads: [], overrides: [] };
}

function valueOr(name: string, rule: Expr, given: ObjectExpr | undefined): Expr {
  const { line } = rule;
  const own: Expr = given?.entries.get(name) ?? { kind: 'value', line, value: null };
  const otherwise = defaultOf(rule);
  if (given !== undefined)
    return otherwise === undefined ? own : { kind: 'pair', line, operator: '??', left: own, right: otherwise };
  const process: Expr = { kind: 'name', line, name: 'process' };
  const of: Expr = { kind: 'member', line, of: process, key: { kind: 'value', line, value: 'env' } };
  const left: Expr = { kind: 'member', line, of, key: { kind: 'value', line, value: name } };
  return otherwise === undefined ? left : { kind: 'pair', line, operator: '??', left, right: otherwise };
}

/** `str({ default: 'x' })`, `z.string().default('x')` */
function defaultOf(rule: Expr): Expr | undefined {
  for (const call of chainOf(rule)) {
    const [only] = call.args;
    if (call.of.kind === 'member' && keyOf(call.of) === 'default') return only;
    if (only?.kind === 'object' && call.of.kind === 'name') {
      return only.entries.get('devDefault') ?? only.entries.get('default');
    }
  }
  return undefined;
}

/** The calls of `a().b().c()`, the last first. */
function* chainOf(expr: Expr): Generator<Call> {
  for (let at: Expr | undefined = expr; at !== undefined; ) {
    if (at.kind === 'call') yield at;
    at = at.kind === 'call' || at.kind === 'member' ? at.of : undefined;
  }
}

function keyOf({ key }: Extract<Expr, { kind: 'member' }>): string | undefined {
  return key.kind === 'value' ? String(key.value) : undefined;
}

function isEnvironment(expr: Expr | undefined): boolean {
  return expr !== undefined && ENVIRONMENT_OBJECTS.has(nameOf(expr) ?? '');
}
