import { type PeerObject, type PeerScript, reached, rights } from '../../fixtures/tds-peer/index.ts';
import { errorOf } from './helpers/error-of.ts';
import { CAPS, type PeerSession, patience, peerSession } from './helpers/mssql-peer.ts';
import { checkOf, explainOf, exportOf, previewOf, readOf } from './helpers/statements.ts';

/** Objects in a schema that do more than their names suggest. */
let at: PeerSession;

afterEach(async () => {
  await at.end();
});

type Known = Omit<PeerObject, 'at' | 'id' | 'name'>;

/** A catalogue of these objects, each found by the bracketed name bound in the query. */
function schemaOf(objects: Readonly<Record<string, Known>>, clrTypes: readonly string[] = []): PeerScript {
  const names = Object.keys(objects);
  return ({ sql, parameters }) => {
    if (/^SELECT (?:\*|a|dbo|x|CAST)/.test(sql)) return [{ columns: [['a', 'int']], rows: [['1']] }];
    if (/^(?:DELETE|UPDATE|INSERT)/.test(sql)) return [{ count: 1 }];
    if (sql.includes('HAS_DBACCESS')) {
      const others = Object.entries(parameters).filter(([, name]) =>
        names.some((one) => one.startsWith(`[${name}].[dbo].`)),
      );
      return [{ columns: [['at', 'int']], rows: others.map(([name]) => [name.slice(1)]) }];
    }
    // A query in a missing database is an error.
    if (sql.includes('[sales].sys.') || sql.includes('[hidden].sys.')) {
      return [{ error: { number: 911, message: 'That database does not exist.' } }];
    }
    if (!sql.startsWith('DECLARE @names')) return undefined;
    const asked = [...sql.matchAll(/\((\d+), OBJECT_ID\(@(n\d+)\)\)/g)];
    const found = asked.flatMap(([, place = '', parameter = '']) => {
      const name = parameters[parameter] ?? '';
      const known = objects[name];
      return known === undefined ? [] : [{ ...known, at: Number(place), id: names.indexOf(name) + 1, name }];
    });
    return reached(found, clrTypes);
  };
}

const view = (definition: string | null): Known => ({ type: 'V', definition });

describe('a read that reaches more than rows', () => {
  it.each<[string, string, Readonly<Record<string, Known>>]>([
    ['a view over OPENQUERY', 'SELECT * FROM v', { '[v]': view("CREATE VIEW v AS SELECT * FROM OPENQUERY(srv, 'x')") }],
    ['a view over a linked server', 'SELECT * FROM v', { '[v]': view('CREATE VIEW v AS SELECT * FROM srv.db.dbo.t') }],
    [
      'a view over a view over a linked server',
      'SELECT * FROM dbo.v',
      {
        '[dbo].[v]': view('CREATE VIEW v AS SELECT * FROM s.w'),
        '[s].[w]': view('CREATE VIEW s.w AS SELECT * FROM (srv.db..t a JOIN u ON 1 = 1)'),
      },
    ],
    ['a synonym of another server', 'SELECT * FROM s', { '[s]': { type: 'SN', base: '[srv].[db].[dbo].[t]' } }],
    [
      'a synonym of a view over another server',
      'SELECT * FROM s',
      {
        '[s]': { type: 'SN', base: '[dbo].[v]' },
        '[dbo].[v]': view("CREATE VIEW v AS SELECT * FROM OPENROWSET(BULK '/etc/passwd', SINGLE_CLOB) x"),
      },
    ],
    ['an external table', 'SELECT * FROM e', { '[e]': { type: 'U', isExternal: true } }],
    ['an older external table', 'SELECT * FROM e', { '[e]': { type: 'ET' } }],
    ['a CLR function', 'SELECT dbo.f(1)', { '[dbo].[f]': { type: 'FS' } }],
    ['a CLR table function', 'SELECT * FROM dbo.f(1)', { '[dbo].[f]': { type: 'FT' } }],
    ['a CLR aggregate', 'SELECT dbo.f(a) FROM t', { '[dbo].[f]': { type: 'AF' } }],
    [
      'a function that calls an extended procedure',
      'SELECT dbo.f(1)',
      {
        '[dbo].[f]': {
          type: 'FN',
          definition: "CREATE FUNCTION f() RETURNS int AS BEGIN EXEC master..xp_cmdshell 'x' RETURN 1 END",
        },
      },
    ],
    [
      'a computed column with such a function',
      'SELECT a FROM t',
      {
        '[t]': { type: 'U', more: ['([dbo].[f]([a]))'] },
        '[dbo].[f]': { type: 'FS' },
      },
    ],
    [
      'row-level security with such a function',
      'SELECT a FROM t',
      {
        '[t]': { type: 'U', more: ['([sec].[p]([a]))'] },
        '[sec].[p]': {
          type: 'IF',
          definition: 'CREATE FUNCTION sec.p(@a int) RETURNS TABLE AS RETURN SELECT dbo.g(@a) AS x',
        },
        '[dbo].[g]': { type: 'FS' },
      },
    ],
    ['a view that keeps its definition to itself', 'SELECT * FROM v', { '[v]': view(null) }],
    ['a view whose definition cannot be read', 'SELECT * FROM v', { '[v]': view('CREATE VIEW v AS SELECT “x”') }],
    [
      'a view of something that cannot be looked up',
      'SELECT * FROM v',
      { '[v]': view('CREATE VIEW v AS SELECT * FROM hidden.t') },
    ],
    [
      'a view that counts a sequence up',
      'SELECT * FROM v',
      { '[v]': view('CREATE VIEW v AS SELECT NEXT VALUE FOR n AS a') },
    ],
    [
      'a table with a column of a CLR type',
      "SELECT a FROM t WHERE p = 'x'",
      { '[t]': { type: 'U', hasClrColumn: true } },
    ],
    ['a static call of a CLR type', "SELECT dbo.P::Parse('1')", {}],
    [
      'another database’s view',
      'SELECT * FROM other.dbo.v',
      { '[other].[dbo].[v]': view('CREATE VIEW v AS SELECT * FROM srv.db.dbo.t') },
    ],
    [
      'another database’s view over its own function',
      'SELECT * FROM other.dbo.v',
      { '[other].[dbo].[v]': view('CREATE VIEW v AS SELECT dbo.f(1) AS a'), '[other].[dbo].[f]': { type: 'FS' } },
    ],
  ])('through %s is asked about like a write, and not run', async (_what, sql, objects) => {
    at = await peerSession(schemaOf(objects));
    expect(await readOf(at.session, sql, CAPS, patience())).toEqual({ kind: 'is-write', verb: 'SELECT' });
    await checkOf(at.session, sql, patience());
    expect((await previewOf(at.session, sql, patience())).estimate).toMatch(/^It may do more than its words say: /);
    const sink = { write: async () => undefined };
    expect((await errorOf(exportOf(at.session, sql, 'csv', sink, patience()))).code).toBe('E_READ_ONLY');
    for (const analyze of [false, true]) {
      expect((await errorOf(explainOf(at.session, sql, analyze, patience()))).code).toBe('E_READ_ONLY');
    }
    expect(at.peer.transcript.some(({ text }) => text === sql)).toBe(false);
  });

  it('through a CLR type by its name is asked about', async () => {
    at = await peerSession(schemaOf({}, ['Point']));
    expect(await readOf(at.session, "SELECT CAST('1,2' AS dbo.point)", CAPS, patience())).toMatchObject({
      kind: 'is-write',
    });
  });

  it.each<[string, string, Readonly<Record<string, Known>>]>([
    ['a table', 'SELECT a FROM t', { '[t]': { type: 'U', more: ['([a]+(1))', '(getdate())'] } }],
    [
      'a view over tables',
      'SELECT * FROM v',
      { '[v]': view('CREATE VIEW v AS SELECT o.id, o.name FROM dbo.orders AS o'), '[dbo].[orders]': { type: 'U' } },
    ],
    [
      'a function of T-SQL',
      'SELECT dbo.f(1)',
      {
        '[dbo].[f]': {
          type: 'FN',
          definition: 'CREATE FUNCTION dbo.f(@a int) RETURNS int WITH EXECUTE AS OWNER AS BEGIN RETURN @a + 1 END',
        },
      },
    ],
    [
      'a synonym of a table',
      'SELECT * FROM s',
      { '[s]': { type: 'SN', base: '[dbo].[t]' }, '[dbo].[t]': { type: 'U' } },
    ],
    [
      'views that name each other',
      'SELECT * FROM v',
      {
        '[v]': view('CREATE VIEW v AS SELECT * FROM dbo.w'),
        '[dbo].[w]': view('CREATE VIEW w AS SELECT * FROM dbo.v'),
        '[dbo].[v]': view('CREATE VIEW v AS SELECT * FROM dbo.w'),
      },
    ],
    [
      'what the server ships',
      'SELECT * FROM spt_values',
      { '[spt_values]': { type: 'V', definition: null, isShipped: true } },
    ],
  ])('through %s is a read', async (_what, sql, objects) => {
    at = await peerSession(schemaOf(objects));
    expect(await readOf(at.session, sql, CAPS, patience())).toMatchObject({ kind: 'rows' });
  });

  it('is not dry-run as part of a change', async () => {
    at = await peerSession(schemaOf({ '[t]': { type: 'U', more: ['([dbo].[f]([a]))'] }, '[dbo].[f]': { type: 'FS' } }));
    expect(await previewOf(at.session, 'UPDATE t SET a = 1', patience())).toMatchObject({ affectedRows: undefined });
    expect(at.peer.ledger.ran).not.toContain('UPDATE t SET a = 1');
  });

  it('prevents the guard from being called enforced', async () => {
    at = await peerSession(({ sql }) => {
      if (sql.includes('IS_SRVROLEMEMBER')) return [rights(0, 0, 0, 0, 0, 0)];
      return sql.includes('sys.assemblies') ? [{ columns: [['n', 'int']], rows: [['1']] }] : undefined;
    });
    await at.session.facts(patience());
    expect(at.session.guard).toMatchObject({ strength: 'guarded', reason: expect.stringContaining('CLR code') });
  });
});
