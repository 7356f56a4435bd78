import type { PeerCell, PeerColumn, PeerStep } from '../../fixtures/tds-peer/index.ts';
import { rights } from '../../fixtures/tds-peer/index.ts';
import { CAPS, type PeerSession, patience, peerSession } from './helpers/mssql-peer.ts';
import { exportOf, readOf } from './helpers/statements.ts';

const MANY_ROWS = 200_000;
let at: PeerSession;

afterEach(async () => {
  await at.end();
});

/** Answers the test's statements by their text. */
async function answering(answers: Readonly<Record<string, readonly PeerStep[]>>): Promise<void> {
  at = await peerSession(({ sql }) => answers[sql]);
}

function* numbers(count: number): Generator<readonly PeerCell[]> {
  for (let i = 0; i < count; i += 1) yield [String(i), 'x'.repeat(20)];
}

async function rowsOf(sql: string): Promise<unknown> {
  const outcome = await readOf(at.session, sql, CAPS, patience());
  return outcome.kind === 'rows' ? outcome.rows : outcome;
}

describe('values', () => {
  const cases: readonly (readonly [type: string, sent: PeerCell, told: string, read: unknown])[] = [
    ['tinyint', '255', 'tinyint', 255],
    ['smallint', '-32768', 'smallint', -32768],
    ['int', '-2147483648', 'int', -2147483648],
    ['int not null', '7', 'int', 7],
    ['bigint', '9223372036854775807', 'bigint', '9223372036854775807'],
    ['bigint', '-9223372036854775808', 'bigint', '-9223372036854775808'],
    ['bigint', '9007199254740991', 'bigint', 9007199254740991],
    ['bigint', '9007199254740993', 'bigint', '9007199254740993'],
    ['bigint not null', '-5', 'bigint', -5],
    ['bit', '1', 'bit', true],
    ['bit not null', '0', 'bit', false],
    ['real', '1.1', 'real', 1.1],
    ['float', '0.1', 'float', 0.1],
    ['decimal(38,10)', '12345678901234567890.1234567890', 'decimal(38,10)', '12345678901234567890.1234567890'],
    [
      'decimal(38,0)',
      '-99999999999999999999999999999999999999',
      'decimal(38,0)',
      '-99999999999999999999999999999999999999',
    ],
    ['decimal(10,2)', '1.50', 'decimal(10,2)', '1.50'],
    ['decimal(10,2)', '-0.05', 'decimal(10,2)', -0.05],
    ['decimal(5,0)', '0', 'decimal(5,0)', 0],
    ['numeric(19,4)', '123456789012345.6789', 'numeric(19,4)', '123456789012345.6789'],
    ['money', '922337203685477.5807', 'money', '922337203685477.5807'],
    ['money', '-922337203685477.5808', 'money', '-922337203685477.5808'],
    ['money not null', '-0.0001', 'money', -0.0001],
    ['smallmoney', '-214748.3648', 'smallmoney', -214748.3648],
    ['date', '0001-01-01', 'date', '0001-01-01'],
    ['date', '9999-12-31', 'date', '9999-12-31'],
    ['time(7)', '23:59:59.9999999', 'time(7)', '23:59:59.9999999'],
    ['time(0)', '02:30:00', 'time(0)', '02:30:00'],
    ['datetime2(7)', '2024-03-10 02:30:00.1234567', 'datetime2(7)', '2024-03-10 02:30:00.1234567'],
    ['datetime2(3)', '0001-01-01 00:00:00.001', 'datetime2(3)', '0001-01-01 00:00:00.001'],
    [
      'datetimeoffset(7)',
      '2024-03-10 02:30:00.1234567 +05:45',
      'datetimeoffset(7)',
      '2024-03-10 02:30:00.1234567 +05:45',
    ],
    ['datetimeoffset(0)', '2024-01-01 00:30:00 -12:00', 'datetimeoffset(0)', '2024-01-01 00:30:00 -12:00'],
    ['datetime', '1753-01-01 00:00:00.003', 'datetime', '1753-01-01 00:00:00.003'],
    ['datetime', '9999-12-31 23:59:59.997', 'datetime', '9999-12-31 23:59:59.997'],
    ['datetime not null', '2024-03-10 02:30:00.123', 'datetime', '2024-03-10 02:30:00.123'],
    ['smalldatetime', '2079-06-06 23:59:00', 'smalldatetime', '2079-06-06 23:59:00'],
    [
      'uniqueidentifier',
      '0E984725-C51C-4BF4-9960-E1C80E27ABA0',
      'uniqueidentifier',
      '0E984725-C51C-4BF4-9960-E1C80E27ABA0',
    ],
    ['nvarchar(20)', 'ключ 値 👩‍💻', 'nvarchar(20)', 'ключ 値 👩‍💻'],
    ['nvarchar(20)', '', 'nvarchar(20)', ''],
    ['nvarchar(max)', 'long\0text', 'nvarchar(max)', 'long\0text'],
    ['varchar(20)', 'größe', 'varchar(20)', 'größe'],
    ['ntext', 'old', 'ntext', 'old'],
    ['xml', '<a b="1">é</a>', 'xml', '<a b="1">é</a>'],
    ['varbinary(8)', '00ff', 'varbinary(8)', { bytes: 2, hex: '00ff' }],
    ['varbinary(max)', '', 'varbinary(max)', { bytes: 0, hex: '' }],
    ['udt(hierarchyid)', '58', 'hierarchyid', { bytes: 1, hex: '58' }],
    ['udt(geography)', 'e6100000010c', 'geography', { bytes: 6, hex: 'e6100000010c' }],
    ['sql_variant', 'int -5', 'sql_variant', -5],
    ['sql_variant', 'bigint 9007199254740993', 'sql_variant', '9007199254740993'],
    ['sql_variant', 'decimal(38,10) 12345678901234567890.1234567890', 'sql_variant', '12345678901234567890.1234567890'],
    ['sql_variant', 'money 922337203685477.5807', 'sql_variant', '922337203685477.5807'],
    ['sql_variant', 'nvarchar(10) é', 'sql_variant', 'é'],
    ['sql_variant', 'varchar(10) plain', 'sql_variant', 'plain'],
    ['sql_variant', 'bit 1', 'sql_variant', true],
    ['sql_variant', 'real 1.1', 'sql_variant', 1.1],
    ['sql_variant', 'date 2024-03-10', 'sql_variant', '2024-03-10'],
    ['sql_variant', 'time(3) 01:02:03.004', 'sql_variant', '01:02:03.004'],
    ['sql_variant', 'datetime2(7) 2024-03-10 02:30:00.1234567', 'sql_variant', '2024-03-10 02:30:00.1234567'],
    ['sql_variant', 'datetimeoffset(2) 2024-03-10 02:30:00.12 -01:30', 'sql_variant', '2024-03-10 02:30:00.12 -01:30'],
    ['sql_variant', 'datetime 2024-03-10 02:30:00.123', 'sql_variant', '2024-03-10 02:30:00.123'],
    ['sql_variant', 'varbinary(4) 00ff', 'sql_variant', { bytes: 2, hex: '00ff' }],
    [
      'sql_variant',
      'uniqueidentifier 0E984725-C51C-4BF4-9960-E1C80E27ABA0',
      'sql_variant',
      '0E984725-C51C-4BF4-9960-E1C80E27ABA0',
    ],
  ];

  it('arrive exactly, of every type and in both forms of a row', async () => {
    const columns: PeerColumn[] = cases.map(([type], i) => [`c${i}`, type]);
    const row = cases.map(([, sent]) => sent);
    await answering({ 'SELECT 1': [{ columns, rows: [row] }], 'SELECT 2': [{ columns, rows: [row], short: true }] });
    const expected = {
      columns: cases.map(([, , told], i) => ({ name: `c${i}`, type: told })),
      rows: [cases.map(([, , , read]) => read)],
      rowCount: 1,
      truncated: false,
    };
    expect(await rowsOf('SELECT 1')).toEqual(expected);
    expect(await rowsOf('SELECT 2')).toEqual(expected);
  });

  it('are null where there is none, whatever the type', async () => {
    const nullable = cases.filter(([type]) => !type.endsWith('not null'));
    const columns: PeerColumn[] = nullable.map(([type], i) => [`c${i}`, type]);
    const row = nullable.map(() => null);
    await answering({ 'SELECT 1': [{ columns, rows: [row] }], 'SELECT 2': [{ columns, rows: [row], short: true }] });
    expect(await rowsOf('SELECT 1')).toMatchObject({ rows: [row] });
    expect(await rowsOf('SELECT 2')).toMatchObject({ rows: [row] });
  });

  it('keep their columns where names are repeated or missing', async () => {
    await answering({
      'SELECT 1': [
        {
          columns: [
            ['a', 'int'],
            ['a', 'int'],
            ['', 'money'],
          ],
          rows: [['1', '2', '3']],
        },
      ],
    });
    expect(await rowsOf('SELECT 1')).toMatchObject({
      columns: [{ name: 'a' }, { name: 'a' }, { name: '' }],
      rows: [[1, 2, '3.0000']],
    });
  });

  it('are the same when a server sends an unknown user type', async () => {
    await answering({ 'SELECT 1': [{ columns: [['a', 'varbinary(4)', 0xd000006a]], rows: [['00ff']] }] });
    expect(await rowsOf('SELECT 1')).toMatchObject({
      columns: [{ type: 'varbinary(4)' }],
      rows: [[{ bytes: 2, hex: '00ff' }]],
    });
  });

  it('are cut at the cell cap, reporting their full length', async () => {
    await answering({
      'SELECT 1': [
        {
          columns: [
            ['a', 'nvarchar(max)'],
            ['b', 'varbinary(max)'],
          ],
          rows: [['é'.repeat(100_000), '00'.repeat(50_000)]],
        },
      ],
    });
    expect(await rowsOf('SELECT 1')).toMatchObject({
      cut: [
        { row: 0, column: 0, length: 200_000 },
        { row: 0, column: 1, length: 50_000 },
      ],
    });
  });
});

describe('the guard', () => {
  const ONE: readonly PeerStep[] = [{ columns: [['a', 'int']], rows: [['1']] }];

  it('opens a transaction, runs the statement unchanged, checks that it is still open and rolls it back', async () => {
    await answering({ 'SELECT a FROM t -- as written': ONE });
    await rowsOf('SELECT a FROM t -- as written');
    await rowsOf('SELECT a FROM t -- as written');
    // On the second connection: the server's product and the login's rights are asked for once.
    expect(at.peer.texts(2).slice(1)).toEqual([
      expect.any(String),
      'SET LOCK_TIMEOUT 5000; SET DEADLOCK_PRIORITY LOW; SET TEXTSIZE 268435458; SET NOCOUNT OFF; SET IMPLICIT_TRANSACTIONS OFF; SELECT @@SPID',
      expect.stringContaining('OBJECT_ID'),
      'SET XACT_ABORT OFF; BEGIN TRANSACTION; SELECT @@TRANCOUNT',
      'SELECT a FROM t -- as written',
      'SELECT @@TRANCOUNT',
      'ROLLBACK TRANSACTION',
    ]);
    const sent = at.peer.transcript.find(({ text }) => text.startsWith('SELECT a FROM t'));
    expect(sent).toMatchObject({ event: 'batch', transactions: 1 });
  });

  it('never reuses a connection', async () => {
    await answering({ 'SELECT 1': ONE });
    for (let i = 0; i < 3; i += 1) await rowsOf('SELECT 1');
    expect(at.peer.transcript.filter(({ event }) => event === 'login')).toHaveLength(3);
    await at.peer.seen(({ connection, event }) => connection === 3 && event === 'closed');
    expect(at.peer.openConnections).toBe(0);
  });

  it.each([0, 2])('withholds the rows and says so when %i transactions are open after the statement', async (open) => {
    at = await peerSession(({ sql }, state) => {
      if (sql !== 'SELECT dbo.f()') return undefined;
      state.transactions = open;
      return ONE;
    });
    await expect(rowsOf('SELECT dbo.f()')).rejects.toMatchObject({
      code: 'E_SQL',
      message: expect.stringContaining('may have persisted'),
      details: { guardBreached: true, mayHaveBeenCarriedOut: true, openTransactions: String(open) },
    });
    await at.peer.seen(({ event }) => event === 'closed');
    expect(at.peer.transcript.some(({ text }) => text.startsWith('ROLLBACK'))).toBe(false);
  });

  it('runs as the configured user, and cannot go back', async () => {
    at = await peerSession(
      ({ sql }) => (sql === 'SELECT 1' ? ONE : undefined),
      {},
      { options: { encrypt: false, executeAsUser: 'agent_ro' } },
    );
    await rowsOf('SELECT 1');
    expect(at.peer.texts(1)[2]).toContain("; EXECUTE AS USER = N'agent_ro' WITH NO REVERT; SELECT @@SPID");
  });

  it('sends nothing that is not a read', async () => {
    await answering({});
    expect(await rowsOf('DELETE FROM t')).toEqual({ kind: 'is-write', verb: 'DELETE' });
    await expect(rowsOf('SELECT 1 DELETE t')).rejects.toMatchObject({ code: 'E_SQL', details: { refused: true } });
    expect(at.peer.transcript).toEqual([]);
  });

  it.each([
    ['a member of sysadmin', rights(1, 1, 30, 90, 0, 0), 'guarded', 'is a member of sysadmin'],
    ['the owner of the database', rights(0, 1, 0, 70, 0, 0), 'guarded', 'owns the database'],
    ['a login with a right to write one table', rights(0, 0, 0, 0, 1, 0), 'guarded', 'may do more than read'],
    ['the owner of a schema', rights(0, 0, 0, 0, 0, 1), 'guarded', 'may do more than read'],
    ['a login that can only read', rights(0, 0, 0, 0, 0, 0), 'enforced', 'SQL Server itself refuses'],
  ])('reports truthfully on %s', async (_who, answer, strength, words) => {
    at = await peerSession(({ sql }) =>
      sql.includes('IS_SRVROLEMEMBER') ? [answer] : sql === 'SELECT 1' ? ONE : undefined,
    );
    expect(at.session.guard.strength).toBe('guarded');
    await rowsOf('SELECT 1');
    expect(at.session.guard).toEqual({ strength, reason: expect.stringContaining(words) });
  });

  it('is called guarded when the server does not show the rights', async () => {
    at = await peerSession(({ sql }) => {
      if (sql.includes('IS_SRVROLEMEMBER'))
        return [{ error: { number: 229, message: 'The SELECT permission was denied.' } }];
      return sql === 'SELECT 1' ? ONE : undefined;
    });
    await rowsOf('SELECT 1');
    expect(at.session.guard).toEqual({ strength: 'guarded', reason: expect.stringContaining('did not tell') });
  });
});

describe('caps', () => {
  const columns: readonly PeerColumn[] = [
    ['n', 'int'],
    ['t', 'nvarchar(20)'],
  ];

  it('stop the statement on the server at the first row over', async () => {
    at = await peerSession(({ sql }) => (sql === 'SELECT n' ? [{ columns, rows: numbers(MANY_ROWS) }] : undefined));
    const outcome = await readOf(at.session, 'SELECT n', { ...CAPS, rows: 100 }, patience());
    expect(outcome).toMatchObject({ rows: { rowCount: 100, truncated: true } });
    expect(at.peer.rowsSent).toBeLessThan(MANY_ROWS / 4);
    // After the stop, the transaction is still rolled back.
    expect(at.peer.texts(1).slice(-4)).toEqual(['SELECT n', 'attention', 'SELECT @@TRANCOUNT', 'ROLLBACK TRANSACTION']);
  });

  it('apply to bytes too', async () => {
    at = await peerSession(({ sql }) => (sql === 'SELECT n' ? [{ columns, rows: numbers(MANY_ROWS) }] : undefined));
    const outcome = await readOf(at.session, 'SELECT n', { ...CAPS, bytes: 1000 }, patience());
    expect(outcome).toMatchObject({ rows: { truncated: true } });
    expect(at.peer.rowsSent).toBeLessThan(MANY_ROWS / 4);
  });

  it('give the answer even when the server does not confirm the stop', async () => {
    at = await peerSession(
      ({ sql }) =>
        sql === 'SELECT n'
          ? [
              {
                columns,
                rows: [
                  ['1', 'a'],
                  ['2', 'b'],
                ],
              },
              { stall: true },
            ]
          : undefined,
      {
        ignoresAttention: true,
      },
    );
    expect(await readOf(at.session, 'SELECT n', { ...CAPS, rows: 1 }, patience())).toMatchObject({
      rows: { rowCount: 1, truncated: true, messages: [expect.stringContaining('may still be running')] },
    });
  });
});

describe('messages beside the rows', () => {
  it('keep warnings and notices, except those about the session', async () => {
    await answering({
      'SELECT 1': [
        { info: { number: 5701, message: "Changed database context to 'shop'." } },
        {
          info: { number: 8153, message: 'Warning: Null value is eliminated by an aggregate or other SET operation.' },
        },
        { columns: [['a', 'int']], rows: [['1']] },
      ],
    });
    expect(await rowsOf('SELECT 1')).toMatchObject({
      messages: ['Warning: Null value is eliminated by an aggregate or other SET operation.'],
    });
  });

  it('mention that later results are left out', async () => {
    await answering({
      'SELECT 1': [
        { columns: [['a', 'int']], rows: [['1']] },
        {
          columns: [
            ['b', 'money'],
            ['c', 'nvarchar(max)'],
          ],
          rows: [
            ['1', 'x'],
            ['2', 'y'],
          ],
        },
      ],
    });
    expect(await rowsOf('SELECT 1')).toMatchObject({
      columns: [{ name: 'a' }],
      rows: [[1]],
      messages: [expect.stringContaining('2 results')],
    });
  });
});

describe('an export', () => {
  const columns: readonly PeerColumn[] = [
    ['n', 'int'],
    ['t', 'nvarchar(20)'],
    ['d', 'decimal(20,4)'],
  ];

  it('writes every row, exactly', async () => {
    await answering({
      'SELECT n': [
        {
          columns,
          rows: [
            ['1', 'a,"b"', '12345678901234.5678'],
            ['2', null, null],
            ['3', '', '0'],
          ],
        },
      ],
    });
    const chunks: string[] = [];
    let rows = 0;
    const sink = {
      write: async (chunk: Buffer, count: number) => {
        chunks.push(chunk.toString());
        rows += count;
      },
    };
    await exportOf(at.session, 'SELECT n', 'csv', sink, patience());
    expect(chunks.join('')).toBe('n,t,d\r\n1,"a,""b""",12345678901234.5678\r\n2,,\r\n3,"",0.0000\r\n');
    expect(rows).toBe(3);
  });

  it('waits for a slow sink, and so does the server', async () => {
    at = await peerSession(({ sql }) =>
      sql === 'SELECT n' ? [{ columns: columns.slice(0, 2), rows: numbers(MANY_ROWS) }] : undefined,
    );
    const first = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    let rows = 0;
    const sink = {
      write: async (_chunk: Buffer, count: number) => {
        first.resolve();
        await go.promise;
        rows += count;
      },
    };
    const exporting = exportOf(at.session, 'SELECT n', 'jsonl', sink, patience());
    await first.promise;
    const early = await settledRows();
    expect(early).toBeLessThan(MANY_ROWS);
    go.resolve();
    await exporting;
    expect(rows).toBe(MANY_ROWS);
  });

  /** Rows the peer could send before everything between it and the sink was full. */
  async function settledRows(): Promise<number> {
    for (let last = -1; last !== at.peer.rowsSent; ) {
      last = at.peer.rowsSent;
      for (let turn = 0; turn < 50; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return at.peer.rowsSent;
  }

  it("ends with the sink's error, and so does the connection", async () => {
    at = await peerSession(({ sql }) =>
      sql === 'SELECT n' ? [{ columns: columns.slice(0, 2), rows: numbers(MANY_ROWS) }] : undefined,
    );
    const sink = {
      write: async () => {
        throw new Error('disk full');
      },
    };
    await expect(exportOf(at.session, 'SELECT n', 'csv', sink, patience())).rejects.toThrow('disk full');
    await at.peer.seen(({ event }) => event === 'closed');
  });

  it('refuses a write', async () => {
    await answering({});
    const sink = { write: async () => undefined };
    await expect(exportOf(at.session, 'DELETE FROM t', 'csv', sink, patience())).rejects.toMatchObject({
      code: 'E_READ_ONLY',
    });
  });
});
