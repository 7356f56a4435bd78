import { isRecord, namesIn, nodesBelow, recordsBelow, type TreeNode, type Word, wordsOf } from './sql-tree.ts';

/** The names in a statement, and so what it may reach. Schemas are ignored: a name counts wherever it may be found. */
export interface NamesUsed {
  readonly calls: readonly Call[];
  readonly operators: readonly UsedOperator[];
  readonly types: readonly string[];
  readonly relations: readonly string[];
  readonly samples: readonly string[];
  /** Target types of casts from anything but a constant. */
  readonly casts: readonly string[];
  /** Whether a relation is written to, even if only for its plan. */
  readonly writes: boolean;
}

export interface Call {
  readonly name: string;
  /** Undefined where a list stands for the last values. */
  readonly values: number | undefined;
}

export interface UsedOperator {
  readonly name: string;
  readonly isPrefix: boolean;
}

export const NO_NAMES: NamesUsed = {
  calls: [],
  operators: [],
  types: [],
  relations: [],
  samples: [],
  casts: [],
  writes: false,
};

/** Collects every name below a node, and the operators that SQL writes as words. */
export function namesUsed(root: TreeNode): NamesUsed {
  const names: Collected = {
    calls: [],
    operators: [],
    types: [],
    relations: [],
    samples: [],
    casts: [],
    writes: false,
  };
  collect(names, root);
  for (const node of nodesBelow(root.fields)) collect(names, node);
  for (const record of recordsBelow(root.fields)) {
    // Parts of some statements have no node name around them.
    if (typeof record['relname'] === 'string') names.relations.push(record['relname']);
    names.types.push(...namesIn(record['names']).slice(-1));
    for (const list of ['operName', 'useOp']) addOperator(names, namesIn(record[list]).at(-1), false);
    if (isRecord(record['funccall'])) names.calls.push(callOf(record['funccall']));
  }
  return names;
}

/** The same for a text that the grammar cannot parse but a newer server might: every word may be any kind of name. */
export function namesInText(sql: string): NamesUsed {
  let words: readonly Word[];
  try {
    words = wordsOf(sql);
  } catch {
    // No server reads past a quote that is not closed.
    return NO_NAMES;
  }
  const names = words.map(({ text }) =>
    text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase(),
  );
  return {
    calls: names.map((name) => ({ name, values: undefined })),
    operators: names.flatMap((name) => [true, false].map((isPrefix) => ({ name, isPrefix }))),
    types: names,
    relations: names,
    samples: names,
    casts: names,
    writes: true,
  };
}

const WRITES: ReadonlySet<string> = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']);

interface Collected extends NamesUsed {
  readonly calls: Call[];
  readonly operators: UsedOperator[];
  readonly types: string[];
  readonly relations: string[];
  readonly samples: string[];
  readonly casts: string[];
  writes: boolean;
}

function collect(names: Collected, { name, fields }: TreeNode): void {
  if (WRITES.has(name)) names.writes = true;
  switch (name) {
    case 'FuncCall':
      names.calls.push(callOf(fields));
      return;
    // For Postgres `(x).f` and `t.f` mean `f(x)`, which with a type's name is a cast.
    case 'A_Indirection':
      for (const called of namesIn(fields['indirection'])) names.calls.push({ name: called, values: 1 });
      return;
    case 'ColumnRef':
      for (const called of namesIn(fields['fields']).slice(1)) names.calls.push({ name: called, values: 1 });
      return;
    case 'RangeTableSample':
      names.samples.push(...namesIn(fields['method']).slice(-1));
      return;
    case 'TypeCast':
      if (!isConstant(fields['arg'])) names.casts.push(...typeName(fields['typeName']));
      return;
    case 'A_Expr':
      expression(names, fields);
      return;
    default:
      wordsForOperators(names, name, fields);
  }
}

function callOf(fields: Readonly<Record<string, unknown>>): Call {
  const name = namesIn(fields['funcname']).at(-1) ?? '';
  if (fields['func_variadic'] === true) return { name, values: undefined };
  const ordered = fields['agg_within_group'] === true ? lengthOf(fields['agg_order']) : 0;
  return { name, values: lengthOf(fields['args']) + ordered };
}

const BETWEEN = ['>=', '<=', '<', '>'];

function expression(names: Collected, { kind, name, lexpr }: Readonly<Record<string, unknown>>): void {
  if (typeof kind === 'string' && kind.includes('BETWEEN')) {
    for (const operator of BETWEEN) addOperator(names, operator, false);
    return;
  }
  addOperator(names, namesIn(name).at(-1), lexpr === undefined);
}

/** CASE x WHEN y, USING, NATURAL and IN (SELECT ...) compare with the operator named `=`. */
function wordsForOperators(names: Collected, name: string, fields: Readonly<Record<string, unknown>>): void {
  const compares =
    (name === 'CaseExpr' && fields['arg'] !== undefined) ||
    (name === 'JoinExpr' && (fields['isNatural'] === true || fields['usingClause'] !== undefined)) ||
    (name === 'SubLink' && fields['testexpr'] !== undefined) ||
    name === 'CommonTableExpr';
  if (compares) addOperator(names, '=', false);
  if (name === 'CommonTableExpr') addOperator(names, '<>', false);
}

function addOperator(names: Collected, name: string | undefined, isPrefix: boolean): void {
  if (name !== undefined) names.operators.push({ name, isPrefix });
}

function typeName(value: unknown): string[] {
  return isRecord(value) ? namesIn(value['names']).slice(-1) : [];
}

function isConstant(value: unknown): boolean {
  return isRecord(value) && value['A_Const'] !== undefined;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
