import { ENVIRONMENT_OBJECTS } from './environment-calls.ts';
import type { Value } from './evaluate.ts';
import { type Expr, nameOf } from './expression.ts';

type Known = string | number | boolean | null;
type Ask = (expr: Expr) => Value;

const MAX_DEPTH = 40;
const EQUAL: ReadonlySet<string> = new Set(['==', '===', 'is']);
const UNEQUAL: ReadonlySet<string> = new Set(['!=', '!==']);

/** A name's value after an assignment under a condition, in which the name still has its earlier value. */
export function valueUnder(
  condition: Expr | undefined,
  target: string,
  value: Expr,
  before: Expr = { kind: 'unreadable', line: value.line },
): Expr {
  const { line } = value;
  if (condition === undefined) return { kind: 'unreadable', line };
  return { kind: 'choice', line, test: withName(condition, target, before), yes: value, no: before };
}

/** A condition with another expression in place of a name. */
function withName(test: Expr, name: string, instead: Expr): Expr {
  if (test.kind === 'name') return test.name === name ? instead : test;
  if (test.kind === 'not') return { ...test, of: withName(test.of, name, instead) };
  if (test.kind !== 'pair') return test;
  return { ...test, left: withName(test.left, name, instead), right: withName(test.right, name, instead) };
}

/** Whether a condition holds; undefined when that is not known. A variable that nothing sets has no value. */
export function truthOf(test: Expr, ask: Ask, depth = 0): boolean | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (test.kind === 'not') return not(truthOf(test.of, ask, depth + 1));
  // `bool(x)`, `Boolean(x)`
  const [only, ...others] = test.kind === 'call' ? test.args : [];
  if (test.kind === 'call' && only && others.length === 0 && /^(bool|Boolean)$/.test(nameOf(test.of) ?? '')) {
    return truthOf(only, ask, depth + 1);
  }
  if (test.kind === 'pair') return ofPair(test, ask, depth + 1);
  const known = knownOf(test, ask);
  if (known === undefined) return undefined;
  return isSwitch(test) && typeof known === 'string' ? /^(1|true|yes|on|y|t)$/i.test(known) : Boolean(known);
}

function ofPair(test: Extract<Expr, { kind: 'pair' }>, ask: Ask, depth: number): boolean | undefined {
  const { operator, left, right } = test;
  if (operator === '&&' || operator === 'and') {
    const both = [truthOf(left, ask, depth), truthOf(right, ask, depth)];
    if (both.includes(false)) return false;
    return both.includes(undefined) ? undefined : true;
  }
  if (operator === '||' || operator === 'or') {
    const both = [truthOf(left, ask, depth), truthOf(right, ask, depth)];
    if (both.includes(true)) return true;
    return both.includes(undefined) ? undefined : false;
  }
  if (operator === 'in') return isIn(left, right, ask);
  if (operator === 'is' && right.kind === 'not') return not(same(left, right.of, ask));
  if (EQUAL.has(operator)) return same(left, right, ask);
  if (UNEQUAL.has(operator)) return not(same(left, right, ask));
  const known = knownOf(test, ask);
  return known === undefined ? undefined : Boolean(known);
}

/** `"NAME" in os.environ`, `x in ("a", "b")` */
function isIn(left: Expr, right: Expr, ask: Ask): boolean | undefined {
  const one = knownOf(left, ask);
  if (one === undefined) return undefined;
  if (ENVIRONMENT_OBJECTS.has(nameOf(right) ?? '')) {
    const { line } = left;
    return knownOf({ kind: 'member', line, of: right, key: left }, ask) !== null;
  }
  if (right.kind !== 'list') return undefined;
  const items = right.items.map((item) => knownOf(item, ask));
  if (items.includes(one)) return true;
  return items.includes(undefined) ? undefined : false;
}

function same(left: Expr, right: Expr, ask: Ask): boolean | undefined {
  const [one, other] = [knownOf(left, ask), knownOf(right, ask)];
  return one === undefined || other === undefined ? undefined : one === other;
}

/** Null for a variable without a value; undefined for what is not known. */
function knownOf(expr: Expr, ask: Ask): Known | undefined {
  const value = ask(expr);
  if (value.ok) return value.value;
  return value.missing.length > 0 ? null : undefined;
}

/** A call that reads a variable as yes or no. */
function isSwitch(expr: Expr): boolean {
  if (expr.kind !== 'call') return false;
  const cast = expr.named.get('cast');
  return /(^|\.)bool$/.test(nameOf(expr.of) ?? '') || (cast !== undefined && nameOf(cast) === 'bool');
}

function not(holds: boolean | undefined): boolean | undefined {
  return holds === undefined ? undefined : !holds;
}
