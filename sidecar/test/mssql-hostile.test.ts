import { AppError } from '@devdb/shared/errors';
import type { PeerOptions, PeerScript, PeerStep } from '../../fixtures/tds-peer/index.ts';
import { rights, SQL_SERVER } from '../../fixtures/tds-peer/index.ts';
import { SERVER_CONNECTIONS } from '../src/engines/limits.ts';
import { errorOf } from './helpers/error-of.ts';
import { CAPS, type PeerSession, patience, peerSession } from './helpers/mssql-peer.ts';
import { checkOf, explainOf, exportOf, previewOf, readOf, writeOf } from './helpers/statements.ts';

/** Servers that speak TDS but do not behave like SQL Server: nothing that was not approved runs or stays. */
const ONE: readonly PeerStep[] = [{ columns: [['a', 'int']], rows: [['1']] }];
const BABELFISH = {
  ...SQL_SERVER,
  banner: 'Babelfish for PostgreSQL with SQL Server Compatibility - 12.0.2000.8',
  babelfish: '5.2.0',
};

let at: PeerSession;

afterEach(async () => {
  await at.end();
});

/** Executes every statement. */
const runsAll: PeerScript = ({ sql }) => {
  if (/^(?:DELETE|INSERT|UPDATE|DROP|CREATE|MERGE|DECLARE @devdb)/.test(sql)) return [{ count: 1 }];
  return /^SELECT (?:a|slow|n)\b/.test(sql) ? ONE : undefined;
};

function nothingHappened(): void {
  expect(at.peer.ledger).toMatchObject({ ran: [], committed: [] });
}

describe('a server that ignores SET SHOWPLAN_XML ON and SET NOEXEC ON', () => {
  const deaf = (product?: PeerOptions['product']) =>
    peerSession(runsAll, { ignoresModes: true, ...(product === undefined ? {} : { product }) });

  it.each([
    'DROP VIEW v',
    'DELETE FROM t',
    'SELECT a FROM t',
    'MERGE t USING s ON t.a = s.a WHEN MATCHED THEN DELETE;',
  ])('plans nothing, and is not sent %s to be planned', async (sql) => {
    at = await deaf();
    expect(await errorOf(explainOf(at.session, sql, false, patience()))).toMatchObject({
      code: 'E_SQL',
      message: expect.stringContaining('cannot plan a statement without running it'),
    });
    nothingHappened();
    expect(at.peer.transcript.some(({ text }) => text === sql)).toBe(false);
  });

  it.each(['INSERT INTO t VALUES (1)', 'DROP TABLE t', 'UPDATE t SET a = 1'])(
    'is not sent %s to be checked',
    async (sql) => {
      at = await deaf();
      await checkOf(at.session, sql, patience());
      nothingHappened();
      expect(at.peer.transcript.some(({ text }) => text === sql)).toBe(false);
    },
  );

  it('is asked about a write without a number of rows', async () => {
    at = await deaf();
    const sql = 'MERGE t USING s ON t.a = s.a WHEN MATCHED THEN DELETE;';
    expect(await previewOf(at.session, sql, patience())).toEqual({
      affectedRows: undefined,
      estimate: expect.stringContaining('not known until it runs'),
    });
    nothingHappened();
  });

  it('is reported to do so where connections are listed', async () => {
    at = await deaf();
    await errorOf(explainOf(at.session, 'SELECT a', false, patience()));
    await checkOf(at.session, 'DELETE FROM t', patience());
    expect(at.session.guard.reason).toContain('ignores SET SHOWPLAN_XML ON and SET NOEXEC ON. It cannot plan');
  });

  it('is detected at the first call where it is not Microsoft’s', async () => {
    at = await deaf(BABELFISH);
    expect(await at.session.facts(patience())).toEqual({
      type: 'mssql',
      product: "Babelfish for PostgreSQL (not Microsoft's SQL Server)",
      version: SQL_SERVER.version,
    });
    expect(at.session.guard).toEqual({
      strength: 'guarded',
      reason: expect.stringMatching(/not Microsoft's SQL Server \(Babelfish for PostgreSQL\).*cannot plan/),
    });
    nothingHappened();
  });
});

describe('a server that does not know NOEXEC', () => {
  it('is not sent a statement to be checked', async () => {
    at = await peerSession((request, state) =>
      request.sql === 'SET NOEXEC ON'
        ? [{ error: { number: 33557097, message: "'SET NOEXEC' is not supported" } }]
        : runsAll(request, state),
    );
    await checkOf(at.session, 'DELETE FROM t', patience());
    nothingHappened();
  });
});

describe("another vendor's server", () => {
  it.each([
    ['by its words', { ...SQL_SERVER, banner: 'Other Server 1.0' }],
    ['by what it knows of itself, whatever it calls itself', { ...SQL_SERVER, babelfish: '5.2.0' }],
    ['by saying nothing', { ...SQL_SERVER, banner: '' }],
  ])('is recognized %s, and never called enforced', async (_how, product) => {
    at = await peerSession(({ sql }) => (sql.includes('IS_SRVROLEMEMBER') ? [rights(0, 0, 0, 0, 0, 0)] : undefined), {
      product,
    });
    expect((await at.session.facts(patience())).product).toContain("not Microsoft's");
    expect(at.session.guard).toMatchObject({ strength: 'guarded', reason: expect.stringContaining('not Microsoft') });
  });

  it('cannot control how its name looks', async () => {
    const banner = `Evil\nserver\u202e ${'x'.repeat(500)}`;
    at = await peerSession(undefined, { product: { ...SQL_SERVER, banner } });
    const { product = '' } = await at.session.facts(patience());
    expect(product).toMatch(/^Evil server +x+ \(not Microsoft's SQL Server\)$/);
    expect(product.length).toBeLessThan(120);
  });
});

describe('a query about rights that fails and ends the transaction', () => {
  it('comes before there is one, so that the statement runs in its own', async () => {
    at = await peerSession((request, state) =>
      request.sql.includes('IS_SRVROLEMEMBER')
        ? [
            {
              error: { number: 1205, severity: 13, message: 'You have been chosen as the deadlock victim.' },
              rollsBack: true,
            },
          ]
        : runsAll(request, state),
    );
    expect(await readOf(at.session, 'SELECT a FROM t', CAPS, patience())).toMatchObject({ kind: 'rows' });
    expect(at.peer.transcript.find(({ text }) => text === 'SELECT a FROM t')).toMatchObject({ transactions: 1 });
    const asked = at.peer.transcript.find(({ text }) => text.includes('IS_SRVROLEMEMBER'));
    expect(asked).toMatchObject({ transactions: 0 });
    expect(at.session.guard.strength).toBe('guarded');
  });

  it('is sent again at the next call', async () => {
    let asked = 0;
    at = await peerSession((request, state) => {
      if (!request.sql.includes('IS_SRVROLEMEMBER')) return runsAll(request, state);
      asked += 1;
      return asked === 1
        ? [{ error: { number: 1222, message: 'Lock request time out period exceeded.' } }]
        : [rights(0, 0, 0, 0, 0, 0)];
    });
    await readOf(at.session, 'SELECT a FROM t', CAPS, patience());
    expect(at.session.guard.reason).toContain('did not tell');
    await readOf(at.session, 'SELECT a FROM t', CAPS, patience());
    expect(at.session.guard.strength).toBe('enforced');
  });
});

describe('a server that opens no transaction', () => {
  it.each([
    ['a read', () => readOf(at.session, 'SELECT a FROM t', CAPS, patience())],
    ['a write', () => writeOf(at.session, 'DELETE FROM t', CAPS, 1, patience())],
    ['an export', () => exportOf(at.session, 'SELECT a FROM t', 'csv', { write: async () => undefined }, patience())],
    ['a plan', () => explainOf(at.session, 'DELETE FROM t', false, patience())],
    ['a measured plan', () => explainOf(at.session, 'SELECT a FROM t', true, patience())],
    ['a check', () => checkOf(at.session, 'DELETE FROM t', patience())],
  ])('is sent nothing of %s', async (_what, call) => {
    at = await peerSession(runsAll, { ignoresBegin: true });
    expect(await errorOf(call())).toMatchObject({ code: 'E_SQL', details: { guardMissing: true } });
    nothingHappened();
    await at.peer.seen(({ event }) => event === 'closed');
  });
});

describe('a statement that ends its own transaction', () => {
  it.each([
    ['a write', () => writeOf(at.session, 'DELETE FROM t', CAPS, 1, patience())],
    ['an export', () => exportOf(at.session, 'SELECT a FROM t', 'csv', { write: async () => undefined }, patience())],
  ])('is reported in %s, and its connection is cut', async (_what, call) => {
    at = await peerSession((request, state) => {
      const steps = runsAll(request, state);
      if (steps !== undefined) state.transactions = 0;
      return steps;
    });
    expect(await errorOf(call())).toMatchObject({ code: 'E_SQL', details: { guardBreached: true } });
    await at.peer.seen(({ event }) => event === 'closed');
    expect(at.peer.transcript.some(({ text }) => text.startsWith('COMMIT'))).toBe(false);
  });
});

describe('a plan that is empty', () => {
  it('leaves the write to the question', async () => {
    at = await peerSession(({ sql }, { modes }) =>
      modes.has('SHOWPLAN_XML') && sql.startsWith('MERGE') ? [] : undefined,
    );
    const sql = 'MERGE t USING s ON t.a = s.a WHEN MATCHED THEN DELETE;';
    expect((await previewOf(at.session, sql, patience())).estimate).toContain('How many rows it changes is not known');
    nothingHappened();
  });
});

describe("the server's objection to a catalogue query", () => {
  const calls = [
    ['get-tables', () => at.session.tables(patience())],
    ['get-schema', () => at.session.schema('t', patience())],
    ['get-overview', () => at.session.overview(undefined, patience())],
    ['search-schema', () => at.session.search('t', undefined, patience())],
    ['get-database-type', () => at.session.facts(patience())],
  ] as const;

  it.each(calls)('that runs as another user is explained in %s', async (_tool, call) => {
    const refusesUser = {
      number: 15517,
      message: 'Cannot execute as the database principal because the principal "agent_ro" does not exist.',
    };
    at = await peerSession(undefined, { refusesUser }, { options: { encrypt: 'false', executeAsUser: 'agent_ro' } });
    expect(await errorOf(call())).toMatchObject({
      code: 'E_SQL',
      message: expect.stringContaining('agent_ro'),
      hint: expect.stringContaining('executeAsUser'),
      details: { engineCode: '15517' },
    });
  });

  it.each([1222, 1205])('with error %i is explained, whichever query it meets', async (number) => {
    for (const [tool, call] of calls.slice(0, 4)) {
      at = await peerSession(({ kind, sql }) =>
        kind === 'rpc' && !sql.startsWith('DECLARE @names')
          ? [{ error: { number, severity: 13, message: `The server gave up ${tool}.` }, rollsBack: true }]
          : undefined,
      );
      expect(await errorOf(call())).toMatchObject({
        code: 'E_SQL',
        message: `The server gave up ${tool}.`,
        details: { engineCode: String(number) },
      });
      await at.end();
    }
  });

  it.each([1222, 1205, 229])("with error %i prevents only a write's dry run", async (number) => {
    at = await peerSession((request, state) =>
      request.sql.includes('sys.triggers') && request.kind === 'rpc'
        ? [{ error: { number, message: 'Not now.' } }]
        : state.modes.has('SHOWPLAN_XML')
          ? undefined
          : runsAll(request, state),
    );
    expect(await previewOf(at.session, 'DELETE FROM t', patience())).toMatchObject({ affectedRows: undefined });
    nothingHappened();
  });
});

describe('a stop that the server confirms late', () => {
  const slow: PeerScript = ({ sql }) =>
    sql === 'SELECT slow' ? [{ until: going }] : sql === 'SELECT a FROM t' ? ONE : undefined;
  let going: Promise<void> = Promise.resolve();

  it('keeps its place in the pool until then, is logged and reported', async () => {
    const over = Promise.withResolvers<void>();
    going = over.promise;
    at = await peerSession(slow, { attentionAfter: () => over.promise });
    const stop = new AbortController();
    const calls = Array.from({ length: SERVER_CONNECTIONS }, () =>
      errorOf(readOf(at.session, 'SELECT slow', CAPS, stop.signal)),
    );
    await Promise.all(
      calls.map((_, i) => at.peer.seen(({ connection, text }) => connection === i + 1 && text === 'SELECT slow')),
    );
    stop.abort(new AppError('E_TIMEOUT', 'Too long.'));
    expect((await Promise.all(calls)).every(({ code }) => code === 'E_TIMEOUT')).toBe(true);
    await saidLeft(SERVER_CONNECTIONS);
    expect(at.logged.filter(({ event }) => event === 'mssql-still-runs')).toHaveLength(SERVER_CONNECTIONS);
    const waiting = new AbortController();
    const statement = await at.session.prepare('SELECT a FROM t', waiting.signal);
    if (statement.effect === 'refused') throw new Error(statement.reason);
    const next = errorOf(statement.read(CAPS, waiting.signal));
    waiting.abort(new AppError('E_TIMEOUT', 'It did not finish.'));
    expect(await next).toMatchObject({
      code: 'E_TIMEOUT',
      message: `It did not finish. No connection was free. ${SERVER_CONNECTIONS} cancelled statements are still running on the server.`,
    });
    expect(at.peer.openConnections).toBe(SERVER_CONNECTIONS);
    over.resolve();
    expect(await readOf(at.session, 'SELECT a FROM t', CAPS, patience())).toMatchObject({ kind: 'rows' });
    await saidLeft(0);
  });

  it('does not delay the end of the session', async () => {
    going = new Promise(() => undefined);
    at = await peerSession(slow, { attentionAfter: () => going });
    const stop = new AbortController();
    const call = errorOf(readOf(at.session, 'SELECT slow', CAPS, stop.signal));
    await at.peer.seen(({ text }) => text === 'SELECT slow');
    stop.abort(new AppError('E_CANCELLED', 'Stopped.'));
    await call;
    const start = performance.now();
    await at.session.end();
    expect(performance.now() - start).toBeLessThan(4_000);
    await at.peer.seen(({ event }) => event === 'closed');
  });

  async function saidLeft(count: number): Promise<void> {
    const words =
      count === 0 ? /^(?!.*cancelled)/ : new RegExp(`${count} cancelled statements? (?:is|are) still running`);
    while (!words.test(at.session.guard.reason)) await new Promise<void>((resolve) => setImmediate(resolve));
  }
});

describe('rows that keep arriving after a stop', () => {
  it('are read and discarded, and the connection is closed after them', async () => {
    const cells = Array.from({ length: 8 }, () => '12345678901.1234');
    const columns = cells.map((_, i) => [`c${i}`, 'decimal(20,4)'] as const);
    const rows = Array.from({ length: 5_000 }, () => cells);
    at = await peerSession(({ sql }) => (sql === 'SELECT n' ? [{ columns, rows, isDeaf: true }] : undefined));
    const outcome = await readOf(at.session, 'SELECT n', { ...CAPS, rows: 10 }, patience());
    expect(outcome).toMatchObject({ kind: 'rows', rows: { rowCount: 10, truncated: true } });
    // On a busy machine the answer does not wait for all of them, but the connection does.
    while (at.peer.rowsSent < 5_000) await new Promise<void>((resolve) => setImmediate(resolve));
    await at.peer.seen(({ event }) => event === 'closed');
    expect(at.peer.ledger.committed).toEqual([]);
  });
});
