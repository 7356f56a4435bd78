import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { allTools } from '@devdb/shared/tools';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { httpClient, type McpClient, type ReadEnvelope, readEnvelope, rest, stdioClient } from './helpers/clients.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { rowsOf, type TempProject, tempProject } from './helpers/temp-project.ts';

const FIXTURES = join(__dirname, '../../fixtures');
const FOLDER = '.devdb/tools';
const OWN = ['customer_find', 'customer_orders', 'order_lines', 'set_product_price'];

let project: TempProject;
let file: string;
let sidecar: RunningSidecar | undefined;
const clients: McpClient[] = [];

beforeEach(() => {
  project = tempProject();
  cpSync(join(FIXTURES, 'projects/own-tools'), project.root, { recursive: true });
  const sql = ['01-schema.sql', '02-rows.sql'].map((name) => readFileSync(join(FIXTURES, 'sql/sqlite', name), 'utf8'));
  file = project.database('shop.db', sql.join('\n'));
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await sidecar?.stop();
  sidecar = undefined;
  project.remove();
});

async function serve(...args: string[]): Promise<RunningSidecar> {
  sidecar = await startSidecar({ home: project.home, root: project.root, args });
  return sidecar;
}

function add(name: string, text: string): void {
  const path = join(project.root, FOLDER, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A tool with one parameter `p` of this type. */
function addEcho(action: string, type: string, sql: string, more = ''): void {
  const param = `{ type: ${type}, description: The value${more} }`;
  add(`${action}.meta.yaml`, `alias: echo.${action}\nparams: { p: ${param} }\nsql: ${sql}\nmcp: { description: x }\n`);
}

async function own<T extends McpClient>(opening: Promise<T>): Promise<T> {
  const client = await opening;
  clients.push(client);
  return client;
}

async function callRest(tool: string, input: Record<string, unknown>): Promise<ReadEnvelope> {
  if (!sidecar) throw new Error('no sidecar');
  return readEnvelope((await rest(sidecar, 'POST', `/tools/${tool}`, input)).body);
}

const rowSet = z.object({ columns: z.array(z.object({ name: z.string() })), rows: z.array(z.array(z.unknown())) });

function rowsIn(envelope: ReadEnvelope): unknown[][] {
  if (!envelope.ok) throw new Error(JSON.stringify(envelope.error));
  return rowSet.parse(envelope.data).rows;
}

test("a window's doors list them as separate tools, after DevDB's", async () => {
  const running = await serve();
  const http = await own(httpClient(running));
  const listed = (await http.client.listTools()).tools;
  expect(listed.slice(-OWN.length).map(({ name }) => name)).toEqual(OWN);
  expect(listed.find(({ name }) => name === 'order_lines')?.inputSchema).toEqual({
    type: 'object',
    properties: { order_id: expect.objectContaining({ type: 'integer', description: 'The order, by id.' }) },
    required: ['order_id'],
    additionalProperties: false,
  });
  const { body } = await rest(running, 'GET', '/tools');
  const { tools } = z.object({ tools: z.array(z.object({ name: z.string() })) }).parse(body);
  // Over HTTP everything callable is listed; an MCP client is spared what looks back at debug sessions.
  const spared = new Set<string>(allTools.filter(({ toolset }) => toolset === 'trace').map(({ name }) => name));
  expect(tools.map(({ name }) => name).filter((name) => !spared.has(name))).toEqual(listed.map(({ name }) => name));
});

test('the same call answers the same on every door, and in the shape of run-query', async () => {
  const running = await serve();
  const http = await own(httpClient(running));
  const stdio = await own(stdioClient(project.home));
  const args = { customer_id: 1, status: 'paid' };
  const named = { tool: 'customer_orders', arguments: args };
  const answers = [
    await callRest('customer_orders', args),
    await callRest('customer.orders', args),
    await callRest('run-project-tool', named),
    (await http.call('customer_orders', args)).envelope,
    (await http.call('run-project-tool', named)).envelope,
    (await stdio.call('run-project-tool', { projectRoot: project.root, ...named })).envelope,
  ];
  for (const answer of answers) {
    expect(answer.data).toEqual({
      columns: [
        { name: 'id', type: 'INTEGER' },
        { name: 'placed_at', type: 'TEXT' },
        { name: 'status', type: 'TEXT' },
      ],
      rows: [[2, '2024-02-01', 'paid']],
      rowCount: 1,
      truncated: false,
    });
  }
});

test('over stdio list-project-tools has names, parameters and files, and what was left out and why', async () => {
  add('slip.meta.yaml', 'alias: order.slip\nsql: SELECT :x\nmcp: { description: x }\n');
  await serve();
  const stdio = await own(stdioClient(project.home));
  const { envelope } = await stdio.call('list-project-tools', { projectRoot: project.root });
  expect(envelope.data).toMatchObject({
    tools: OWN.map((name) => ({ name })),
    problems: [{ file: `${FOLDER}/slip.meta.yaml`, line: 2, reason: 'sql: :x is not among the params' }],
  });
  const { tools } = z.object({ tools: z.array(z.looseObject({ name: z.string() })) }).parse(envelope.data);
  expect(tools.find(({ name }) => name === 'order_lines')).toEqual({
    name: 'order_lines',
    alias: 'order.lines',
    title: 'Order lines',
    description: `(This project's own tool, from ${FOLDER}/order-lines.meta.yaml. The following text comes from the project.)\nWhat one order is made of.`,
    parameters: expect.objectContaining({ type: 'object', required: ['order_id'] }),
    file: `${FOLDER}/order-lines.meta.yaml`,
  });
});

test('a new file is a tool from the next start on', async () => {
  await serve();
  addEcho('later', 'integer', 'SELECT :p');
  expect((await callRest('echo_later', { p: 1 })).error?.code).toBe('E_UNKNOWN_TOOL');
  await sidecar?.stop();
  await serve();
  expect(rowsIn(await callRest('echo_later', { p: 1 }))).toEqual([[1]]);
});

describe('input', () => {
  test.each([
    [{}, 'customer_id'],
    [{ customer_id: '1' }, 'customer_id'],
    [{ customer_id: 0 }, 'customer_id'],
    [{ customer_id: 1.5 }, 'customer_id'],
    [{ customer_id: 1, status: 'lost' }, 'status'],
    [{ customer_id: 1, limit: 5 }, 'limit'],
  ])('%j is refused and the field named, whichever way the tool is called', async (args, field) => {
    await serve();
    const direct = await callRest('customer_orders', args);
    const named = await callRest('run-project-tool', { tool: 'customer_orders', arguments: args });
    for (const { error } of [direct, named]) {
      expect(error?.code).toBe('E_INVALID_PARAMS');
      expect(error?.message).toMatch(new RegExp(`^customer_orders: .*${field}`));
    }
  });

  test('null in the arguments of run-project-tool omits the value', async () => {
    await serve();
    const call = (args: Record<string, unknown>) =>
      callRest('run-project-tool', { tool: 'customer_orders', arguments: args });
    expect(rowsIn(await call({ customer_id: 1, status: null }))).toHaveLength(2);
    expect((await call({ customer_id: null })).error?.code).toBe('E_INVALID_PARAMS');
  });

  test('a value never becomes SQL', async () => {
    await serve();
    for (const text of ["' OR 1=1 --", "'; DROP TABLE customers; --", '%', ':most', "x' || (SELECT 1) || '"]) {
      const rows = rowsIn(await callRest('customer_find', { text: text.padEnd(2, '%') }));
      expect(rows).toHaveLength(text === '%' ? 4 : 0);
    }
    expect(rowsIn(await callRest('customer_find', { text: 'ann', most: 1 }))).toEqual([[1, 'Ann', 'ann@example.com']]);
  });

  test('values arrive with the type given in the file', async () => {
    addEcho('whole', 'integer', 'SELECT :p / 2, typeof(:p)');
    addEcho('real', 'number', 'SELECT :p / 2, typeof(:p)');
    addEcho('text', 'string', 'SELECT :p, typeof(:p)');
    addEcho('flag', 'boolean', 'SELECT :p, typeof(:p)');
    addEcho('none', 'integer', 'SELECT :p, typeof(:p)', ', required: false');
    await serve();
    expect(rowsIn(await callRest('echo_whole', { p: 3 }))).toEqual([[1, 'integer']]);
    const most = Number.MAX_SAFE_INTEGER;
    expect(rowsIn(await callRest('echo_whole', { p: most }))).toEqual([[(most - 1) / 2, 'integer']]);
    expect(rowsIn(await callRest('echo_real', { p: 3 }))).toEqual([[1.5, 'real']]);
    const text = 'it\'s "é" 👩‍💻\n\\';
    expect(rowsIn(await callRest('echo_text', { p: text }))).toEqual([[text, 'text']]);
    expect(rowsIn(await callRest('echo_flag', { p: true }))).toEqual([[1, 'integer']]);
    expect(rowsIn(await callRest('echo_none', {}))).toEqual([[null, 'null']]);
  });

  test('a parameter may have the name of a run-query field', async () => {
    const params = ['limit', 'timeoutMs', 'query'].map((name) => `${name}: { type: integer, description: x }`);
    const text = `alias: odd.names\nparams: { ${params.join(', ')} }\nsql: SELECT :limit, :timeoutMs, :query\n`;
    add('odd.meta.yaml', `${text}mcp: { description: x }\n`);
    await serve();
    expect(rowsIn(await callRest('odd_names', { limit: 1, timeoutMs: 1, query: 2 }))).toEqual([[1, 1, 2]]);
  });
});

describe('the gate', () => {
  const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT :p UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

  test("the file's timeout applies, whatever the caller's default", async () => {
    addEcho('endless', 'integer', ENDLESS);
    const path = join(project.root, FOLDER, 'endless.meta.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('description: x }', 'description: x, timeout: 150 }'));
    await serve();
    const stdio = await own(stdioClient(project.home, { args: ['--timeout', '60000'] }));
    const named = { tool: 'echo_endless', arguments: { p: 1 } };
    const answers = [
      await callRest('echo_endless', { p: 1 }),
      (await stdio.call('run-project-tool', { projectRoot: project.root, ...named })).envelope,
    ];
    for (const { error } of answers) expect(error).toMatchObject({ code: 'E_TIMEOUT', details: { timeoutMs: 150 } });
  });

  test("without one in the file the caller's default applies", async () => {
    addEcho('endless', 'integer', ENDLESS);
    await serve();
    const stdio = await own(stdioClient(project.home, { args: ['--timeout', '200'] }));
    const named = { tool: 'echo_endless', arguments: { p: 1 } };
    const { envelope } = await stdio.call('run-project-tool', { projectRoot: project.root, ...named });
    expect(envelope.error).toMatchObject({ code: 'E_TIMEOUT', details: { timeoutMs: 200 } });
  });

  test('results are capped', async () => {
    addEcho(
      'many',
      'integer',
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :p) SELECT i FROM n',
    );
    await serve();
    const envelope = await callRest('echo_many', { p: 100_000 });
    expect(envelope.data).toMatchObject({ truncated: true, rowCount: 500 });
  });

  test('what must never run does not run, and a write in disguise is a write', async () => {
    addEcho('attach', 'string', 'ATTACH :p AS other');
    addEcho('two', 'string', '"SELECT :p; DELETE FROM orders"');
    addEcho('pragma', 'string', 'SELECT * FROM pragma_optimize(:p)');
    await serve();
    expect((await callRest('echo_attach', { p: 'x.db' })).error?.code).toBe('E_READ_ONLY');
    expect((await callRest('echo_two', { p: 'x' })).error?.code).toBe('E_UNKNOWN_TOOL');
    expect((await callRest('echo_pragma', { p: 'x' })).error?.code).toBe('E_CONFIRMATION_REQUIRED');
    expect(rowsOf(file, 'SELECT count(*) FROM orders')).toEqual([[3]]);
  });

  test('placeholders of another kind, or without a value, are refused', async () => {
    for (const [name, other] of [
      ['at', '@p'],
      ['dollar', '$p'],
      ['mark', '?'],
      ['number', '?1'],
    ] as const) {
      addEcho(name, 'integer', `"SELECT :p, ${other}"`);
    }
    // With a backslash the judgement is left to the engine.
    addEcho('unknown', 'integer', "SELECT :p, :q, '\\'");
    await serve();
    for (const name of ['at', 'dollar', 'mark', 'number', 'unknown']) {
      const { error } = await callRest(`echo_${name}`, { p: 1 });
      expect(error?.code).toBe('E_READ_ONLY');
      expect(error?.message).toContain('is a parameter, and no value was passed for it');
    }
  });

  test('errors are those of run-query', async () => {
    addEcho('table', 'integer', 'SELECT * FROM custmers WHERE id = :p');
    addEcho('column', 'integer', 'SELECT nmae FROM customers WHERE id = :p');
    add('other.meta.yaml', 'alias: other.base\nconnection: nowhere\nsql: SELECT 1\nmcp: { description: x }\n');
    await serve();
    const { error } = await callRest('echo_table', { p: 1 });
    expect(error?.code).toBe('E_UNKNOWN_TABLE');
    expect(error?.hint).toContain('customers');
    expect((await callRest('echo_column', { p: 1 })).error?.code).toBe('E_SQL');
    expect((await callRest('other_base', {})).error?.code).toBe('E_NO_CONNECTION');
  });

  test('connection chooses the database', async () => {
    project.database('side.db', "CREATE TABLE t(x); INSERT INTO t VALUES ('side')");
    const rc = JSON.stringify(['shop', 'side'].map((name) => ({ type: 'sqlite', name, path: `${name}.db` })));
    writeFileSync(join(project.root, '.devdbrc'), rc);
    await serve();
    const listed = await callRest('list-connections', {});
    const found = z.object({ connections: z.array(z.object({ id: z.string(), name: z.string() })) }).parse(listed.data);
    const id = found.connections.find(({ name }) => name === 'side')?.id;
    add(
      'side.meta.yaml',
      `alias: side.all\nconnection: ${JSON.stringify(id)}\nsql: SELECT x FROM t\nmcp: { description: x }\n`,
    );
    await sidecar?.stop();
    await serve();
    expect(rowsIn(await callRest('side_all', {}))).toEqual([['side']]);
  });
});

describe('a write', () => {
  const price = () => rowsOf(file, "SELECT price_cents FROM products WHERE sku = 'A-1'").flat();
  const call = { tool: 'set_product_price', arguments: { sku: 'A-1', price_cents: 1 } };
  const accept = (answer: string): ElicitResult => ({ action: 'accept', content: { answer } });

  test('is asked with its statement, its values and the number of rows, and runs after the yes', async () => {
    await serve();
    const asked: string[] = [];
    const stdio = await own(
      stdioClient(project.home, {
        elicit: async ({ message }) => {
          asked.push(message);
          expect(price()).toEqual([4999]);
          return accept('once');
        },
      }),
    );
    const { envelope } = await stdio.call('run-project-tool', { projectRoot: project.root, ...call });
    expect(envelope.data).toMatchObject({ affectedRows: 1 });
    expect(price()).toEqual([1]);
    expect(asked).toHaveLength(1);
    for (const part of ['set_product_price', 'UPDATE products', ':sku = "A-1"', ':price_cents = 1', '1 row.']) {
      expect(asked[0]).toContain(part);
    }
  });

  test('a value cannot forge the question', async () => {
    const running = await serve();
    const asked: string[] = [];
    const http = await own(
      httpClient(running, {
        elicit: async ({ message }) => {
          asked.push(message);
          return accept('no');
        },
      }),
    );
    await http.call('set_product_price', { sku: 'A\n\nIt changes 0 rows.', price_cents: 1 });
    expect(asked[0]).toContain('"A\\n\\nIt changes 0 rows."');
    expect(asked[0]).not.toMatch(/^It changes 0 rows\.\n/m);
  });

  test('a no changes nothing', async () => {
    await serve();
    const stdio = await own(stdioClient(project.home, { elicit: async () => accept('no') }));
    const { envelope } = await stdio.call('run-project-tool', { projectRoot: project.root, ...call });
    expect(envelope.error?.code).toBe('E_APPROVAL_DENIED');
    expect(price()).toEqual([4999]);
  });

  test('a session yes to one tool does not cover run-query', async () => {
    await serve();
    let asked = 0;
    const stdio = await own(
      stdioClient(project.home, {
        elicit: async () => {
          asked += 1;
          return accept('session');
        },
      }),
    );
    const root = { projectRoot: project.root };
    await stdio.call('run-project-tool', { ...root, ...call });
    await stdio.call('run-project-tool', { ...root, ...call });
    expect(asked).toBe(1);
    await stdio.call('run-query', { ...root, query: 'UPDATE products SET price_cents = 2' });
    expect(asked).toBe(2);
  });

  test('without a user to ask it is E_CONFIRMATION_REQUIRED, with writes off E_READ_ONLY, with writes allowed it runs', async () => {
    await serve();
    expect((await callRest('set_product_price', call.arguments)).error?.code).toBe('E_CONFIRMATION_REQUIRED');
    await sidecar?.stop();
    await serve('--writes', 'deny');
    expect((await callRest('set_product_price', call.arguments)).error?.code).toBe('E_READ_ONLY');
    expect(price()).toEqual([4999]);
    await sidecar?.stop();
    await serve('--writes', 'allow');
    expect((await callRest('set_product_price', call.arguments)).data).toMatchObject({ affectedRows: 1 });
    expect(price()).toEqual([1]);
  });
});

test('one that its file switches off is on no list and runs on no door', async () => {
  await serve('--writes', 'allow');
  const named = await callRest('run-project-tool', { tool: 'order_purge' });
  for (const envelope of [await callRest('order_purge', {}), await callRest('order.purge', {}), named]) {
    expect(envelope.error?.code).toBe('E_DISABLED');
  }
  expect(rowsOf(file, 'SELECT count(*) FROM orders')).toEqual([[3]]);
});
