import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer } from '@devdb/shared/protocol';
import type { ProjectOutcome } from '@devdb/shared/protocol/handshake';
import { makeSampleProject } from '../../../fixtures/labs/sample-project.ts';
import { commandIn, SETTINGS, silentEditor } from '../../test/helpers/silent-editor.ts';
import { type SidecarState, Supervisor } from './supervisor.ts';

const SCRIPT = join(__dirname, '..', '..', 'dist', 'sidecar', 'sidecar.js');
const never = new AbortController().signal;

describe('the built sidecar under the extension', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-window-')));
  const roots = ['one', 'two'].map((name) => makeSampleProject(join(folder, name)));
  const [one = '', two = ''] = roots;
  const logged: string[] = [];
  const news: unknown[] = [];
  let tell: (state: SidecarState) => void = () => undefined;
  let answerAsk: () => Promise<Answer> = async () => 'once';
  let asked: () => void = () => undefined;
  let wanted: readonly string[] = roots;
  let settings = SETTINGS;
  const supervisor = new Supervisor(
    silentEditor({
      command: commandIn(join(folder, 'home'), SCRIPT),
      projects: () => wanted.map((root) => ({ root, settings })),
      side: {
        ask: () => {
          asked();
          return answerAsk();
        },
        notify: (told) => news.push(told),
        projectChanged: (root) => news.push(root),
        onFault: (error) => logged.push(String(error)),
      },
      onState: (state) => tell(state),
      onLogLine: (line) => logged.push(line),
      log: (line) => logged.push(line),
      now: () => Date.now(),
    }),
  );

  function running(): Promise<readonly ProjectOutcome[]> {
    return new Promise((resolve, reject) => {
      tell = (state) => {
        if (state.kind === 'running') resolve(state.projects);
        if (state.kind === 'failed') reject(new Error(state.reason));
      };
    });
  }

  async function updated(): Promise<readonly ProjectOutcome[]> {
    const told = running();
    await supervisor.update();
    return told;
  }

  function portOf(outcome: ProjectOutcome | undefined): number {
    if (outcome === undefined || 'problem' in outcome) throw new Error(`not open: ${JSON.stringify(outcome)}`);
    return outcome.port;
  }

  async function run(tool: string, input: unknown = {}, root?: string) {
    const client = await supervisor.ready(never);
    const { ok, text } = await client.runTool({ tool, input, signal: never, ...(root === undefined ? {} : { root }) });
    return { ok, text, data: /^[[{]/.test(text) && ok ? JSON.parse(text) : undefined };
  }

  const pid = async () => (await supervisor.ready(never)).status(never).then((status) => status.pid);

  afterAll(async () => {
    await supervisor.end();
    rmSync(folder, { recursive: true, force: true });
  });

  test('serves every folder of the window on its own port', async () => {
    const opened = running();
    await supervisor.restart();
    const ports = (await opened).map(portOf);
    expect(new Set(ports).size).toBe(2);
    await expect(run('get-tables')).resolves.toMatchObject({
      ok: true,
      data: ['customers', 'orders', 'products', 'revenue'],
    });
  });

  test('asks the user before a write, and writes after a yes', async () => {
    const query = "UPDATE customers SET city = 'Nice' WHERE id = 1";
    await expect(run('run-query', { query })).resolves.toMatchObject({ ok: true, text: '-- affectedRows: 1' });
    const read = await run('run-query', { query: 'SELECT city FROM customers WHERE id = 1' });
    expect(read).toMatchObject({ text: 'city\nNice' });
  });

  test("reports every project's default database, and when a call finds another one", async () => {
    const client = await supervisor.ready(never);
    await expect(client.status(never)).resolves.toMatchObject({
      projects: [
        { root: one, database: { engine: 'sqlite' } },
        { root: two, database: { engine: 'sqlite' } },
      ],
    });
    news.splice(0);
    writeFileSync(join(two, '.devdbrc'), '[{"type":"sqlite","name":"mine","path":"other.db"}]');
    await run('get-database-type', {}, two);
    expect(news).toContain(two);
    const { projects } = await client.status(never);
    expect(projects[1]?.database).toEqual({ name: 'mine', engine: 'sqlite' });
    rmSync(join(two, '.devdbrc'));
  });

  test('keeps serving the calls of a folder while others come and go and settings change', async () => {
    const before = await pid();
    const reached = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const held = Promise.withResolvers<Answer>();
    answerAsk = () => held.promise;
    const query = "UPDATE customers SET city = 'Oslo' WHERE id = 1";
    const waiting = run('run-query', { query }, one);
    await reached;
    wanted = [one, join(folder, 'three')];
    settings = { ...settings, disabledTools: ['export-query'] };
    makeSampleProject(join(folder, 'three'));
    const outcomes = await updated();
    expect(outcomes.map(({ given }) => given)).toEqual(wanted);
    await expect(run('get-tables', {}, two)).rejects.toMatchObject({ code: 'E_PROJECT_NOT_OPEN' });
    await expect(run('get-tables', {}, join(folder, 'three'))).resolves.toMatchObject({ ok: true });
    await expect(run('export-query', { query: 'SELECT 1', path: 'x.csv', format: 'csv' })).resolves.toMatchObject({
      ok: false,
      text: expect.stringMatching(/^\[E_DISABLED\]/),
    });
    held.resolve('once');
    await expect(waiting).resolves.toMatchObject({ ok: true, text: '-- affectedRows: 1' });
    answerAsk = async () => 'once';
    settings = { ...settings, disabledTools: [] };
    wanted = roots;
    await updated();
    expect(await pid()).toBe(before);
  });

  test('reports which folders it cannot serve, and never uses another one in place of the first', async () => {
    wanted = [join(folder, 'missing'), two];
    const [missing, open] = await updated();
    expect(missing).toEqual({
      given: join(folder, 'missing'),
      problem: `${join(folder, 'missing')} does not exist on this machine.`,
    });
    expect(portOf(open)).toBeGreaterThan(50_000);
    await expect(run('get-tables')).rejects.toMatchObject({ code: 'E_PROJECT_NOT_OPEN' });
    wanted = roots;
    await updated();
  });

  test('moves to a free fixed port without touching other folders, and reports a taken one to the user', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    wanted = [one];
    news.splice(0);
    const [first] = await updated();
    settings = { ...settings, fixedPort: port };
    const [kept] = await updated();
    expect(portOf(kept)).toBe(portOf(first));
    expect(news).toEqual([
      { level: 'error', message: expect.stringContaining(`Port ${port}`), once: expect.stringContaining(String(port)) },
    ]);
    await new Promise((resolve) => taken.close(resolve));
    settings = { ...settings, fixedPort: port + 1 };
    await updated();
    settings = { ...settings, fixedPort: port };
    expect(portOf((await updated())[0])).toBe(port);
    const { fixedPort: _none, ...free } = settings;
    settings = free;
    expect(portOf((await updated())[0])).toBe(port);
    wanted = roots;
    await updated();
  });

  test('gets the same ports back after it was killed, and the next call works', async () => {
    const again = running();
    await supervisor.restart();
    const before = await again;
    const revived = running();
    process.kill(await pid(), 'SIGKILL');
    await expect(revived).resolves.toEqual(before);
    await expect(run('get-database-type')).resolves.toMatchObject({ ok: true, text: 'sqlite' });
  });

  test("answers with a client's set-up and doctor's report", async () => {
    const client = await supervisor.ready(never);
    await expect(client.setupText('claude', never)).resolves.toContain('claude mcp add --scope user devdb');
    const { text, suggestion } = await client.doctorText(one, never);
    expect(text).toContain('The default database works.');
    expect(text).toContain('answers on port');
    expect(suggestion).toBeUndefined();
  });

  test('opens no database in an untrusted workspace, and does once it is trusted, in the same process', async () => {
    const before = await pid();
    settings = { ...settings, trusted: false };
    await updated();
    await expect(run('get-tables')).resolves.toMatchObject({
      ok: false,
      text: expect.stringMatching(/^\[E_UNTRUSTED_WORKSPACE\]/),
    });
    settings = { ...settings, trusted: true };
    await updated();
    await expect(run('get-tables')).resolves.toMatchObject({ ok: true });
    expect(await pid()).toBe(before);
  });
});
