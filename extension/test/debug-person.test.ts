import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import { DebugAgent } from './helpers/debug-agent.ts';
import { describeEditor } from './helpers/editor-lab.ts';
import { offerTest } from './helpers/offer-test.ts';
import { type SampleEditor, startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const LOOP = { name: 'Loop', type: 'node', request: 'launch', program: 'src/loop.js', preLaunchTask: 'make' };
const LAUNCHES = { version: '0.2.0', configurations: [LOOP], compounds: [{ name: 'All', configurations: ['Loop'] }] };
const TASKS = {
  version: '2.0.0',
  tasks: [{ label: 'make', type: 'process', command: '/bin/sh', args: ['-c', 'echo made > made.txt'] }],
};

describeEditor('debugging in front of a person', () => {
  let sample: SampleEditor;
  let agent: DebugAgent;

  beforeAll(async () => {
    sample = await startOnSample({}, (root) => {
      addExampleFiles(root);
      mkdirSync(join(root, '.vscode'));
      writeFileSync(join(root, '.vscode', 'launch.json'), JSON.stringify(LAUNCHES));
      writeFileSync(join(root, '.vscode', 'tasks.json'), JSON.stringify(TASKS));
    });
    agent = await DebugAgent.start(sample, ['--timeout', '150000']);
  });

  afterAll(async () => {
    await agent?.close();
    await sample?.editor.stop();
  });

  /** Answers the question that is put next. */
  async function answer(key: 'yes' | 'no'): Promise<string> {
    const { page } = sample.window;
    const question = page.frameLocator('iframe.webview').frameLocator('iframe#active-frame').locator('main');
    await question.waitFor();
    const text = await question.textContent();
    if (key === 'no') await question.press('Escape');
    else await question.locator('button').first().click();
    await until('the question is gone', async () => (await page.locator('iframe.webview').count()) === 0);
    return text ?? '';
  }

  test('one yes to the start covers the session, the status bar says who debugs, and a click stops it', async () => {
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4 });
    const starting = agent.call('debug_start', { program: 'src/loop.js', wait: true, timeoutMs: 150_000 });
    expect(await answer('yes')).toMatch(/src\/loop\.js[\s\S]*evaluating/i);
    expect(await starting).toMatchObject({ event: 'stopped', line: 4 });
    expect(await agent.call('debug_evaluate', { expression: '6 * 7' })).toMatchObject({ result: '42' });
    expect(await agent.call('debug_set_variable', { name: 'sum', value: '5' })).toMatchObject({ value: '5' });
    expect(await sample.window.statusText(/Agent debugs/, 'devdb.debug')).toContain('Agent debugs');
    await sample.window.screenshots('agent-debugs');
    // To another client it is somebody else's.
    const other = await DebugAgent.start(sample);
    const refused = other.code('debug_evaluate', { expression: 'process.exit(1)' });
    expect(await answer('no')).toContain('process.exit(1)');
    expect(await refused).toBe('E_APPROVAL_DENIED');
    await other.close();
    const waiting = agent.call('debug_continue', { timeoutMs: 150_000 });
    expect(await waiting).toMatchObject({ event: 'stopped', line: 4 });
    await sample.window.statusItem('devdb.debug').click();
    await until('the session has ended', async () => (await agent.call('debug_status'))['isActive'] === false);
    await until('the item is gone', async () => (await sample.window.statusItem('devdb.debug').count()) === 0);
    await agent.reset();
  });

  test("the agent's own breakpoints are removed at once, and the user's only after a yes", async () => {
    await agent.call('breakpoint_set', { path: 'src/loop.js', line: 4 });
    expect(await agent.call('breakpoint_clear_file', { path: 'src/loop.js' })).toMatchObject({ cleared: 1 });
    await sample.window.run(
      (vscode, path) => {
        const place = new vscode.Location(vscode.Uri.file(path), new vscode.Position(2, 0));
        vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(place, true, 'i > 1')]);
      },
      join(sample.root, 'src', 'loop.js'),
    );
    for (const [tool, input] of [
      ['breakpoint_clear_file', { path: 'src/loop.js' }],
      ['breakpoint_clear_project', {}],
    ] as const) {
      const removing = agent.code(tool, input);
      expect(await answer('no')).toContain('cannot bring them back');
      expect(await removing).toBe('E_APPROVAL_DENIED');
    }
    expect(await agent.call('breakpoint_list')).toMatchObject({ breakpoints: [{ line: 3, condition: 'i > 1' }] });
    const removing = agent.call('breakpoint_clear_project');
    await answer('yes');
    expect(await removing).toMatchObject({ cleared: 1 });
    await agent.reset();
  });

  test('a no starts nothing', async () => {
    const starting = agent.code('debug_start', { program: 'src/loop.js' });
    await answer('no');
    expect(await starting).toBe('E_APPROVAL_DENIED');
    expect(await agent.call('debug_status')).toMatchObject({ isActive: false });
  });

  test('a start by name or definition is asked about with all that it would run, tasks too', async () => {
    const { name: _name, ...config } = LOOP;
    for (const input of [{ launch: 'Loop' }, { launch: 'All' }, { config: { ...config, name: 'My own' } }]) {
      const starting = agent.code('debug_start', input);
      const shown = await answer('no');
      for (const part of ['src/loop.js', 'echo made > made.txt']) expect(shown).toContain(part);
      expect(await starting).toBe('E_APPROVAL_DENIED');
    }
    expect(existsSync(join(sample.root, 'made.txt'))).toBe(false);
    expect(await agent.call('debug_status')).toMatchObject({ isActive: false });
  });

  test('a test is debugged at its line, and stops at a breakpoint in it', async () => {
    await offerTest(sample);
    await agent.call('breakpoint_set', { path: 'src/greeting.spec.js', line: 5 });
    const debugging = agent.call('test_debug_single', { path: 'src/greeting.spec.js', line: 4, timeoutMs: 150_000 });
    await answer('yes');
    expect(await debugging).toMatchObject({
      event: 'stopped',
      file: 'src/greeting.spec.js',
      line: 5,
      testLine: expect.stringContaining('adds'),
    });
    expect(await agent.call('debug_continue', { timeoutMs: 150_000 })).toMatchObject({ event: 'terminated' });
    await agent.reset();
  });

  test('the window is reloaded after a yes, and the editor is there again', async () => {
    expect(await agent.call('bridge_status')).toMatchObject({
      healthy: true,
      attached: true,
      editor: expect.any(String),
    });
    const { pid } = sample.window;
    const reloading = agent.code('util_restart_vscode');
    await answer('yes');
    expect(['ok', 'E_EDITOR_NOT_ATTACHED']).toContain(await reloading);
    await until('another extension host runs', async () => {
      // The one that ends answers no more, or with its own.
      const now = await sample.window.run(() => process.pid).catch(() => pid);
      return now !== pid;
    });
    await sample.devdb.serving(sample.root);
    expect(await agent.call('bridge_status')).toMatchObject({ healthy: true });
  });
});
