import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { envelopeText } from '@devdb/shared/envelope';
import { isErrorCode } from '@devdb/shared/errors';
import { inputJsonSchema } from '@devdb/shared/json-schema';
import { withoutVoid } from '@devdb/shared/plain-sight';
import { agentServer } from '@devdb/shared/protocol/agent-methods';
import { allTools, findTool, mayAnswer, type ToolDefinition } from '@devdb/shared/tools';
import { wireErrorSchema } from '@devdb/shared/wire-error';
import * as fc from 'fast-check';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { makeSampleProject } from '../../../fixtures/labs/sample-project.ts';
import { commandIn, SETTINGS, silentEditor } from '../../test/helpers/silent-editor.ts';
import { Supervisor } from '../sidecar/supervisor.ts';
import { confirmationFor } from './confirmation.ts';
import { type LmHost, registerLmTools } from './register-tools.ts';
import { TOOL_FACTS } from './tool-facts.ts';

const SCRIPT = join(__dirname, '..', '..', 'dist', 'sidecar', 'sidecar.js');
const EXPORT = 'out.csv';
const never = new AbortController().signal;

const metaSchema = z.object({ requestId: z.string(), timestamp: z.string(), duration: z.number() });
const envelopeSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), type: z.literal('success'), data: z.unknown(), meta: metaSchema }),
  z.object({ ok: z.literal(false), type: z.literal('error'), error: wireErrorSchema(), meta: metaSchema }),
]);

const field = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const inputSchema = z.looseObject({
  properties: z.record(z.string(), field).default({}),
  required: z.array(z.string()).default([]),
});

/** One call for each kind of answer that must occur. */
const CERTAIN: [{ name: string; input: object }][] = [
  [{ name: 'run-query', input: { query: 'SELECT 1' } }],
  [{ name: 'run-query', input: { query: 'SELEC 1' } }],
  [{ name: 'run-query', input: { query: 'DROP TABLE orders' } }],
  [{ name: 'run-query', input: { query: 1 } }],
  [{ name: 'explain-query', input: { query: 'SELECT id FROM customers', analyze: true } }],
];

/** What people and models write, so that many inputs reach the database. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  query: [
    'SELECT id, name FROM customers ORDER BY id',
    'SELECT * FROM costumers',
    "UPDATE customers SET city = 'x'",
    'DROP TABLE orders',
    'SELECT 1; SELECT 2',
    'PRAGMA user_version = 3',
    'SELECT zeroblob(100)',
    ' ',
    '-- nothing',
  ],
  table: ['customers', 'revenue', 'costumers', 'main.orders', "x'; DROP TABLE orders; --"],
  pattern: ['*_id', 'cust*', ''],
  path: [EXPORT, '../outside.csv', '/etc/x.csv', '.hidden.csv', 'no.txt'],
  connection: ['data/shop.db', 'no-such'],
  tool: ['no_such_tool'],
};

const anything = fc.anything({ maxDepth: 2, withNullPrototype: false }).filter((value) => value !== undefined);

function valid(name: string, schema: z.infer<typeof field>): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  // With a short timeout the answer would depend on chance.
  if (name === 'timeoutMs') return fc.constantFrom(20_000, 60_000);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return smallInteger(schema.minimum ?? 0, schema.maximum);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(fc.constantFrom(...(TEXTS['table'] ?? [])), { maxLength: 3 });
    case 'object':
      return fc.dictionary(fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }), { maxKeys: 2 });
    default: {
      const usual = fc.constantFrom(...(TEXTS[name] ?? ['x']));
      return name === 'path' ? usual : fc.oneof({ weight: 4, arbitrary: usual }, fc.string({ maxLength: 12 }));
    }
  }
}

/** Inputs that fit the schema, and inputs with a missing, wrong or extra field. */
function inputsFor(tool: ToolDefinition): fc.Arbitrary<Record<string, unknown>> {
  const { properties, required } = inputSchema.parse(inputJsonSchema(tool.input));
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valid(name, schema)]));
  const good = fc.record(fields, { requiredKeys: required });
  const names = [...Object.keys(properties), 'projectRoot', 'unknown'];
  const lacking = fc
    .tuple(good, fc.constantFrom(...names))
    .map(([input, name]) => Object.fromEntries(Object.entries(input).filter(([key]) => key !== name)));
  const wrong = fc
    .tuple(good, fc.constantFrom(...names.filter((name) => name !== 'timeoutMs')), anything)
    .map(([input, name, value]) => ({ ...input, [name]: value }));
  // Both ways carry JSON.
  return fc
    .oneof({ weight: 3, arbitrary: good }, lacking, wrong)
    .map((input) => z.record(z.string(), z.unknown()).parse(JSON.parse(JSON.stringify(input, bigintText))));
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** Printed by name: a whole definition would fill pages of a failure. */
const anyCall = fc
  .constantFrom(...allTools.map(({ name }) => name))
  .chain((name) => inputsFor(named(name)).map((input) => ({ name, input })));

function named(name: string): ToolDefinition {
  const tool = findTool(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  return tool;
}

interface Offered {
  readonly tools: ReadonlyMap<string, vscode.LanguageModelTool<object>>;
  readonly host: LmHost;
}

function editorHost(refuse: (name: string) => boolean = () => false): Offered {
  const tools = new Map<string, vscode.LanguageModelTool<object>>();
  const register = (name: string, tool: vscode.LanguageModelTool<object>) => {
    if (refuse(name)) throw new Error(`Tool "${name}" was not contributed.`);
    tools.set(name, tool);
    return { dispose: () => tools.delete(name) };
  };
  return { tools, host: { register, answer: (text) => ({ content: [text] }), confirmation: (it) => it } };
}

const token: vscode.CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};

async function invoke({ tools }: Offered, name: string, input: object): Promise<{ ok: boolean; text: string }> {
  const tool = tools.get(`devdb_${name}`);
  if (tool === undefined) throw new Error(`${name} is not registered`);
  try {
    const result = await tool.invoke({ input, toolInvocationToken: undefined }, token);
    return { ok: true, text: String(result?.content[0]) };
  } catch (error) {
    return { ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

function timeless(text: string): string {
  return text.replaceAll(/"(?:durationMs|ms)":[\d.]+/g, '"ms":0').replaceAll(/ in [\d.]+ ms\b/g, ' in 0 ms');
}

function smallInteger(min: number, max = Number.POSITIVE_INFINITY): fc.Arbitrary<number> {
  return fc.integer({ min, max: Math.min(max, min + 1_000) });
}

describe("the tools of the editor's own agent", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-lm-')));
  const root = makeSampleProject(join(folder, 'shop'));
  const faults: unknown[] = [];
  const offered = editorHost();
  let url = '';
  let headers: Record<string, string> = {};
  const supervisor = new Supervisor(
    silentEditor({
      command: commandIn(join(folder, 'home'), SCRIPT),
      projects: () => [{ root, settings: { ...SETTINGS, writes: 'deny' } }],
      side: { onFault: (error) => faults.push(error) },
    }),
  );

  beforeAll(async () => {
    mkdirSync(join(folder, 'home'), { recursive: true });
    await supervisor.restart();
    const client = await supervisor.ready(never);
    const server = await client.call(agentServer, {}, { timeoutMs: 20_000 });
    url = server.url.replace(/\/mcp$/, '');
    headers = { ...server.headers, 'content-type': 'application/json' };
    registerLmTools({
      tools: TOOL_FACTS,
      host: offered.host,
      client: (signal) => supervisor.ready(signal),
      log: () => undefined,
    });
  });

  afterAll(async () => {
    await supervisor.end();
    rmSync(folder, { recursive: true, force: true });
  });

  async function overHttp(tool: ToolDefinition, input: object): Promise<{ ok: boolean; text: string }> {
    const response = await fetch(`${url}/tools/${tool.name}`, { method: 'POST', headers, body: JSON.stringify(input) });
    const envelope = envelopeSchema.parse(await response.json());
    return { ok: envelope.ok, text: envelopeText(envelope, tool.text) };
  }

  test('answer any input as HTTP does: with the same text, or the same coded error with a hint', async () => {
    const codes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(anyCall, async ({ name, input }) => {
        const tool = named(name);
        rmSync(join(root, EXPORT), { force: true });
        const here = await invoke(offered, tool.name, input);
        rmSync(join(root, EXPORT), { force: true });
        const there = await overHttp(tool, input);
        expect({ ...here, text: timeless(here.text) }).toEqual({ ...there, text: timeless(there.text) });
        const code = /^\[(E_\w+)\] \S/.exec(here.text)?.[1];
        codes.add(here.ok ? 'ok' : String(code));
        if (!here.ok) expect(isErrorCode(code) && mayAnswer(tool, code)).toBe(true);
        // No internals are exposed.
        expect(here.text).not.toMatch(/E_INTERNAL|node_modules|\bat .*:\d+:\d+/);
      }),
      { numRuns: 300, examples: CERTAIN },
    );
    expect([...codes]).toEqual(expect.arrayContaining(['ok', 'E_INVALID_PARAMS', 'E_READ_ONLY', 'E_SQL']));
    expect(faults).toEqual([]);
  });

  test('keep answering after any error', async () => {
    const before = await invoke(offered, 'get-tables', {});
    await fc.assert(
      fc.asyncProperty(anyCall, async ({ name, input }) => {
        await Promise.all([invoke(offered, name, input), invoke(offered, 'get-tables', {})]);
        expect(await invoke(offered, 'get-tables', {})).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  test('report an internal failure as a coded message', async () => {
    const broken = editorHost();
    const client = async () => {
      throw new TypeError('secret-host:5432 is undefined');
    };
    registerLmTools({ tools: TOOL_FACTS, host: broken.host, client, log: () => undefined });
    for (const { name } of allTools) {
      const { ok, text } = await invoke(broken, name, {});
      expect([ok, text.startsWith('[E_INTERNAL]'), text.includes('secret-host')]).toEqual([false, true, false]);
    }
  });

  test('that cannot be registered are logged, and the others still work', () => {
    fc.assert(
      fc.property(fc.subarray(allTools.map(({ name }) => name)), (refused) => {
        const some = editorHost((name) => refused.some((one) => name === `devdb_${one}`));
        const logged: string[] = [];
        const client = (signal: AbortSignal) => supervisor.ready(signal);
        const made = registerLmTools({ tools: TOOL_FACTS, host: some.host, client, log: (line) => logged.push(line) });
        expect([...some.tools.keys()]).toEqual(
          allTools.filter(({ name }) => !refused.includes(name)).map(({ name }) => `devdb_${name}`),
        );
        expect(logged).toHaveLength(refused.length);
        for (const one of made) one.dispose();
        expect(some.tools.size).toBe(0);
      }),
    );
  });

  test('ask before they run unless they are read-only, and no input breaks out of the block that shows it', () => {
    for (const tool of TOOL_FACTS) expect(confirmationFor(tool, {}) === undefined).toBe(tool.readOnly);
    const query = { title: 'Run a query', readOnly: false, beforeRun: 'DevDB still asks.' };
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', '\n', 'x', '[', '](http://evil)') }), (text) => {
        const { message = '' } = confirmationFor(query, { query: text }) ?? {};
        const [, fence = '', inside] = /^[^`]*\n\nquery:\n\n(`{3,})\n([\s\S]*)\n\1$/.exec(message) ?? [];
        expect(inside).toBe(withoutVoid(text));
        expect(text).not.toContain(fence);
      }),
    );
  });
});
