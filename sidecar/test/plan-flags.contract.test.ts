import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { explanation, PLAN_FLAGS, type PlanFlag, type PlanNode } from '@devdb/shared/plans';
import { explainQuery } from '@devdb/shared/tools/database/explain-query';
import type { Caps } from '../src/engines/engine.ts';
import {
  type EngineUnderTest,
  enginesUnderTest,
  type OpenedShop,
  type StartedEngine,
} from './helpers/engines-under-test.ts';
import { FLAG_CASES, type FlagCase, type FlagCell } from './helpers/plan-flag-cases.ts';
import { until } from './helpers/processes.ts';
import { explainOf, writeOf } from './helpers/statements.ts';

const CAPS: Caps = { rows: 500, bytes: 32 * 1024, cellBytes: 4 * 1024 };

/** A large table with indexes, a large one without, and a small one. */
function tablesFor({ name, numbersTo }: EngineUnderTest): readonly string[] {
  const refresh = name === 'mysql' || name === 'mariadb' ? 'ANALYZE TABLE' : 'ANALYZE';
  return [
    'CREATE TABLE big (id INTEGER PRIMARY KEY, k INTEGER, n INTEGER, code VARCHAR(20))',
    `INSERT INTO big SELECT i, CASE WHEN i % 10 < 9 THEN 1 ELSE i END, i % 100, i FROM (${numbersTo(5_000)}) AS numbers`,
    'CREATE INDEX by_k ON big (k)',
    'CREATE INDEX by_code ON big (code)',
    'CREATE TABLE other (x INTEGER, n INTEGER)',
    `INSERT INTO other SELECT i, i FROM (${numbersTo(5_000)}) AS numbers`,
    'CREATE TABLE few (k INTEGER)',
    'INSERT INTO few VALUES (1), (19)',
    ...['big', 'other', 'few'].map((table) => `${refresh} ${table}`),
  ];
}

/** Statements whose plan reads a table again for each row. */
interface RepeatedScan {
  readonly sql: string;
  readonly analyze?: true;
  readonly says: RegExp;
}

const OF_FEW = /^Reads all rows of other \(about \d+\) once for each row of few: 2 times, \d+ rows in all\./;
const DEPENDENT: RepeatedScan = {
  sql: 'SELECT few.k, (SELECT count(*) FROM other WHERE other.n + 0 > few.k) FROM few',
  says: OF_FEW,
};
const CHANGE: RepeatedScan = {
  sql: 'UPDATE few SET k = (SELECT count(*) FROM other WHERE other.n + 0 > few.k)',
  says: OF_FEW,
};
const REPEATED: Partial<Record<EngineUnderTest['name'], readonly RepeatedScan[]>> = {
  sqlite: [DEPENDENT, CHANGE, { sql: 'SELECT count(*) FROM few CROSS JOIN other ON other.n > few.k', says: OF_FEW }],
  postgres: [
    DEPENDENT,
    CHANGE,
    { ...DEPENDENT, analyze: true },
    { sql: 'SELECT * FROM few, LATERAL (SELECT * FROM other WHERE other.n > few.k OFFSET 0) o', says: OF_FEW },
  ],
  mysql: [DEPENDENT, CHANGE, { ...DEPENDENT, analyze: true }],
  mariadb: [
    DEPENDENT,
    CHANGE,
    {
      ...DEPENDENT,
      analyze: true,
      says: /^Reads all rows of other \(about \d+\) once for each row (?:of few|found before it): 2 times, \d+ rows in all\./,
    },
  ],
};

/** Statements whose subquery runs once and is kept. */
const READ_ONCE = [
  'SELECT few.k, (SELECT count(*) FROM other) FROM few',
  'SELECT * FROM big WHERE n IN (SELECT x FROM other WHERE n > 3)',
  'SELECT * FROM big WHERE n NOT IN (SELECT x FROM other)',
  'SELECT k IN (SELECT x FROM other) FROM few',
  'UPDATE few SET k = (SELECT count(*) FROM other)',
];

/** What speaks for a named index: SQLite plans with it, the others cannot or lack the extension for it. */
const NAMED: Partial<Record<EngineUnderTest['name'], RegExp>> = {
  sqlite:
    /^An index on big \(n\) would be used: planned with it, SQLite searches \(n=\?\) instead of reading all rows\.$/,
  postgres: /^An index on big \(n\) may help: the statement looks for rows by its columns\. It was not tried\.$/,
  mysql: /^An index on big \(n\) may help: /,
  mariadb: /^An index on big \(n\) may help: /,
};

test('a flag that no engine of this suite shows is shown on a recorded plan', () => {
  const cells = Object.values(FLAG_CASES).flatMap((row): FlagCell[] => Object.values(row));
  const recorded = cells.flatMap((cell) => ('recorded' in cell ? [cell.recorded] : []));
  expect(recorded.filter((file) => !existsSync(join(__dirname, '..', file)))).toEqual([]);
});

const running = enginesUnderTest(process.env).filter(({ name }) => name !== 'mssql');
for (const engine of running) describe(`on ${engine.name}`, () => contract(engine));

function contract(engine: EngineUnderTest): void {
  let started: StartedEngine;
  let shop: OpenedShop;
  const signal = (): AbortSignal => AbortSignal.timeout(30_000);

  beforeAll(async () => {
    started = await engine.start();
    shop = await started.open();
    for (const sql of tablesFor(engine)) await writeOf(shop.session, sql, CAPS, undefined, signal());
    // A server counts in the background, too, and may have counted a table before its rows were there.
    await until('the planner knows that a table is large', async () => {
      if ((await expectedRows('SELECT n FROM big')) > 1_000) return true;
      for (const sql of tablesFor(engine).filter((one) => one.startsWith('ANALYZE'))) {
        await writeOf(shop.session, sql, CAPS, undefined, signal());
      }
      return false;
    });
  }, 60_000);
  afterAll(async () => {
    await shop.close();
    await started.stop();
  });

  async function expectedRows(sql: string): Promise<number> {
    const { plan } = await explainOf(shop.session, sql, false, signal());
    return Math.max(0, ...plan.map(({ estimatedRows = 0 }) => estimatedRows));
  }

  async function flagsOf(sql: string, analyze = false): Promise<PlanFlag[]> {
    const answer = await explainOf(shop.session, sql, analyze, signal());
    expect(explanation.parse(answer)).toEqual(answer);
    // What only a person is shown would cost an agent tokens.
    expect(JSON.stringify(explainQuery.output.parse(answer))).not.toMatch(/"(?:cost|createIndex|source)":/);
    return answer.flags;
  }

  const cases = PLAN_FLAGS.map((flag): [PlanFlag['flag'], FlagCell] => [flag, FLAG_CASES[flag][engine.name]]);
  const shown = cases.flatMap(([flag, cell]): [PlanFlag['flag'], FlagCase][] =>
    'shows' in cell ? [[flag, cell]] : [],
  );

  test.each(shown)('%s warns of the statement that deserves it, and not of one like it', async (flag, cell) => {
    const found = (await flagsOf(cell.shows, cell.analyze)).filter((one) => one.flag === flag);
    expect(found.map(({ table }) => table)).toEqual(found.map(() => cell.table));
    expect(found.length).toBeGreaterThan(0);
    for (const { message } of found) expect(message).toMatch(/^[A-Z].*\.$/s);
    expect((await flagsOf(cell.calm, cell.analyze)).map((one) => one.flag)).not.toContain(flag);
  });

  test('a flag that this engine cannot show is never shown', async () => {
    const never = cases.flatMap(([flag, cell]) => ('never' in cell ? [flag] : []));
    for (const [, { shows, analyze }] of shown) {
      const flags = (await flagsOf(shows, analyze)).map(({ flag }) => flag);
      expect(flags.filter((flag) => never.includes(flag))).toEqual([]);
    }
  });

  test('small tables deserve no warning', async () => {
    for (const sql of ['SELECT * FROM few', 'SELECT * FROM few WHERE k + 0 = 3', 'SELECT count(*) FROM few']) {
      expect([sql, await flagsOf(sql), await flagsOf(sql, true)]).toEqual([sql, [], []]);
    }
  });

  test.each(REPEATED[engine.name] ?? [])(
    'a scan that runs once for each row of another table is named with how often: $sql',
    async ({ sql, analyze, says }) => {
      const messages = (await flagsOf(sql, analyze)).map(({ message }) => message);
      expect(messages).toContainEqual(expect.stringMatching(says));
    },
  );

  test.each(READ_ONCE)('a scan that runs once is not said to run more often: %s', async (sql) => {
    expect((await flagsOf(sql)).filter(({ message }) => message.includes('once for each row'))).toEqual([]);
  });

  const named = NAMED[engine.name];
  if (named !== undefined)
    test('the index that would help is named, and none for what no index finds', async () => {
      const advice = async (sql: string) => (await flagsOf(sql)).filter(({ flag }) => flag === 'missing-index');
      expect(await advice('SELECT * FROM big WHERE n = 5')).toEqual([
        {
          flag: 'missing-index',
          message: expect.stringMatching(named),
          table: 'big',
          createIndex: expect.stringMatching(/^CREATE INDEX .+\bbig\b.+\bn\b.+;$/),
        },
      ]);
      for (const sql of ['SELECT * FROM big WHERE n + 0 = 5', 'SELECT * FROM big WHERE n = 5 OR id + 0 = 3']) {
        expect((await advice(sql)).filter(({ message }) => message.startsWith('An index on big'))).toEqual([]);
      }
    });

  if (named !== undefined)
    test.each([
      'UPDATE big SET k = 1 WHERE n = 5',
      'UPDATE big SET k = 1 WHERE big.n = 5 AND big.k + 0 > 7',
      'DELETE FROM big WHERE n = 5',
      "DELETE FROM big WHERE n = 5 AND code <> 'it''s'",
      'DELETE FROM big WHERE n = (SELECT max(k) FROM few)',
      'INSERT INTO few SELECT k FROM big WHERE n = 5',
    ])('the index that would help a change is named: %s', async (sql) => {
      expect(await flagsOf(sql)).toContainEqual({
        flag: 'missing-index',
        message: expect.stringMatching(named),
        table: 'big',
        createIndex: expect.stringMatching(/^CREATE INDEX .+\bbig\b.+\bn\b.+;$/),
      });
    });

  if (named !== undefined)
    test.each([
      'UPDATE big SET k = 1 WHERE n + 0 = 5',
      'UPDATE big SET k = n',
      'UPDATE big SET k = 1 WHERE id = 5',
      'DELETE FROM big WHERE n = 5 OR id + 0 = 3',
      'DELETE FROM big',
      'INSERT INTO big VALUES (0, 1, 5, 5)',
    ])('no index is named for a change that none would help: %s', async (sql) => {
      expect((await flagsOf(sql)).filter(({ message }) => message.startsWith('An index on'))).toEqual([]);
    });

  test('a condition with quotes, line breaks and backslashes in it is explained', async () => {
    const backslash = engine.kind === 'mysql2' ? '\\\\' : '\\';
    for (const text of ["it''s", 'a "b" c', 'tab\there', 'two\nlines', `x${backslash}y`, '{"a": 1},']) {
      const { plan } = await explainOf(
        shop.session,
        `SELECT * FROM other JOIN big ON big.code = '${text}'`,
        false,
        signal(),
      );
      expect(plan.length).toBeGreaterThan(0);
    }
  });

  test('a step that no shared word fits keeps the words of the engine', async () => {
    const statements = [
      'SELECT k, count(*) FROM big GROUP BY k HAVING count(*) > 3 ORDER BY 2 LIMIT 3',
      'SELECT DISTINCT n FROM big WHERE id IN (SELECT k FROM few) OR n IN (SELECT n FROM other)',
      'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 9) SELECT * FROM r JOIN few ON k = i',
      'SELECT n, sum(k) OVER (PARTITION BY n ORDER BY id) FROM big UNION SELECT 1, 2 UNION ALL SELECT k, k FROM few',
      'UPDATE big SET n = (SELECT max(n) FROM other WHERE x = big.id) WHERE k = 1',
      'DELETE FROM other WHERE n NOT IN (SELECT k FROM few)',
    ];
    for (const sql of statements) {
      const { plan } = await explainOf(shop.session, sql, false, signal());
      expect(plan.length).toBeGreaterThan(0);
      for (const { operation, detail } of nodesOf(plan)) if (operation === 'other') expect(detail).toMatch(/\w/);
    }
  });
}

function nodesOf(nodes: readonly PlanNode[]): PlanNode[] {
  return nodes.flatMap((node) => [node, ...nodesOf(node.children)]);
}
