import type { DevdbHome, StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { invokeTool } from './helpers/invoke-tool.ts';
import { childrenOf, isRunning } from './helpers/processes.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const KILLS = 20;
const IN_FLIGHT = 3;
/** On a busy machine a call may reach the next sidecar instead, where only its timeout ends it. */
const ENDLESS = {
  query: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n',
  timeoutMs: 8_000,
};
const CODED = /^\[E_[A-Z_]+\] /;
/** What the stdio entry says by contract when a sidecar is gone. */
const SENTENCES = /^(Could not establish database connection|Error: MCP server not running for project)/;
/** A person notices half a second without response. */
const NOTICED_MS = 500;

describeEditor(`a sidecar that is killed ${KILLS} times under load`, () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let agent: StdioClient;
  let root: string;
  let restartedByHand = 0;

  beforeAll(async () => {
    ({ editor, devdb, window, root } = await startOnSample());
    agent = await devdb.stdioClient();
    await window.run(() => {
      const { monitorEventLoopDelay } = process.getBuiltinModule('node:perf_hooks');
      const delay = monitorEventLoopDelay({ resolution: 10 });
      delay.enable();
      Reflect.set(globalThis, 'eventLoopDelay', delay);
    });
  });

  afterAll(async () => {
    await agent?.close();
    await editor?.stop();
  });

  /** The text of an answer to the editor's own agent, or of its error. */
  async function invoke(tool: string, input: object): Promise<string> {
    return (await invokeTool(window, `devdb_${tool}`, input)).text;
  }

  /** After too many crashes in a row DevDB waits for the user, who runs this. */
  async function nextCall(): Promise<string> {
    const said = await invoke('get-database-type', {});
    if (!said.startsWith('[E_UNREACHABLE]')) return said;
    restartedByHand += 1;
    await window.command('devdb.restart');
    return invoke('get-database-type', {});
  }

  test('answers calls in flight with a code, and then the next call', async () => {
    const host = window.pid;
    for (let round = 0; round < KILLS; round += 1) {
      // A read-only tool, which the editor calls without asking.
      const overLm = Array.from({ length: IN_FLIGHT }, () => invoke('explain-query', { ...ENDLESS, analyze: true }));
      const overStdio = Array.from({ length: IN_FLIGHT }, () =>
        agent.call('run-query', { projectRoot: root, ...ENDLESS }),
      );
      // Everything sent before these has arrived when they are answered.
      await expect(invoke('get-tables', {})).resolves.toContain('customers');
      await expect(agent.call('get-tables', { projectRoot: root })).resolves.toMatchObject({ isError: false });
      const pid = await devdb.sidecarPid(root);
      const children = childrenOf(pid);
      process.kill(pid, 'SIGKILL');
      for (const said of await Promise.all(overLm)) expect(said).toMatch(CODED);
      for (const { isError, text } of await Promise.all(overStdio)) {
        expect(isError).toBe(true);
        expect(CODED.test(text) || SENTENCES.test(text) ? 'an error with a code' : text).toBe('an error with a code');
      }
      await expect(nextCall()).resolves.toBe('sqlite');
      await devdb.serving(root);
      await expect(agent.call('get-tables', { projectRoot: root })).resolves.toMatchObject({ isError: false });
      await until('the processes of the killed sidecar end', () => !children.some(isRunning));
    }
    expect(window.pid).toBe(host);
    process.stdout.write(`killed ${KILLS} times: restarted by hand ${restartedByHand} times\n`);
  }, 240_000);

  test('does not affect the editor', async () => {
    const longest = await window.run((): { max: number; p99: number } => {
      const delay = Reflect.get(globalThis, 'eventLoopDelay');
      return { max: delay.max / 1e6, p99: delay.percentile(99) / 1e6 };
    });
    process.stdout.write(
      `killed ${KILLS} times: the extension host's event loop waited ${longest.p99.toFixed(1)} ms (p99), ${longest.max.toFixed(1)} ms at most\n`,
    );
    expect(longest.p99).toBeLessThan(NOTICED_MS);
    await expect(window.statusText(/:\d+/)).resolves.toContain('DevDB');
  });
});
