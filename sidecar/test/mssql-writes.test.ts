import type { PeerCell, PeerRequest, PeerScript, PeerStep } from '../../fixtures/tds-peer/index.ts';
import { CAPS, type PeerSession, patience, peerSession } from './helpers/mssql-peer.ts';
import { checkOf, previewOf, writeOf } from './helpers/statements.ts';

let at: PeerSession;

afterEach(async () => {
  await at.end();
});

interface TableTraces {
  readonly identities?: number;
  readonly sequences?: number;
  readonly triggers?: number;
  readonly isMemory?: boolean;
  readonly isThere?: boolean;
}

/** The catalogue's facts about a table a dry run would change. */
function traces({
  identities = 0,
  sequences = 0,
  triggers = 0,
  isMemory = false,
  isThere = true,
}: TableTraces): PeerStep[] {
  const row: PeerCell[] = ['1', isMemory ? '1' : '0', '0', '0', String(identities), String(sequences)];
  return [
    {
      columns: [
        ['object_id', 'int'],
        ['memory', 'bit'],
        ['filetable', 'bit'],
        ['external', 'bit'],
        ['i', 'int'],
        ['s', 'int'],
      ],
      rows: isThere ? [row] : [],
    },
    { columns: [['t', 'int']], rows: [[String(triggers)]] },
  ];
}

function isTraces({ sql }: PeerRequest): boolean {
  return sql.includes('sys.triggers');
}

function shopWith(table: TableTraces, answers: Readonly<Record<string, readonly PeerStep[]>>): PeerScript {
  return (request, { modes }) => {
    if (isTraces(request)) return traces(table);
    if (modes.has('SHOWPLAN_XML') && !request.sql.startsWith('SET')) return [plan('UPDATE', 41.6)];
    return answers[request.sql];
  };
}

function plan(type: string, estimated: number): PeerStep {
  const xml = `<ShowPlanXML xmlns="http://schemas.microsoft.com/sqlserver/2004/07/showplan"><BatchSequence><Batch><Statements><StmtSimple StatementType="${type}" StatementEstRows="${estimated}"/></Statements></Batch></BatchSequence></ShowPlanXML>`;
  return { columns: [['Microsoft SQL Server 2005 XML Showplan', 'nvarchar(max)']], rows: [[xml]] };
}

function sent(): string[] {
  return at.peer.transcript.filter(({ event }) => event === 'batch').map(({ text }) => text);
}

describe('changes of rows', () => {
  const UPDATE = "UPDATE [dbo].[t] SET [name] = N'x' WHERE [id] = 1";
  const DELETE = 'DELETE FROM [dbo].[t] WHERE [id] = 2';

  it('run in one transaction, which is committed when each has changed one row', async () => {
    at = await peerSession(({ sql }) => (sql === UPDATE || sql === DELETE ? [{ count: 1 }] : undefined));
    expect(await at.session.editing.change([UPDATE, DELETE], patience())).toEqual({ kind: 'done' });
    expect(sent().slice(-5)).toEqual([
      'SET XACT_ABORT ON; BEGIN TRANSACTION; SELECT @@TRANCOUNT',
      UPDATE,
      DELETE,
      'SELECT @@TRANCOUNT',
      'COMMIT TRANSACTION',
    ]);
  });

  it('are rolled back where one has changed another number of rows', async () => {
    at = await peerSession(({ sql }) => {
      if (sql === UPDATE) return [{ count: 1 }];
      return sql === DELETE ? [{ count: 0 }] : undefined;
    });
    expect(await at.session.editing.change([UPDATE, DELETE], patience())).toEqual({
      kind: 'rows-differ',
      counts: [1, 0],
    });
    expect(sent().at(-1)).toBe('IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION');
  });

  it('are no more than changes of rows', async () => {
    at = await peerSession();
    for (const sql of ['DROP TABLE t', 'SELECT 1', `${UPDATE} DROP TABLE t`, `EXEC('${DELETE}')`]) {
      await expect(at.session.editing.change([sql], patience())).rejects.toMatchObject({ code: 'E_SQL' });
    }
    expect(sent()).toEqual([]);
  });
});

describe('a preview', () => {
  it('dry-runs a plain change and rolls it back', async () => {
    at = await peerSession(shopWith({}, { 'DELETE FROM t WHERE a = 1': [{ count: 7 }] }));
    expect(await previewOf(at.session, 'DELETE FROM t WHERE a = 1', patience())).toEqual({
      affectedRows: 7,
      estimate: undefined,
    });
    expect(sent().slice(-4)).toEqual([
      'SET XACT_ABORT ON; BEGIN TRANSACTION; SELECT @@TRANCOUNT',
      'DELETE FROM t WHERE a = 1',
      'SELECT @@TRANCOUNT',
      'ROLLBACK TRANSACTION',
    ]);
  });

  it('queries the catalogue for the table by its quoted name', async () => {
    let asked: PeerRequest['parameters'] = {};
    at = await peerSession((request) => {
      if (isTraces(request)) asked = request.parameters;
      return isTraces(request) ? traces({}) : request.sql.startsWith('UPDATE') ? [{ count: 1 }] : undefined;
    });
    await previewOf(at.session, 'UPDATE [sales].[odd]]name] SET a = 1', patience());
    expect(asked).toEqual({ name: '[sales].[odd]]name]' });
  });

  it.each([
    ['has a trigger, or cascades to one', { triggers: 1 }, 'DELETE FROM t'],
    ['counts its rows, which no rollback takes back', { identities: 1 }, 'INSERT INTO t VALUES (1)'],
    ['takes a default from a sequence', { sequences: 1 }, 'INSERT INTO t (a) VALUES (1)'],
    ['is memory-optimised', { isMemory: true }, 'UPDATE t SET a = 1'],
    ['is a view, or not there', { isThere: false }, 'UPDATE t SET a = 1'],
  ])('estimates where the table %s', async (_why, table, sql) => {
    at = await peerSession(shopWith(table, {}));
    expect(await previewOf(at.session, sql, patience())).toEqual({
      affectedRows: undefined,
      estimate: expect.stringContaining('About 42 rows'),
    });
    expect(sent().filter((text) => text === sql)).toHaveLength(1);
    expect(at.peer.ledger.ran).not.toContain(sql);
  });

  it('dry-runs an update of a table with a counter: only an INSERT uses up numbers', async () => {
    at = await peerSession(shopWith({ identities: 1 }, { 'UPDATE t SET a = 1': [{ count: 2 }] }));
    expect(await previewOf(at.session, 'UPDATE t SET a = 1', patience())).toMatchObject({ affectedRows: 2 });
  });

  it.each([
    'MERGE t USING s ON t.a = s.a WHEN MATCHED THEN DELETE;',
    'UPDATE t SET a = 1 FROM t JOIN s ON t.a = s.a',
    'DELETE FROM t OUTPUT deleted.a',
  ])('does not dry-run %s', async (sql) => {
    at = await peerSession(shopWith({}, {}));
    expect(await previewOf(at.session, sql, patience())).toMatchObject({ affectedRows: undefined });
    expect(at.peer.ledger.ran).not.toContain(sql);
  });

  it('says what is unknown', async () => {
    at = await peerSession(shopWith({}, {}));
    expect((await previewOf(at.session, 'DROP TABLE t', patience())).estimate).toContain(
      'DROP TABLE changes the database as a whole',
    );
    expect((await previewOf(at.session, 'EXEC dbo.p', patience())).estimate).toContain(
      'A procedure may change anything',
    );
    expect(at.peer.transcript).toEqual([]);
  });

  it('says so when the login may not see plans', async () => {
    at = await peerSession((request, { modes }) => {
      if (isTraces(request)) return traces({ triggers: 1 });
      if (modes.has('SHOWPLAN_XML') && !request.sql.startsWith('SET')) {
        return [{ error: { number: 262, message: "SHOWPLAN permission denied in database 'shop'." } }];
      }
      return undefined;
    });
    expect((await previewOf(at.session, 'DELETE FROM t', patience())).estimate).toContain('not known until it runs');
  });
});

describe('a write', () => {
  it('commits, and reports how many rows it changed', async () => {
    at = await peerSession(({ sql }) =>
      sql.startsWith('DELETE') ? [{ info: { number: 0, message: 'printed by a trigger' } }, { count: 3 }] : undefined,
    );
    expect(await writeOf(at.session, 'DELETE FROM t', CAPS, 3, patience())).toEqual({
      kind: 'done',
      rows: {
        columns: [],
        rows: [],
        rowCount: 0,
        truncated: false,
        affectedRows: 3,
        messages: ['printed by a trigger'],
      },
    });
    expect(sent().slice(-3)).toEqual(['DELETE FROM t', 'SELECT @@TRANCOUNT', 'COMMIT TRANSACTION']);
    expect(at.peer.ledger.committed).toEqual(['DELETE FROM t']);
  });

  it('rolls everything back when it would change a different number of rows', async () => {
    at = await peerSession(({ sql }) => (sql.startsWith('DELETE') ? [{ count: 4 }] : undefined));
    expect(await writeOf(at.session, 'DELETE FROM t', CAPS, 3, patience())).toEqual({
      kind: 'count-differs',
      affectedRows: 4,
    });
    expect(sent().slice(-3)).toEqual([
      'DELETE FROM t',
      'SELECT @@TRANCOUNT',
      'IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION',
    ]);
    expect(at.peer.ledger.committed).toEqual([]);
  });

  it('returns the rows of an OUTPUT clause, reading all of them from the server', async () => {
    at = await peerSession(({ sql }) =>
      sql.startsWith('DELETE') ? [{ columns: [['id', 'int']], rows: [['1'], ['2'], ['3']] }] : undefined,
    );
    expect(
      await writeOf(at.session, 'DELETE FROM t OUTPUT deleted.id', { ...CAPS, rows: 2 }, undefined, patience()),
    ).toMatchObject({
      rows: { rows: [[1], [2]], truncated: true, affectedRows: 3 },
    });
    expect(at.peer.transcript.some(({ event }) => event === 'attention')).toBe(false);
  });

  it('runs what is not allowed in a transaction without one', async () => {
    at = await peerSession(({ sql }) => (sql === 'CREATE DATABASE x' || sql === 'EXEC dbo.p' ? [] : undefined));
    await writeOf(at.session, 'CREATE DATABASE x', CAPS, undefined, patience());
    await writeOf(at.session, 'EXEC dbo.p', CAPS, undefined, patience());
    expect(sent().some((text) => /BEGIN|COMMIT/.test(text))).toBe(false);
  });

  it("ends with the server's error, and nothing is committed", async () => {
    at = await peerSession(({ sql }) =>
      sql.startsWith('INSERT')
        ? [
            {
              error: {
                number: 2627,
                message: "Violation of PRIMARY KEY constraint 'pk'. Cannot insert duplicate key in object 'dbo.t'.",
                line: 2,
              },
            },
          ]
        : undefined,
    );
    await expect(writeOf(at.session, 'INSERT INTO t VALUES (1)', CAPS, undefined, patience())).rejects.toMatchObject({
      code: 'E_SQL',
      message: expect.stringContaining('duplicate key'),
      details: { engineCode: '2627', errno: 2627, line: 2 },
    });
    expect(sent()).not.toContain('COMMIT TRANSACTION');
  });

  it('is refused where the statement must never run', async () => {
    at = await peerSession();
    await expect(writeOf(at.session, "EXEC xp_cmdshell 'dir'", CAPS, undefined, patience())).rejects.toMatchObject({
      details: { refused: true },
    });
    expect(at.peer.transcript).toEqual([]);
  });
});

describe('a check', () => {
  it('compiles and runs nothing', async () => {
    at = await peerSession(({ sql }, { modes }) =>
      sql === 'UPDATE t SET a = 1' && modes.has('NOEXEC') ? [] : undefined,
    );
    await checkOf(at.session, 'UPDATE t SET a = 1', patience());
    expect(sent().slice(-7)).toEqual([
      'SET XACT_ABORT OFF; BEGIN TRANSACTION; SELECT @@TRANCOUNT',
      'SET NOEXEC ON',
      'SELECT 1 AS probe',
      'UPDATE t SET a = 1',
      'SET NOEXEC OFF',
      'SELECT @@TRANCOUNT',
      'ROLLBACK TRANSACTION',
    ]);
    expect(at.peer.ledger).toMatchObject({ ran: [], committed: [] });
  });

  it('reports a mistake', async () => {
    at = await peerSession(({ sql }) =>
      sql === 'UPDATE t SETT a = 1'
        ? [{ error: { number: 102, severity: 15, message: "Incorrect syntax near 'SETT'." } }]
        : undefined,
    );
    await expect(checkOf(at.session, 'UPDATE t SETT a = 1', patience())).rejects.toMatchObject({
      code: 'E_SQL',
      message: "Incorrect syntax near 'SETT'.",
      details: { engineCode: '102', errno: 102, line: 1, position: 10 },
    });
  });

  it('does not send what could switch execution on again', async () => {
    at = await peerSession();
    await expect(checkOf(at.session, 'CREATE PROCEDURE p AS SET NOEXEC OFF', patience())).rejects.toMatchObject({
      code: 'E_SQL',
      details: { refused: true },
    });
    expect(at.peer.transcript).toEqual([]);
  });
});
