import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { bundleStdioEntry } from '../build/bundle.ts';
import { answerLines, ContractSidecar, success } from './helpers/contract-sidecar.ts';
import { asObject, type JsonObject, StdioClient, toolResult } from './helpers/stdio-client.ts';
import { TempHome } from './helpers/temp-home.ts';

const MAX_GROWTH_KB = 96 * 1024;

let bundleDir: string;
let temp: TempHome;
let root: string;
let sidecar: ContractSidecar;
let client: StdioClient;
let count = 0;

beforeAll(async () => {
  bundleDir = mkdtempSync(join(tmpdir(), 'devdb-fuzz-'));
  await bundleStdioEntry({ outDir: bundleDir });
  temp = new TempHome();
  root = temp.project('root');
  sidecar = await ContractSidecar.listen({
    root,
    token: temp.token,
    answer: (_seen, res) => answerLines(res, [success(1)]),
  });
  temp.register({ [root]: sidecar.port });
  client = await StdioClient.connect({ bundleDir, home: temp.home });
});

afterAll(async () => {
  expect(await client.end()).toBe(0);
  expect(client.stderr).toBe('');
  await sidecar.close();
  temp.remove();
  rmSync(bundleDir, { recursive: true, force: true });
});

/** Sends lines, waits until the entry has processed them, and returns the answers. */
async function exchange(lines: readonly string[], ids: readonly string[]): Promise<readonly JsonObject[]> {
  count += 1;
  client.messages.length = 0;
  client.lines.length = 0;
  client.write(lines.map((line) => `${line}\n`).join(''));
  await Promise.all(ids.map((id) => client.response(id)));
  client.write(`{"jsonrpc":"2.0","id":"done-${count}","method":"ping"}\n`);
  await client.response(`done-${count}`);
  return client.messages.slice();
}

function expectJsonRpc(message: JsonObject): void {
  expect(message['jsonrpc']).toBe('2.0');
  if ('method' in message) return;
  expect('result' in message !== 'error' in message).toBe(true);
  if ('error' in message) {
    const error = asObject(message['error']);
    expect(Number.isInteger(error['code'])).toBe(true);
    expect(String(error['message']).length).toBeGreaterThan(0);
  }
}

const anyText = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll(/[\r\n]/g, ' '));
const anyValue = fc.jsonValue({ maxDepth: 4 });
const method = fc.oneof(
  fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'server/discover',
    'notifications/progress',
    '__proto__',
  ),
  anyText,
);
const name = fc.oneof(fc.constantFrom('get-tables', 'run-query', 'constructor', '__proto__'), anyText);
const params = fc.oneof(
  anyValue,
  fc.record({ name, arguments: anyValue, _meta: anyValue }, { requiredKeys: [] }),
  fc.record({ protocolVersion: anyValue, capabilities: anyValue, clientInfo: anyValue }, { requiredKeys: [] }),
);

it('answers every request exactly once and stays alive, whatever else it receives', async () => {
  const noise = fc.oneof(
    anyText,
    anyValue.map((value) => JSON.stringify(value)),
    fc
      .record({ jsonrpc: fc.constant('2.0'), id: anyValue, method, params }, { requiredKeys: [] })
      .map((m) => JSON.stringify(m)),
    fc
      .array(fc.record({ jsonrpc: fc.constant('2.0'), method, params }), { maxLength: 4 })
      .map((m) => JSON.stringify(m)),
  );
  const requests = fc.array(fc.record({ method, params }, { requiredKeys: ['method'] }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.array(noise, { maxLength: 6 }), requests, async (before, asked) => {
      const ids = asked.map((_request, index) => `u-${count}-${index}`);
      const lines = asked.map((request, index) => JSON.stringify({ jsonrpc: '2.0', id: ids[index], ...request }));
      const answers = await exchange([...before, ...lines], ids);
      for (const answer of answers) expectJsonRpc(answer);
      for (const id of ids) expect(answers.filter((answer) => answer['id'] === id)).toHaveLength(1);
    }),
    { numRuns: 300 },
  );
}, 120_000);

it('answers any projectRoot with a result or a coded error', async () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '/',
      '\\',
      '..',
      '.',
      '~',
      '\0',
      '\ud800',
      'C:',
      '//',
      '\\\\wsl$\\x\\',
      '%2e',
      '\u202e',
      '/mnt/c/',
      '/proc/self/fd/0',
    ),
  );
  const anyRoot = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join('/')}`),
    fc.constantFrom('/', '', '/'.repeat(5_000), `/${'x'.repeat(300_000)}`),
    anyValue,
  );
  await fc.assert(
    fc.asyncProperty(anyRoot, async (projectRoot) => {
      const id = `r-${count}`;
      const call = { name: 'get-tables', arguments: { projectRoot } };
      const answers = await exchange(
        [JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: call })],
        [id],
      );
      const answer = answers.find((message) => message['id'] === id) ?? {};
      const { isError, error, text } = toolResult(answer);
      expect(isError).toBe(true);
      expect(['E_INVALID_PARAMS', 'E_PROJECT_NOT_OPEN']).toContain(error['code']);
      expect(text).toMatch(
        /^(Error: projectRoot (must be an absolute path|does not exist)$|Error: MCP server not running for project: |\[E_INVALID_PARAMS\] )/,
      );
    }),
    { numRuns: 500 },
  );
}, 120_000);

it('passes any arguments on unchanged', async () => {
  const argumentsOf = fc.dictionary(
    fc.string({ unit: 'binary' }).filter((key) => key !== 'projectRoot'),
    anyValue,
  );
  await fc.assert(
    fc.asyncProperty(argumentsOf, async (input) => {
      const id = `a-${count}`;
      // Written by hand, because an own key __proto__ does not survive an object literal.
      const rest = JSON.stringify(input).slice(1);
      const args = `{"projectRoot":${JSON.stringify(root)}${rest === '}' ? '' : ','}${rest}`;
      await exchange(
        [`{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"get-tables","arguments":${args}}}`],
        [id],
      );
      expect(JSON.parse(sidecar.calls.at(-1)?.body ?? '')).toEqual(JSON.parse(`{${rest}`));
      sidecar.calls.length = 0;
    }),
    { numRuns: 300 },
  );
}, 120_000);

it('uses no more memory after ten thousand calls and bad lines than after the first thousand', async () => {
  const thousand = async (): Promise<void> => {
    const ids = Array.from({ length: 500 }, (_unused, index) => `m-${count}-${index}`);
    const lines = ids.flatMap((id) => [
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'get-tables', arguments: { projectRoot: root } },
      }),
      `{"broken ${'x'.repeat(2_000)}`,
    ]);
    await exchange(lines, ids);
    sidecar.calls.length = 0;
  };
  await thousand();
  const before = residentKb();
  for (let round = 0; round < 10; round += 1) await thousand();
  expect(residentKb() - before).toBeLessThan(MAX_GROWTH_KB);
}, 120_000);

/** Resident memory of the entry. */
function residentKb(): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${client.child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
}
