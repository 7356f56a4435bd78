import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import { DebugAgent } from './helpers/debug-agent.ts';
import { describeEditor } from './helpers/editor-lab.ts';
import { isRunning } from './helpers/processes.ts';
import { type SampleEditor, startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

/** What a configuration calls the folder. */
const FOLDER = '$'.concat('{workspaceFolder}');
const CONFIGURATIONS = {
  version: '0.2.0',
  configurations: [
    { name: 'Loop', type: 'node', request: 'launch', program: `${FOLDER}/src/loop.js` },
    { name: 'Other', type: 'node', request: 'launch', program: `${FOLDER}/src/other.js` },
    {
      name: 'After a task',
      type: 'node',
      request: 'launch',
      program: `${FOLDER}/src/loop.js`,
      preLaunchTask: 'make',
    },
    {
      name: 'After a bad task',
      type: 'node',
      request: 'launch',
      program: `${FOLDER}/src/loop.js`,
      preLaunchTask: 'fail',
    },
    { name: 'Unknown debugger', type: 'nosuch', request: 'launch' },
    {
      name: 'Bad runtime',
      type: 'node',
      request: 'launch',
      runtimeExecutable: '/no/such/node',
      program: `${FOLDER}/src/loop.js`,
    },
  ],
  compounds: [{ name: 'Both', configurations: ['Loop', 'Other'] }],
};
const TASKS = {
  version: '2.0.0',
  tasks: [
    { label: 'make', type: 'process', command: '/bin/sh', args: ['-c', 'echo made > made.txt'] },
    { label: 'fail', type: 'process', command: '/bin/sh', args: ['-c', 'exit 3'] },
  ],
};

/** Where Node's inspector listens, once it says so. Its output is read on: a program that cannot write ends. */
function inspectorPort({ stderr }: ChildProcessByStdio<null, null, Readable>): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let said = '';
  stderr.on('data', (chunk) => {
    said += String(chunk);
    const port = /ws:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1];
    if (port !== undefined) resolve(Number(port));
  });
  return promise;
}

describeEditor('starting to debug', () => {
  let sample: SampleEditor;
  let agent: DebugAgent;

  beforeAll(async () => {
    sample = await startOnSample({ machineSettings: { 'Devdb.approvals': 'allow' } }, (root) => {
      addExampleFiles(root);
      write(root, '.vscode/launch.json', JSON.stringify(CONFIGURATIONS));
      write(root, '.vscode/tasks.json', JSON.stringify(TASKS));
      write(root, 'src/other.js', "console.log('other');\nsetInterval(() => {}, 1000);\n");
    });
    agent = await DebugAgent.start(sample);
  });

  afterAll(async () => {
    await agent?.close();
    await sample?.editor.stop();
  });

  afterEach(() => agent.reset());

  function write(root: string, file: string, text: string): void {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }

  test('a configuration of launch.json by name, and one that is not there names those that are', async () => {
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4 });
    const started = await agent.call('debug_start', { launch: 'Loop', wait: true });
    expect(started).toMatchObject({
      sessionName: expect.stringContaining('Loop'),
      event: 'stopped',
      file: 'src/loop.js',
      line: 4,
    });
    await expect(agent.call('debug_start', { launch: 'Lop' })).rejects.toThrow(
      /^\[E_NOT_FOUND\] .*It has: Loop, Other/,
    );
  });

  test('a compound starts all of its sessions, each of which can be named', async () => {
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4 });
    const { sessions } = await agent.call('debug_start', { launch: 'Both' });
    expect(sessions).toHaveLength(2);
    const [loop] = Object(sessions);
    expect(await agent.call('debug_wait_for_hit', { sessionId: loop.sessionId })).toMatchObject({ line: 4 });
    expect(await agent.call('debug_status')).toMatchObject({ sessions: [{ paused: true }, { paused: false }] });
  });

  test('a task runs before, and one that fails ends the start without a question of the editor', async () => {
    expect(await agent.call('debug_start', { launch: 'After a task', wait: true })).toMatchObject({
      event: 'terminated',
    });
    expect(existsSync(join(sample.root, 'made.txt'))).toBe(true);
    await expect(agent.call('debug_start', { launch: 'After a bad task' })).rejects.toThrow(
      /^\[E_LAUNCH_FAILED\] .*task/,
    );
    expect(await sample.window.page.locator('.monaco-dialog-box').count()).toBe(0);
    const setting = await sample.window.run(
      (vscode) => vscode.workspace.getConfiguration('debug').inspect('onTaskErrors')?.globalValue ?? null,
    );
    expect(setting).toBeNull();
  });

  test('what the debugger says is the error of a start that fails, and nothing is left of it', async () => {
    await expect(agent.call('debug_start', { launch: 'Bad runtime' })).rejects.toThrow(
      /^\[E_LAUNCH_FAILED\] .*\/no\/such\/node/,
    );
    await until(
      'the editor has told its user',
      async () => (await sample.window.page.locator('.monaco-dialog-box').count()) > 0,
    );
    await sample.window.page.keyboard.press('Escape');
    expect(await agent.code('debug_start', { launch: 'Unknown debugger' })).toBe('E_NOT_SUPPORTED');
    expect(await agent.call('debug_status')).toMatchObject({ isActive: false });
    expect(await agent.code('debug_start', { program: 'src/loop.js', wait: true })).toBe('ok');
    await expect(agent.call('debug_start', { program: 'tsconfig.json' })).rejects.toThrow(
      /^\[E_NOT_SUPPORTED\] .*json/,
    );
  });

  test('a process is attached to, and runs on when the session ends', async () => {
    write(
      sample.root,
      'src/service.js',
      'const state = { count: 0 };\nsetInterval(() => {\n  state.count += 1;\n}, 20);\n',
    );
    const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', join(sample.root, 'src/service.js')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const port = await inspectorPort(child);
      await agent.call('breakpoint_set', { path: 'src/service.js', line: 3 });
      await agent.call('debug_start', {
        config: { type: 'node', request: 'attach', address: '127.0.0.1', port, timeout: 120_000, name: 'Service' },
      });
      expect(await agent.call('debug_wait_for_hit')).toMatchObject({
        event: 'stopped',
        file: 'src/service.js',
        line: 3,
      });
      expect(await agent.call('debug_stop')).toMatchObject({ status: 'terminated' });
      expect(isRunning(child.pid ?? 0)).toBe(true);
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  });

  test('a TypeScript program is debugged in its own lines through its source map', async () => {
    write(
      sample.root,
      'built/app.ts',
      'interface Item {\n  readonly price: number;\n}\n\nfunction total(items: Item[]): number {\n  return items.reduce((sum, { price }) => sum + price, 0);\n}\n\nconsole.log(total([{ price: 2 }, { price: 3 }]));\n',
    );
    await build({
      entryPoints: [join(sample.root, 'built/app.ts')],
      outfile: join(sample.root, 'built/app.js'),
      sourcemap: true,
    });
    await agent.call('breakpoint_set', { path: 'built/app.ts', line: 6 });
    const hit = await agent.call('debug_start', { program: 'built/app.js', wait: true });
    expect(hit).toMatchObject({
      event: 'stopped',
      file: 'built/app.ts',
      line: 6,
      functionName: expect.stringContaining('total'),
    });
    expect(hit['source']).toContain('items.reduce');
    expect(await agent.call('breakpoint_list')).toMatchObject({
      breakpoints: [{ path: 'built/app.ts', line: 6, verified: true }],
    });
  });

  test('a start that is cancelled leaves no session and no process behind, and no breakpoint that was not there', async () => {
    write(
      sample.root,
      'src/endless.js',
      "require('node:fs').writeFileSync(__dirname + '/endless.pid', String(process.pid));\nsetInterval(() => {}, 1000);\n",
    );
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4 });
    const leaving = new AbortController();
    const running = sample.devdb.callTool(
      sample.root,
      'debug_start',
      { program: 'src/endless.js', wait: true, timeoutMs: 120_000 },
      leaving.signal,
    );
    const pidFile = join(sample.root, 'src/endless.pid');
    await until('the program runs', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    leaving.abort();
    await expect(running).rejects.toThrow();
    await until('the program has ended', () => !isRunning(pid));
    await until('no session is left', async () => (await agent.call('debug_status'))['isActive'] === false);
    expect(await agent.call('breakpoint_list')).toMatchObject({ total: 1 });
  });

  test('a wait that is cancelled ends alone: the session stays', async () => {
    const { sessionId } = await agent.call('debug_start', { program: 'src/other.js' });
    const leaving = new AbortController();
    const waiting = sample.devdb.callTool(sample.root, 'debug_wait_for_hit', { timeoutMs: 120_000 }, leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    expect(await agent.call('debug_status')).toMatchObject({ sessions: [{ sessionId }] });
  });

  test('a restart runs the program again under the same session', async () => {
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 7 });
    const { sessionId } = await agent.call('debug_start', { program: 'src/loop.js', wait: true });
    expect(await agent.call('debug_evaluate', { expression: 'sum' })).toMatchObject({ result: '60' });
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4 });
    expect(await agent.call('debug_restart')).toEqual({ sessionId, restarted: true });
    expect(await agent.call('debug_wait_for_hit', { sessionId })).toMatchObject({ event: 'stopped', line: 4 });
    expect(await agent.call('debug_evaluate', { expression: 'sum' })).toMatchObject({ result: '0' });
  });

  test('what a person does is not fought with: a wait answers where they stopped or that they ended it', async () => {
    const { sessionId } = await agent.call('debug_start', { program: 'src/other.js' });
    const waiting = agent.call('debug_wait_for_hit', { timeoutMs: 120_000 });
    await sample.window.run(async (vscode) => vscode.debug.stopDebugging());
    expect(await waiting).toMatchObject({ event: 'terminated', sessionId });
    // And a session that a person has started is there for the agent.
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4 });
    await sample.window.run(async (vscode) => {
      await vscode.debug.startDebugging(vscode.workspace.workspaceFolders?.[0], 'Loop');
    });
    expect(await agent.call('debug_wait_for_hit')).toMatchObject({ event: 'stopped', line: 4 });
    expect(await agent.call('debug_status')).toMatchObject({ sessions: [{ startedByYou: false, paused: true }] });
  });
});
