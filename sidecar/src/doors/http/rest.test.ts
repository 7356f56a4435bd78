import { AppError } from '@devdb/shared/errors';
import { call, gateOf, type OpenDoor, openDoor, type Tool } from '../../../test/helpers/http-door.ts';
import { distinctNames } from './row-objects.ts';

let doors: OpenDoor[] = [];
async function withTools(tools: Record<string, Tool>): Promise<number> {
  const door = await openDoor(tools);
  doors.push(door);
  return door.port;
}
afterEach(async () => {
  await Promise.all(doors.map((door) => door.close()));
  doors = [];
});

const fails =
  (...args: ConstructorParameters<typeof AppError>): Tool =>
  () => {
    throw new AppError(...args);
  };
const query = (sql: unknown): { body: string } => ({ body: JSON.stringify({ query: sql }) });
const rowsOf =
  (names: string[], rows: unknown[][], truncated = false) =>
  () => ({
    columns: names.map((name) => ({ name, type: '' })),
    rows,
    rowCount: rows.length,
    truncated,
  });

describe('the routes of the first door', () => {
  it('lists tables', async () => {
    const port = await withTools({ 'get-tables': () => ({ tables: ['users', 'billing.invoices'] }) });
    expect(await call(port, '/tables')).toMatchObject({ status: 200, json: { tables: ['users', 'billing.invoices'] } });
  });

  it.each(['users', 'a/b', 'a.b', 'näh te', '..', '%', 'a?b#c', "x'; DROP TABLE y", 'schema', '__proto__'])(
    'gives the schema of the table %j',
    async (table) => {
      const port = await withTools({ 'get-schema': (input) => ({ schema: JSON.stringify(input) }) });
      const answer = await call(port, `/tables/${encodeURIComponent(table).replaceAll('.', '%2E')}/schema`);
      expect([answer.status, answer.json]).toEqual([200, { schema: JSON.stringify({ table }) }]);
    },
  );

  it('answers 404 for a missing table and 400 for malformed encoding', async () => {
    const port = await withTools({
      'get-schema': fails('E_UNKNOWN_TABLE', 'No table "x".', { hint: 'Call get-tables.' }),
    });
    const unknown = await call(port, '/tables/x/schema');
    expect(unknown.status).toBe(404);
    expect(unknown.json).toEqual({
      error: 'No table "x".',
      message: 'No table "x".',
      code: 'E_UNKNOWN_TABLE',
      hint: 'Call get-tables.',
    });
    expect(await call(port, '/tables/%C3%28/schema')).toMatchObject({
      status: 400,
      json: { code: 'E_INVALID_PARAMS' },
    });
  });

  it('gives the type alone', async () => {
    const port = await withTools({ 'get-database-type': () => ({ type: 'sqlite', product: 'SQLite', version: '3' }) });
    expect((await call(port, '/database-type')).json).toEqual({ type: 'sqlite' });
  });

  it('gives rows as objects and loses no column to a repeated name', async () => {
    const port = await withTools({ 'run-query': rowsOf(['id', 'id', '__proto__', 'id'], [[1, 2, 'p', null]]) });
    const answer = await call(port, '/query', query('SELECT 1'));
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"result":[{"id":1,"id_2":2,"__proto__":"p","id_3":null}]}');
  });

  it('says so when rows are missing', async () => {
    const port = await withTools({ 'run-query': rowsOf(['a'], [[1]], true) });
    expect((await call(port, '/query', query('SELECT 1'))).json).toEqual({ result: [{ a: 1 }], truncated: true });
  });

  it.each([['{}'], ['{"query":""}'], ['{"query":5}'], ['{"query":null}'], ['[]'], ['"SELECT 1"'], ['null']])(
    'answers 400 "Query is required" to %s',
    async (body) => {
      const port = await withTools({});
      const answer = await call(port, '/query', { body });
      expect([answer.status, answer.json]).toMatchObject([
        400,
        { error: 'Query is required', message: 'Query is required' },
      ]);
    },
  );

  it.each(['/tables', '/tables/a/schema', '/database-type', '/query'])(
    'answers 500 "No DB connected" on %s',
    async (path) => {
      const none = fails('E_NO_CONNECTION', 'No database was found.', { hint: 'Add a .devdbrc.' });
      const port = await withTools({
        'get-tables': none,
        'get-schema': none,
        'get-database-type': none,
        'run-query': none,
      });
      const answer = await call(port, path, path === '/query' ? query('SELECT 1') : {});
      expect(answer.status).toBe(500);
      expect(answer.json).toEqual({
        error: 'No DB connected',
        message: 'No DB connected',
        code: 'E_NO_CONNECTION',
        hint: 'No database was found. Add a .devdbrc.',
      });
    },
  );

  it.each(['E_SQL', 'E_UNKNOWN_TABLE'] as const)(
    "answers 500 with the driver's sentence when a query fails as %s",
    async (code) => {
      const port = await withTools({ 'run-query': fails(code, 'no such table: x', { details: { position: 14 } }) });
      const answer = await call(port, '/query', query('SELECT * FROM x'));
      const sentence = 'Error running query: no such table: x';
      expect([answer.status, answer.json]).toEqual([
        500,
        { error: sentence, message: sentence, code, details: { position: 14 } },
      ]);
    },
  );

  it("prefers the driver's own sentence to the tool's", async () => {
    const details = { engineMessage: 'no such table: x' };
    const port = await withTools({ 'run-query': fails('E_UNKNOWN_TABLE', 'No table "x".', { details }) });
    const answer = await call(port, '/query', query('SELECT * FROM x'));
    const sentence = 'Error running query: no such table: x';
    expect([answer.status, answer.json]).toMatchObject([500, { error: sentence, message: sentence }]);
  });

  it.each([
    ['E_CONFIRMATION_REQUIRED', 428],
    ['E_READ_ONLY', 403],
    ['E_DISABLED', 403],
    ['E_TIMEOUT', 504],
    ['E_CANCELLED', 499],
    ['E_INVALID_PARAMS', 400],
  ] as const)('answers %s with %d', async (code, status) => {
    const port = await withTools({ 'run-query': fails(code, 'Because.') });
    const answer = await call(port, '/query', query('DELETE FROM x'));
    expect([answer.status, answer.json]).toEqual([status, { error: 'Because.', message: 'Because.', code }]);
  });
});

describe('/tools', () => {
  it('lists the available tools', async () => {
    const port = await withTools({});
    const { json } = await call(port, '/tools');
    expect(json).toMatchObject({
      tools: expect.arrayContaining([
        {
          name: 'get-schema',
          title: 'Get table schema',
          description: expect.any(String),
          toolset: 'database',
          inputSchema: expect.objectContaining({ type: 'object', required: ['table'], additionalProperties: false }),
          annotations: expect.objectContaining({ readOnlyHint: true }),
          timeoutMs: 10_000,
        },
      ]),
    });
    expect(json).toMatchObject({ tools: { length: gateOf({}).tools.length } });
  });

  it('passes the input on and returns the envelope', async () => {
    const port = await withTools({ 'run-query': (input, { door, clientName }) => ({ input, door, clientName }) });
    const headers = { 'x-devdb-client-name': encodeURIComponent('cläude\n1') };
    const answer = await call(port, '/tools/run-query', { body: '{"query":"x","limit":3}', headers });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      ok: true,
      type: 'success',
      data: { input: { query: 'x', limit: 3 }, door: 'rest', clientName: 'cläude 1' },
      meta: { requestId: expect.any(String), timestamp: expect.any(String), duration: expect.any(Number) },
    });
  });

  it("returns an error as an envelope with its code's status", async () => {
    const port = await withTools({ 'run-query': fails('E_TIMEOUT', 'Too slow.') });
    const answer = await call(port, '/tools/run-query', { body: '{}' });
    expect([answer.status, answer.json]).toMatchObject([
      504,
      { ok: false, type: 'error', error: { code: 'E_TIMEOUT', retryable: true } },
    ]);
    expect(await call(port, '/tools/no-such', { body: '{}' })).toMatchObject({
      status: 404,
      json: { error: { code: 'E_UNKNOWN_TOOL' } },
    });
  });

  it('takes a default timeout and refuses an invalid one', async () => {
    const port = await withTools({ 'get-tables': (_input, { defaultTimeoutMs }) => defaultTimeoutMs });
    const withTimeout = (ms: string) =>
      call(port, '/tools/get-tables', { body: '{}', headers: { 'x-devdb-default-timeout': ms } });
    expect((await withTimeout('1500')).json).toMatchObject({ data: 1500 });
    for (const bad of ['0', '-1', 'soon', '1e3', '600001']) expect((await withTimeout(bad)).status).toBe(400);
  });
});

describe('distinctNames', () => {
  it('never makes up a name that a column has', () => {
    expect(distinctNames(['a', 'a', 'a_2', 'a'])).toEqual(['a', 'a_3', 'a_2', 'a_4']);
  });
});
