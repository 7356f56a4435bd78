import { join } from 'node:path';
import { makeSampleProject } from '../../fixtures/labs/sample-project.ts';
import { DevdbHome, type StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, startEditor, type Window } from './helpers/editor-lab.ts';
import { FIRST_PORT, giveBack, type Passed, passedOver, takePort } from './helpers/ports.ts';
import { isRunning } from './helpers/processes.ts';
import { until } from './helpers/until.ts';

const QUERY = 'SELECT name FROM customers WHERE id = 1';

describeEditor('two windows on two projects', () => {
  let editor: Editor;
  let devdb: DevdbHome;
  let agent: StdioClient;
  let roots: readonly [string, string];
  const windows: Window[] = [];
  const ports: number[] = [];
  const freeBelow: number[] = [];

  beforeAll(async () => {
    editor = await startEditor();
    devdb = new DevdbHome(editor.home);
    roots = [makeSampleProject(join(editor.projects, 'one')), makeSampleProject(join(editor.projects, 'two'))];
    for (const root of roots) {
      const { port, free } = await passedOver(async () => {
        windows.push(await editor.open(root));
        return devdb.serving(root);
      });
      ports.push(port);
      freeBelow.push(...free);
    }
    agent = await devdb.stdioClient();
  });

  afterAll(async () => {
    await agent?.close();
    await editor?.stop();
  });

  function reopen(root: string): Promise<Passed> {
    return passedOver(async () => {
      windows[0] = await editor.open(root);
      return devdb.serving(root);
    });
  }

  test('take the first free ports, and the status bar says which', async () => {
    const [one = 0, two = 0] = ports;
    expect(one).toBeGreaterThanOrEqual(FIRST_PORT);
    expect(two).toBeGreaterThan(one);
    expect(freeBelow).toEqual([]);
    for (const [index, window] of windows.entries())
      await expect(window.statusText(/:\d+/)).resolves.toContain(`:${ports[index]}`);
  });

  test('are both reached by one agent over stdio', async () => {
    for (const projectRoot of roots) {
      await expect(agent.call('get-tables', { projectRoot })).resolves.toEqual({
        isError: false,
        text: '["customers","orders","products","revenue"]',
      });
    }
    const { text } = await agent.call('list-connections', { projectRoot: roots[1] });
    expect(text).toContain('data/shop.db');
  });

  test('one that is closed is no longer served, and gets its port back when opened again', async () => {
    const [one] = roots;
    const pid = await devdb.sidecarPid(one);
    await windows[0]?.close();
    await devdb.closed(one);
    await until('its sidecar ends', () => !isRunning(pid));
    const refused = await agent.call('run-query', { projectRoot: one, query: QUERY });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toContain(`MCP server not running for project: ${one}`);
    await expect(agent.call('get-database-type', { projectRoot: roots[1] })).resolves.toMatchObject({ text: 'sqlite' });
    const [had = 0] = ports;
    const { port, othersHad } = await reopen(one);
    // Another program may take a free port.
    expect(othersHad.has(had) ? had : port).toBe(had);
    ports[0] = port;
    await expect(agent.call('run-query', { projectRoot: one, query: QUERY })).resolves.toMatchObject({
      isError: false,
    });
  });

  test('one whose port was taken meanwhile gets another, and the agent follows', async () => {
    const [one] = roots;
    await windows[0]?.close();
    await devdb.closed(one);
    const stranger = await takePort(ports[0] ?? 0);
    try {
      const { port, free } = await reopen(one);
      expect(ports).not.toContain(port);
      expect(free).toEqual([]);
      await expect(windows[0]?.statusText(/:\d+/)).resolves.toContain(`:${port}`);
      await expect(agent.call('get-tables', { projectRoot: one })).resolves.toMatchObject({ isError: false });
    } finally {
      await giveBack(stranger);
    }
  });

  test('one that is killed takes its sidecar with it, and the other is not affected', async () => {
    const [one, two] = roots;
    const pid = await devdb.sidecarPid(one);
    await windows[0]?.kill();
    await until('the sidecar of the killed window ends', () => !isRunning(pid));
    await devdb.closed(one);
    await expect(agent.call('get-tables', { projectRoot: one })).resolves.toMatchObject({ isError: true });
    await expect(agent.call('get-tables', { projectRoot: two })).resolves.toMatchObject({ isError: false });
  });
});
