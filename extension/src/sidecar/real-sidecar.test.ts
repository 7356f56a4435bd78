import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProjectOutcome } from '@devdb/shared/protocol/handshake';
import { makeSampleProject } from '../../../fixtures/labs/sample-project.ts';
import { type SidecarState, Supervisor } from './supervisor.ts';

const SCRIPT = join(__dirname, '..', '..', 'dist', 'sidecar', 'sidecar.js');
const never = new AbortController().signal;

describe('the built sidecar under the extension', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-window-')));
  const roots = ['one', 'two'].map((name) => makeSampleProject(join(folder, name)));
  const logged: string[] = [];
  let tell: (state: SidecarState) => void = () => undefined;
  let trusted = true;
  const supervisor = new Supervisor({
    command: () => ({
      nodePath: process.execPath,
      script: SCRIPT,
      env: { ...process.env, DEVDB_HOME: join(folder, 'home') },
    }),
    projects: () =>
      roots.map((root) => ({
        root,
        settings: {
          writes: 'ask',
          trusted,
          toolsets: ['database'],
          disabledTools: [],
          mcpJson: { entry: 'off', inGit: false },
        },
      })),
    side: {
      version: '1.1.0',
      editor: 'test',
      client: { id: 'window', name: 'test' },
      ask: async () => 'once',
      notify: ({ message }) => logged.push(message),
      projectChanged: () => undefined,
      onFault: (error) => logged.push(String(error)),
    },
    onState: (state) => tell(state),
    onLogLine: (line) => logged.push(line),
    log: (line) => logged.push(line),
    now: () => Date.now(),
    pause: async () => undefined,
  });

  function running(): Promise<readonly ProjectOutcome[]> {
    return new Promise((resolve, reject) => {
      tell = (state) => {
        if (state.kind === 'running') resolve(state.projects);
        if (state.kind === 'failed') reject(new Error(state.reason));
      };
    });
  }

  function run(tool: string, input: unknown = {}) {
    return supervisor.client?.runTool({ tool, input, signal: never });
  }

  afterAll(async () => {
    await supervisor.end();
    rmSync(folder, { recursive: true, force: true });
  });

  test('serves every folder of the window on a port of its own', async () => {
    const opened = running();
    await supervisor.restart();
    const ports = (await opened).map((one) => ('port' in one ? one.port : one.problem));
    expect(new Set(ports).size).toBe(2);
    await expect(run('get-tables')).resolves.toMatchObject({
      ok: true,
      data: { tables: ['customers', 'orders', 'products', 'revenue'] },
    });
  });

  test('asks the person at the editor before a write and writes after the yes', async () => {
    const query = "UPDATE customers SET city = 'Nice' WHERE id = 1";
    await expect(run('run-query', { query })).resolves.toMatchObject({ ok: true, data: { affectedRows: 1 } });
    const read = await run('run-query', { query: 'SELECT city FROM customers WHERE id = 1' });
    expect(read).toMatchObject({ data: { rows: [['Nice']] } });
  });

  test('comes back on the same ports after it was killed, and the next call works', async () => {
    const again = running();
    await supervisor.restart();
    const before = await again;
    const revived = running();
    const pid = await supervisor.client?.status(never).then((status) => status.pid);
    process.kill(Number(pid), 'SIGKILL');
    await expect(revived).resolves.toEqual(before);
    await expect(run('get-database-type')).resolves.toMatchObject({ ok: true, data: { type: 'sqlite' } });
  });

  test('opens no database in a workspace that is not trusted', async () => {
    trusted = false;
    const opened = running();
    await supervisor.restart();
    await opened;
    await expect(run('get-tables')).resolves.toMatchObject({ ok: false, error: { code: 'E_UNTRUSTED_WORKSPACE' } });
  });
});
