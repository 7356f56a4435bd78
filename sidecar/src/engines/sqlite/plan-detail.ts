import type { PlanOperation } from '@devdb/shared/plans';

/** A line of SQLite's query plan, in the words all engines share. */
export interface DetailStep {
  readonly operation: PlanOperation;
  readonly table?: string | undefined;
  readonly index?: string | undefined;
  /** SQLite's own line. */
  readonly detail: string;
  /** Built for this one run, because the table has no suitable index. */
  readonly automaticIndex: boolean;
  /** The index's search condition, e.g. `a=? AND b>?`. */
  readonly constraint?: string | undefined;
  /** The purpose of a temporary b-tree. */
  readonly purpose?: string | undefined;
}

/** Resolves a plan's names. SQLite writes names without quotes, and aliases in place of tables. */
export interface PlanNames {
  /** The table behind a name or alias; undefined for a subquery. */
  readonly tableOf: (named: string, index: string | undefined) => string | undefined;
  readonly isIndex: (name: string) => boolean;
}

const OPERATIONS: readonly (readonly [RegExp, PlanOperation])[] = [
  [/^SCAN (?:CONSTANT ROW|\d+ CONSTANT ROWS|\d+-ROW VALUES CLAUSE)/, 'constant rows'],
  [/^USE TEMP B-TREE FOR .*ORDER BY/, 'sort'],
  [/^USE TEMP B-TREE FOR GROUP BY/, 'group'],
  [/^USE TEMP B-TREE FOR /, 'distinct'],
  [/^(?:COMPOUND QUERY$|MERGE )/, 'compound'],
  [/^(?:LEFT-MOST SUBQUERY|LEFT|RIGHT)$/, 'compound part'],
  [/^(?:UNION|INTERSECT|EXCEPT)\b/, 'compound part'],
  [/^CO-ROUTINE /, 'subquery'],
  [/^MATERIALIZE /, 'materialize'],
  [/^(?:REUSE )?(?:CORRELATED )?(?:SCALAR|LIST) SUBQUERY /, 'subquery'],
  [/^MULTI-INDEX OR$/, 'multi-index'],
  [/^INDEX \d+$/, 'multi-index part'],
  [/^SETUP$/, 'recursion part'],
  [/^RECURSIVE STEP$/, 'recursion part'],
  [/^(?:CREATE )?BLOOM FILTER\b/, 'filter'],
];
const ACCESS = /^(SCAN|SEARCH) (.+)$/s;
const USING = / USING (AUTOMATIC )?(?:PARTIAL )?(?:COVERING )?(INTEGER PRIMARY KEY|PRIMARY KEY|INDEX)(.*)$/s;
const IN_OPERATOR = /^USING (?:ROWID SEARCH ON TABLE|INDEX) (.+) FOR IN-OPERATOR$/s;

/** Reads one line of EXPLAIN QUERY PLAN. A line of a kind not known here is `other`. */
export function readDetail(detail: string, names: PlanNames): DetailStep {
  const known = OPERATIONS.find(([pattern]) => pattern.test(detail));
  if (known !== undefined) {
    const purpose = /^USE TEMP B-TREE FOR (.+)$/s.exec(detail)?.[1];
    return { operation: known[1], detail, automaticIndex: false, purpose };
  }
  const access = ACCESS.exec(detail);
  if (access !== null) return readAccess(access[1] === 'SCAN' ? 'scan' : 'search', access[2] ?? '', detail, names);
  const used = IN_OPERATOR.exec(detail)?.[1];
  if (used !== undefined) return readInOperator(used, detail, names);
  return { operation: 'other', detail, automaticIndex: false };
}

function readAccess(operation: 'scan' | 'search', rest: string, detail: string, names: PlanNames): DetailStep {
  const target = rest
    .replace(/ VIRTUAL TABLE INDEX .*$/s, '')
    .replace(/ LEFT-JOIN$/, '')
    .replace(/ EXISTS(?= USING |$)/, '');
  const using = lastUsing(target, names);
  const index = using?.index;
  const isIndexScan = operation === 'scan' && index !== undefined && index !== 'primary key';
  return {
    operation: isIndexScan ? 'index scan' : operation,
    table: names.tableOf(using?.table ?? target, index),
    index,
    detail,
    automaticIndex: using?.automatic ?? false,
    constraint: using?.constraint,
  };
}

/** A table may be named `a USING INDEX b`: the reading whose index the database has is the right one. */
function lastUsing(target: string, names: PlanNames) {
  const using = USING.exec(target);
  if (using === null) return undefined;
  const tail = (using[3] ?? '').replace(/^ /, '');
  const constraint = /(?:^| )\(([^()]*(?:\([^()]*\)[^()]*)*)\)$/s.exec(tail)?.[1];
  const bare = constraint === undefined ? tail : tail.slice(0, tail.length - constraint.length - 2).trimEnd();
  const named = names.isIndex(tail) ? tail : bare;
  return {
    table: target.slice(0, using.index),
    automatic: using[1] !== undefined,
    index: using[2] === 'INDEX' && named !== '' ? named : using[2] === 'INDEX' ? undefined : 'primary key',
    constraint,
  };
}

function readInOperator(used: string, detail: string, names: PlanNames): DetailStep {
  const byRowid = detail.startsWith('USING ROWID');
  return {
    operation: 'search',
    table: names.tableOf(byRowid ? used : '', byRowid ? undefined : used),
    index: byRowid ? 'primary key' : used,
    detail,
    automaticIndex: false,
  };
}
