import type { PlanOperation } from '@devdb/shared/plans';

/** What a line of SQLite's query plan says, in words that all engines share. */
export interface DetailStep {
  readonly operation: PlanOperation;
  readonly table?: string | undefined;
  readonly index?: string | undefined;
  /** SQLite's own line. */
  readonly detail: string;
  /** Built for this one run, because the table has none that fits. */
  readonly automaticIndex: boolean;
  /** What an index is searched by, e.g. `a=? AND b>?`. */
  readonly constraint?: string | undefined;
  /** What a temporary b-tree is for. */
  readonly purpose?: string | undefined;
}

/** Resolves what a plan calls a table. SQLite writes names without quotes and an alias in the table's place. */
export interface PlanNames {
  /** The table's name behind a name or an alias; undefined for a subquery. */
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

/** A table may be called `a USING INDEX b`: the reading holds whose index the database has. */
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
