import type { PeerRequest, PeerScript } from '../../fixtures/tds-peer/index.ts';
import type { Binding, Bindings } from '../src/engines/engine.ts';
import { CAPS, type PeerSession, patience, peerSession } from './helpers/mssql-peer.ts';
import { checkOf, judgementOf, readOf, writeOf } from './helpers/statements.ts';

/** What is sent to a SQL Server; that a real one executes it is tested elsewhere. */
let at: PeerSession;
let sent: PeerRequest[];

beforeEach(async () => {
  sent = [];
  const script: PeerScript = (request) => {
    if (!/customers|devdb_/.test(request.sql)) return undefined;
    sent.push(request);
    if (request.sql.startsWith('UPDATE')) return [{ count: 2 }];
    return request.sql.startsWith('SELECT') ? [{ columns: [['name', 'nvarchar(20)']], rows: [['Ann']] }] : [];
  };
  at = await peerSession(script);
});

afterEach(async () => {
  await at.end();
});

const integer = (value: Binding['value']): Binding => ({ type: 'integer', value });
const string = (value: Binding['value']): Binding => ({ type: 'string', value });
const number = (value: Binding['value']): Binding => ({ type: 'number', value });
const boolean = (value: Binding['value']): Binding => ({ type: 'boolean', value });

async function read(sql: string, params: Bindings): Promise<PeerRequest | undefined> {
  const outcome = await readOf(at.session, sql, CAPS, patience(), params);
  expect(outcome).toMatchObject({ kind: 'rows', rows: { rows: [['Ann']] } });
  expect(sent).toHaveLength(1);
  return sent[0];
}

describe('a read with values', () => {
  it('is sent by sp_executesql, with the values separate', async () => {
    const sql =
      "SELECT name FROM customers -- :id\nWHERE id = :id AND [:id] <> ':id' AND note = N':id' AND id < :id+:top";
    expect(await read(sql, { id: integer(2), top: integer(9), unused: string('x') })).toEqual({
      kind: 'rpc',
      sql: "SELECT name FROM customers -- :id\nWHERE id = @devdb_1 AND [:id] <> ':id' AND note = N':id' AND id < @devdb_1+@devdb_2",
      parameters: { devdb_1: '2', devdb_2: '9' },
      declaration: '@devdb_1 int, @devdb_2 int',
    });
  });

  it.each([
    [integer(2_147_483_647), 'int', '2147483647'],
    [integer(-2_147_483_649), 'bigint', '-2147483649'],
    [integer(Number.MAX_SAFE_INTEGER), 'bigint', '9007199254740991'],
    [integer('9223372036854775807'), 'bigint', '9223372036854775807'],
    [integer('9223372036854775808'), 'nvarchar(19)', '9223372036854775808'],
    [integer(null), 'int', null],
    [number(10.5), 'decimal(3, 1)', '10.5'],
    [number(-0.005), 'decimal(4, 3)', '-0.005'],
    [number(12), 'int', '12'],
    [number(0.1 + 0.2), 'float', '0.30000000000000004'],
    [number(1e300), 'float', '1e+300'],
    [number(null), 'float', null],
    [boolean(true), 'bit', '1'],
    [boolean(false), 'bit', '0'],
    [boolean(null), 'bit', null],
    [string(''), 'nvarchar(1)', ''],
    [string('2024-03-10'), 'nvarchar(10)', '2024-03-10'],
    [string('Çağla 👩‍💻 \0 end'), 'nvarchar(17)', 'Çağla 👩‍💻 \0 end'],
    [string('x'.repeat(5_000)), 'nvarchar(max)', 'x'.repeat(5_000)],
    [string("' OR 1=1; DELETE FROM customers -- "), 'nvarchar(35)', "' OR 1=1; DELETE FROM customers -- "],
  ])('of %j is declared as %s', async (binding, type, text) => {
    const request = await read('SELECT name FROM customers WHERE a = :p', { p: binding });
    expect(request?.declaration).toBe(`@devdb_1 ${type}`);
    expect(request?.parameters).toEqual({ devdb_1: text });
  });

  it('is a plain batch when it uses none of them', async () => {
    expect(await read('SELECT name FROM customers', { id: integer(1) })).toMatchObject({ kind: 'batch' });
  });
});

describe('what is refused before it is sent', () => {
  it.each([
    ['SELECT name FROM customers WHERE id = :other', /:other is a parameter, and no value was passed for it/],
    ['SELECT name FROM customers WHERE id = :id$', /:id\$ is a parameter/],
    ['SELECT name FROM customers WHERE id = :id AND id = @id', /@id is a variable/],
    ['SELECT name FROM customers WHERE id = @devdb_1', /@devdb_1 is a variable/],
    ['SELECT name FROM customers WHERE id = :id; DELETE FROM customers', /several statements/],
    ['SELECT name FROM customers WHERE id = :id DELETE FROM customers', /several statements/],
    ['here:id SELECT 1', /cannot be parsed safely/],
  ])('%s', async (sql, reason) => {
    const params = { id: integer(1) };
    expect(await judgementOf(at.session, sql, params)).toMatchObject({
      effect: 'refused',
      reason: expect.stringMatching(reason),
    });
    await expect(readOf(at.session, sql, CAPS, patience(), params)).rejects.toMatchObject({ code: 'E_SQL' });
    await expect(writeOf(at.session, sql, CAPS, undefined, patience(), params)).rejects.toMatchObject({
      code: 'E_SQL',
    });
    expect(sent).toEqual([]);
  });

  it('a name without any values', async () => {
    expect(await judgementOf(at.session, 'SELECT :id')).toMatchObject({ effect: 'refused' });
  });
});

describe('a change with values', () => {
  const sql = 'UPDATE customers SET name = :name WHERE id < :top';
  const params = { name: string("O'Hara"), top: number(2.5) };

  it('is compiled with its variables declared, and no value in the text', async () => {
    await checkOf(at.session, sql, patience(), params);
    expect(sent).toMatchObject([
      {
        kind: 'batch',
        sql: `DECLARE @devdb_1 nvarchar(4000), @devdb_2 decimal(2, 1); UPDATE customers SET name = @devdb_1 WHERE id < @devdb_2`,
      },
    ]);
  });

  it('is run in a transaction with its values separate, and only when as many rows change', async () => {
    expect(await writeOf(at.session, sql, CAPS, 3, patience(), params)).toEqual({
      kind: 'count-differs',
      affectedRows: 2,
    });
    expect(await writeOf(at.session, sql, CAPS, 2, patience(), params)).toMatchObject({
      kind: 'done',
      rows: { affectedRows: 2 },
    });
    expect(sent.map(({ kind, parameters }) => [kind, parameters])).toEqual([
      ['rpc', { devdb_1: "O'Hara", devdb_2: '2.5' }],
      ['rpc', { devdb_1: "O'Hara", devdb_2: '2.5' }],
    ]);
    expect(at.peer.transcript.find(({ event }) => event === 'rpc')?.transactions).toBe(1);
  });

  it('does not run as a read', async () => {
    expect(await readOf(at.session, sql, CAPS, patience(), params)).toEqual({ kind: 'is-write', verb: 'UPDATE' });
    expect(sent).toEqual([]);
  });
});
