import type { AppError, ErrorCode, ErrorDetails } from '@devdb/shared/errors';
import type { Caps, Target } from '../src/engines/engine.ts';
import { openEngine } from '../src/engines/index.ts';
import { runQuery } from '../src/tools/run-query.ts';
import { engineContext } from './helpers/engine-target.ts';
import {
  type EngineName,
  type EngineUnderTest,
  enginesUnderTest,
  type OpenedShop,
  type StartedEngine,
  sqliteBundle,
} from './helpers/engines-under-test.ts';
import { holdRow } from './helpers/lock-holder.ts';
import { readOf, writeOf } from './helpers/statements.ts';
import { deadPort } from './helpers/stranger.ts';
import { unaskedContext } from './helpers/tool-context.ts';

const CAPS: Caps = { rows: 10, bytes: 32 * 1024, cellBytes: 4 * 1024 };
const DUPLICATE = "INSERT INTO customers (id, email, name) VALUES (1, 'new@example.com', 'New')";

/** What an engine calls an error; all of it, so that a field more or less is a difference. */
type Names = Pick<ErrorDetails, 'engineCode' | 'errno' | 'sqlState'>;
const mysql = (engineCode: string, errno: number, sqlState: string): Names => ({ engineCode, errno, sqlState });
const postgres = (state: string): Names => ({ engineCode: state, sqlState: state });
const mssql = (errno: number): Names => ({ engineCode: String(errno), errno });

const STATEMENTS: readonly (readonly [what: string, sql: string, code: ErrorCode, names: Record<EngineName, Names>])[] =
  [
    [
      'an unknown column',
      'SELECT emial FROM customers',
      'E_SQL',
      {
        sqlite: { engineCode: 'SQLITE_ERROR' },
        postgres: postgres('42703'),
        mysql: mysql('ER_BAD_FIELD_ERROR', 1054, '42S22'),
        mariadb: mysql('ER_BAD_FIELD_ERROR', 1054, '42S22'),
        mssql: mssql(207),
      },
    ],
    [
      'an unknown table',
      'SELECT * FROM costumers',
      'E_UNKNOWN_TABLE',
      {
        sqlite: { engineCode: 'SQLITE_ERROR' },
        postgres: postgres('42P01'),
        mysql: mysql('ER_NO_SUCH_TABLE', 1146, '42S02'),
        mariadb: mysql('ER_NO_SUCH_TABLE', 1146, '42S02'),
        mssql: mssql(208),
      },
    ],
    [
      'a slip of syntax',
      'SELECT id FROM customers WHERE ORDER BY id',
      'E_SQL',
      {
        sqlite: { engineCode: 'SQLITE_ERROR' },
        postgres: postgres('42601'),
        mysql: mysql('ER_PARSE_ERROR', 1064, '42000'),
        mariadb: mysql('ER_PARSE_ERROR', 1064, '42000'),
        mssql: mssql(156),
      },
    ],
    [
      'a key that is there already',
      DUPLICATE,
      'E_SQL',
      {
        sqlite: { engineCode: 'SQLITE_CONSTRAINT_PRIMARYKEY' },
        postgres: postgres('23505'),
        mysql: mysql('ER_DUP_ENTRY', 1062, '23000'),
        mariadb: mysql('ER_DUP_ENTRY', 1062, '23000'),
        mssql: mssql(2627),
      },
    ],
  ];

/** A row that another session has changed. On SQL Server the scripted peer shows it. */
const LOCKED: Record<Exclude<EngineName, 'mssql'>, readonly [ErrorCode, Names]> = {
  sqlite: ['E_NO_CONNECTION', { engineCode: 'SQLITE_BUSY' }],
  postgres: ['E_SQL', postgres('55P03')],
  mysql: ['E_SQL', mysql('ER_LOCK_WAIT_TIMEOUT', 1205, 'HY000')],
  mariadb: ['E_SQL', mysql('ER_LOCK_WAIT_TIMEOUT', 1205, 'HY000')],
};

for (const engine of enginesUnderTest(process.env)) describe(`on ${engine.name}`, () => contract(engine));

function contract(engine: EngineUnderTest): void {
  const { name, kind } = engine;
  let started: StartedEngine;
  let shop: OpenedShop;
  const signal = (): AbortSignal => AbortSignal.timeout(30_000);

  beforeAll(async () => {
    started = await engine.start();
    shop = await started.open();
  });
  afterAll(async () => {
    await shop.close();
    await started.stop();
  });

  test.each(STATEMENTS)('%s is called by the engine’s own code', async (_, sql, code, names) => {
    const run =
      sql === DUPLICATE
        ? writeOf(shop.session, sql, CAPS, undefined, signal())
        : readOf(shop.session, sql, CAPS, signal());
    const error = await errorOf(run);
    expect([error.code, namesOf(error)]).toEqual([code, names[name]]);
    const isOurSentence = error.details?.engineMessage !== undefined;
    expect(isOurSentence ? error.details?.engineMessage : error.message).toMatch(/\w/);
  });

  test('a name that is not known comes with those that are near', async () => {
    for (const [sql, near] of [
      ['SELECT emial FROM customers', ['email']],
      ['SELECT * FROM costumers', ['customers']],
      ['SELECT qqqqqqqq FROM customers', []],
      ['SELECT c.emial FROM customers c JOIN orders o ON o.customer_id = c.id', ['email']],
      ['SELECT 1 FROM orders WHERE EXISTS (SELECT 1 FROM customers WHERE emial = name)', ['email']],
      ['WITH c AS (SELECT emial FROM customers) SELECT * FROM c', ['email']],
      // Columns of other tables are no help, even of one whose name is part of a word in the statement.
      ["SELECT emial FROM orders WHERE 'x' = 'customersx'", []],
    ] as const) {
      expect((await errorOf(readOf(shop.session, sql, CAPS, signal()))).details?.near).toEqual(near);
    }
  });

  test('where no column is near, those that there are come with the error', async () => {
    const { hint } = await errorOf(readOf(shop.session, 'SELECT qqqqqqqq FROM customers', CAPS, signal()));
    expect(hint).toMatch(/^The columns are: id, email, name\b/);
  });

  test.each(['SELECT 1; SELECT 2', 'SELECT 1;;SELECT 2;', '/* a */ SELECT 1; -- b\nDELETE FROM orders'])(
    '%j is called several statements, with the way to send several reads',
    async (sql) => {
      const run = runQuery({ query: sql }, unaskedContext(shop.session));
      await expect(run).rejects.toMatchObject({
        code: 'E_SQL',
        message: expect.stringContaining('several statements'),
        hint: expect.stringContaining('run-queries'),
      });
    },
  );

  test('a semicolon at the end or in a text makes no second statement', async () => {
    const { rows } = await runQuery({ query: "SELECT 'a; b' AS c;" }, unaskedContext(shop.session));
    expect(rows).toEqual([['a; b']]);
  });

  if (name !== 'mssql') {
    test.each([
      ["UPDATE customers SET emial = 'x'"],
      ["INSERT INTO customers (id, emial) VALUES (77, 'x')"],
      ['DELETE FROM customers WHERE emial IS NULL'],
    ])('%s names the columns that are near', async (sql) => {
      const error = await errorOf(runQuery({ query: sql }, unaskedContext(shop.session)));
      expect(error).toMatchObject({
        code: 'E_SQL',
        details: { near: ['email'] },
        hint: expect.stringContaining('email'),
      });
    });

    test('a change without a user to ask says what it would change, and changes nothing', async () => {
      const sql = 'DELETE FROM shipments';
      const error = await errorOf(runQuery({ query: sql }, unaskedContext(shop.session)));
      expect(error).toMatchObject({
        code: 'E_CONFIRMATION_REQUIRED',
        message: expect.stringContaining('It would change 2 rows.'),
        details: { applied: false, preview: { affectedRows: 2 } },
      });
      expect(`${error.message} ${error.hint}`).not.toMatch(/writes|Devdb\.|serve|setting|allow/);
      const { rows } = await runQuery({ query: 'SELECT count(*) FROM shipments' }, unaskedContext(shop.session));
      expect(Number(rows[0]?.[0])).toBe(2);
    });

    test('a change that would fail still says that it needs a person, and why it fails', async () => {
      const error = await errorOf(runQuery({ query: DUPLICATE }, unaskedContext(shop.session)));
      expect(error).toMatchObject({ code: 'E_CONFIRMATION_REQUIRED', details: { applied: false } });
    });

    test('a row that another session holds is called by the engine’s own code', async () => {
      const letGo = await holdRow(kind, shop.target, "UPDATE customers SET name = 'Held' WHERE id = 1");
      try {
        const sql = "UPDATE customers SET name = 'Mine' WHERE id = 1";
        const error = await errorOf(writeOf(shop.session, sql, CAPS, undefined, signal()));
        expect([error.code, namesOf(error)]).toEqual(LOCKED[name]);
      } finally {
        await letGo();
      }
    }, 40_000);
  }

  test('a database that is not there is called by the system’s code', async () => {
    const bundle = await sqliteBundle();
    const session = await openEngine(kind, await nowhere(shop.target), engineContext(undefined, bundle.dir));
    try {
      const error = await errorOf(readOf(session, 'SELECT 1', CAPS, signal()));
      const engineCode = 'file' in shop.target ? 'ENOENT' : 'ECONNREFUSED';
      expect([error.code, namesOf(error)]).toEqual(['E_NO_CONNECTION', { engineCode }]);
    } finally {
      await session.end();
      bundle.remove();
    }
  });
}

async function nowhere(target: Target): Promise<Target> {
  if ('file' in target) return { file: `${target.file}.missing` };
  return { ...target, port: await deadPort() };
}

async function errorOf(run: Promise<unknown>): Promise<AppError> {
  return run.then(
    (answer) => {
      throw new Error(`No error: ${JSON.stringify(answer)}`);
    },
    (error: AppError) => error,
  );
}

function namesOf({ details = {} }: AppError): Names {
  const { engineCode, errno, sqlState } = details;
  return {
    ...(engineCode === undefined ? {} : { engineCode }),
    ...(errno === undefined ? {} : { errno }),
    ...(sqlState === undefined ? {} : { sqlState }),
  };
}
