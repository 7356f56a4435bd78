import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import { DebugAgent } from './helpers/debug-agent.ts';
import { describeEditor } from './helpers/editor-lab.ts';
import { type SampleEditor, startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const PROGRAM = `const many = Array.from({ length: 1_000_000 }, (_, at) => at * 2);
const deep = { level: 0 };
let last = deep;
for (let level = 1; level < 200; level += 1) last = last.next = { level };
const long = 'x'.repeat(300_000);
const quiet = 1;
console.log(quiet, many.length, deep.level, long.length);
`;
const NOISE = "for (let at = 0; at < 100_000; at += 1) process.stdout.write(at + ' ' + 'n'.repeat(1_000) + '\\n');\n";
const MB = 1024 * 1024;

const variables = z.object({ children: z.array(z.object({ name: z.string(), value: z.string() })) });
const evaluated = z.object({ variablesReference: z.int() });

describeEditor('a program with much in it', () => {
  let sample: SampleEditor;
  let agent: DebugAgent;

  beforeAll(async () => {
    sample = await startOnSample({ machineSettings: { 'Devdb.approvals': 'allow' } }, (root) => {
      addExampleFiles(root);
      writeFileSync(join(root, 'src', 'much.js'), PROGRAM);
      writeFileSync(join(root, 'src', 'noise.js'), NOISE);
    });
    agent = await DebugAgent.start(sample, ['--timeout', '150000']);
  });

  afterAll(async () => {
    await agent?.close();
    await sample?.editor.stop();
  });

  afterEach(() => agent.reset());

  const pause = async () => {
    await agent.call('breakpoint_set', { path: 'src/much.js', line: 7 });
    return agent.call('debug_start', { program: 'src/much.js', wait: true, timeoutMs: 150_000 });
  };

  test('is reported within a budget that says so, at a stop and as a tree', async () => {
    const hit = await pause();
    expect(JSON.stringify(hit).length).toBeLessThan(8_000);
    expect(JSON.stringify(hit)).toMatch(/x{50,}… \(\d{5,} characters\)/);
    const tree = await agent.call('debug_list_variables', { maxDepth: 10 });
    expect(JSON.stringify(tree).length).toBeLessThan(40_000);
    const text = JSON.stringify(tree);
    expect(text).toMatch(/"name":"many"[^}]*"indexedVariables":1000000/);
    // What is large leaves room for what is small.
    expect(text).toContain('"name":"quiet","value":"1"');
    const result = await agent.call('debug_evaluate', { expression: 'long' });
    expect(result).toMatchObject({ truncated: true, rest: expect.stringContaining('debug_save_variable') });
    expect(JSON.stringify(result).length).toBeLessThan(20_000);
  });

  test('is paged through, from any place of a million elements', async () => {
    await pause();
    const { variablesReference } = evaluated.parse(await agent.call('debug_evaluate', { expression: 'many' }));
    const page = await agent.call('debug_get_variable', { variablesReference, start: 999_990, count: 5 });
    expect(variables.parse(page).children.map(({ name, value }) => [name, value])).toEqual([
      ['999990', '1999980'],
      ['999991', '1999982'],
      ['999992', '1999984'],
      ['999993', '1999986'],
      ['999994', '1999988'],
    ]);
    expect(page['pagination']).toEqual({ start: 999_990, count: 5, shown: 5, hasMore: true });
    const end = await agent.call('debug_get_variable', {
      variablesReference,
      start: 999_998,
      count: 100,
      filter: 'indexed',
    });
    expect(end['pagination']).toMatchObject({ shown: 2, hasMore: false });
  });

  test('is written to a file page by page, and a call that ends before leaves none', async () => {
    await pause();
    const file = join(sample.root, 'out', 'many.jsonl');
    rmSync(file, { force: true });
    const input = { outputPath: 'out/many.jsonl', expression: 'many', pageSize: 5_000 };
    expect(await agent.call('debug_save_variable', { ...input, maxItems: 20_000 })).toMatchObject({
      outputPath: 'out/many.jsonl',
      counts: { indexed: 20_000, named: 0 },
      truncatedByLimit: true,
    });
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(20_000);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ name: '19999', value: '39998' });
    expect(await agent.code('debug_save_variable', input)).toBe('E_ALREADY_EXISTS');
    const hurried = await DebugAgent.start(sample, ['--timeout', '1500']);
    const other = { outputPath: 'out/other.jsonl', expression: 'many', pageSize: 1 };
    expect(await hurried.code('debug_save_variable', other)).toBe('E_TIMEOUT');
    await hurried.close();
    expect(existsSync(join(sample.root, 'out', 'other.jsonl'))).toBe(false);
  });

  test('may print 100 MB, and the extension host keeps no more than the end of it', async () => {
    const memory = () =>
      sample.window.run(() => {
        process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
        process.getBuiltinModule('node:vm').runInNewContext('gc')();
        const { heapUsed, external } = process.memoryUsage();
        return heapUsed + external;
      });
    const before = await memory();
    const end = await agent.call('debug_start', { program: 'src/noise.js', wait: true, timeoutMs: 150_000 });
    expect(end).toMatchObject({ event: 'terminated' });
    expect(JSON.stringify(end).length).toBeLessThan(4_000);
    const logs = await agent.call('dap_logs', { count: 1_000 });
    expect(JSON.stringify(logs).length).toBeLessThan(40_000);
    expect(end['output']).toMatch(/99999 n{1000}\n$/);
    expect(Object(logs['session']).dropped).toBeGreaterThan(0);
    // The debugger itself runs there too, and what it has told waits there until the editor's window has taken it.
    let grown = Number.POSITIVE_INFINITY;
    await until('the memory is given back', async () => {
      grown = (await memory()) - before;
      return grown < 50 * MB;
    });
    process.stdout.write(`100 MB printed: the memory of the extension host changed by ${Math.round(grown / MB)} MB\n`);
  });
});
