import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTool } from '@devdb/shared/tools';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import type { DevdbHome, StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { answerQuestion, callUntilAsked, questionPage } from './helpers/question.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const LAUNCH = {
  version: '0.2.0',
  configurations: [{ name: 'Greet', type: 'node', request: 'launch', program: `\${workspaceFolder}/greet.js` }],
  compounds: [{ name: 'Greet twice', configurations: ['Greet'] }],
};
const TASKS = {
  version: '2.0.0',
  tasks: [{ label: 'Leave a mark', type: 'shell', command: 'echo done > marked.txt' }],
};
const PACKAGE = { name: 'shop', version: '1.0.0', scripts: { test: 'echo tested' } };
const IDENTITY = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

function git(root: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'], HOME: root, ...IDENTITY };
  return execFileSync('git', ['-c', 'init.defaultBranch=main', ...args], { cwd: root, env, encoding: 'utf8' }).trim();
}

function makeRunnable(root: string): void {
  addExampleFiles(root);
  mkdirSync(join(root, '.vscode'));
  writeFileSync(join(root, '.vscode', 'launch.json'), JSON.stringify(LAUNCH));
  writeFileSync(join(root, '.vscode', 'tasks.json'), JSON.stringify(TASKS));
  writeFileSync(join(root, 'package.json'), JSON.stringify(PACKAGE));
  writeFileSync(join(root, 'greet.js'), "require('node:fs').writeFileSync('greeted.txt', 'hello');\n");
  writeFileSync(join(root, '.gitignore'), 'greeted.txt\nmarked.txt\n.mcp.json\n');
  git(root, 'init', '--quiet');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '-m', 'The first commit');
  git(root, 'commit', '--quiet', '--allow-empty', '-m', 'Fix [the] BUG in a.b*\n\nWith a body: größe');
}

describeEditor('terminals, Git, runs, breakpoints and actions', () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let agent: StdioClient;
  let root: string;

  beforeAll(async () => {
    const settings = { 'Devdb.mcp.toolsets': ['database', 'ide'], 'Devdb.terminalTimeout': 120_000 };
    const options = { settings, machineSettings: { 'Devdb.approvals': 'allow' } };
    ({ editor, devdb, window, root } = await startOnSample(options, makeRunnable));
    agent = await devdb.stdioClient(['--toolsets', 'ide', '--timeout', '150000']);
  });

  afterAll(async () => {
    await agent?.close();
    await editor?.stop();
  });

  async function say(tool: string, input: object = {}): Promise<string> {
    return (await agent.call(tool, { projectRoot: root, ...input })).text;
  }

  async function ask(tool: string, input: object = {}) {
    const text = await say(tool, input);
    return text.startsWith('{') ? (JSON.parse(text).data ?? JSON.parse(text)) : text;
  }

  /** Resolves when a tool's answer fits; says what it was where it never does. */
  async function shows(tool: string, fits: RegExp): Promise<void> {
    let said = '';
    try {
      await until(`${tool} fits ${fits}`, async () => {
        said = await say(tool);
        return fits.test(said);
      });
    } catch (error) {
      throw new Error(`${String(error)} It said: ${JSON.stringify(said)}`);
    }
  }

  function approvals(mode: 'ask' | 'deny'): void {
    writeFileSync(join(editor.userData, 'Machine', 'settings.json'), JSON.stringify({ 'Devdb.approvals': mode }));
  }

  const terminals = () => window.run((vscode) => vscode.window.terminals.map(({ name }) => name));

  describe('a command', () => {
    test('answers what it wrote, as text, and its exit code when that is not 0', async () => {
      expect(await say('execute_command_with_output', { command: 'echo hello' })).toBe('hello');
      expect(
        await say('execute_command_with_output', {
          command: "printf '\\033[31mred\\033[0m\\n'; exit_with() { return 3; }; exit_with",
        }),
      ).toBe('red\n[Exit code 3]');
      expect(await ask('get_command_output')).toMatchObject({
        status: 'completed',
        output: 'red\n',
        exitCode: 3,
        truncated: false,
      });
      expect(await say('execute_terminal_command', { command: 'pwd' })).toBe(root);
    });

    test('of several lines runs whole', async () => {
      const said = await say('execute_command_with_output', {
        command: 'for one in a b; do\n  echo "line $one"\ndone',
      });
      expect(said).toBe('line a\nline b');
    });

    test('runs in one terminal of ours, which is used again', async () => {
      const before = await terminals();
      expect(before).toContain('DevDB');
      await say('execute_command_with_output', { command: 'MARK=kept' });
      expect(await say('execute_command_with_output', { command: 'echo $MARK' })).toBe('kept');
      expect(await terminals()).toEqual(before);
    });

    test('ends also in a terminal that has just changed its size', async () => {
      // At a prompt of before, the editor misreads what is typed and never reports its end.
      for (let round = 0; round < 5; round += 1) {
        await window.run((vscode) => {
          for (const terminal of vscode.window.terminals) terminal.dispose();
        });
        await until('every terminal is closed', async () => (await terminals()).length === 0);
        await say('execute_command_with_output', { command: 'cd src' });
        expect(await say('execute_terminal_command', { command: 'pwd' })).toBe(join(root, 'src'));
        await window.command('workbench.action.toggleMaximizedPanel');
        expect(await say('execute_terminal_command', { command: 'cd ..; (exit 4)' })).toBe('[Exit code 4]');
        await window.command('workbench.action.toggleMaximizedPanel');
        await say('wait', { milliseconds: 100 + round * 50 });
        expect(await say('execute_command_with_output', { command: 'pwd' })).toBe(root);
        expect(await terminals()).toEqual(['DevDB']);
      }
    });

    test('that changes open files ends when the editor shows them anew, and leaves what its user has not saved', async () => {
      const files = ['made/clean.ts', 'made/typed.ts'].map((file) => join(root, file));
      mkdirSync(join(root, 'made'));
      for (const file of files) writeFileSync(file, 'before\n');
      await window.run(async (vscode, open) => {
        for (const file of open) await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false });
        await vscode.window.activeTextEditor?.edit((edit) => edit.insert(new vscode.Position(0, 0), 'mine '));
      }, files);
      const write = (text: string) => `for f in clean typed; do echo ${text} > made/$f.ts; done`;
      const texts = () =>
        window.run(
          (vscode, open) =>
            open.map((file) => vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === file)?.getText()),
          files,
        );
      for (const command of [write('one'), `rm -rf made && mkdir made && ${write('two')}`]) {
        await say('execute_terminal_command', { command });
        expect(await texts()).toEqual([`${command.includes('two') ? 'two' : 'one'}\n`, 'mine before\n']);
      }
      await window.command('workbench.action.revertAndCloseActiveEditor');
      await window.command('workbench.action.closeAllEditors');
    });

    test('that writes much is shown with its start and its end', async () => {
      const said = await say('execute_command_with_output', { command: 'seq 1 100000' });
      expect(said).toMatch(/^1\n2\n/);
      expect(said).toMatch(/\[\.\.\. \d+ bytes of the output are not shown; .*\]/);
      expect(said).toMatch(/99999\n100000$/);
      expect(Buffer.byteLength(said)).toBeLessThan(34 * 1024);
      expect(await ask('get_command_output')).toMatchObject({ truncated: true });
    });

    test('that does not end is reported as running, keeps its terminal, and is read later', async () => {
      const command = 'echo started; while [ ! -e greeted.txt ]; do sleep 0.1; done; echo finished; rm greeted.txt';
      const said = await say('execute_command_with_output', { command, timeoutMs: 3_000 });
      expect(said).toMatch(/\[It still runs after 3000 ms and goes on\. .*get_command_output\.\]$/);
      await until('its first line is there', async () => (await ask('get_command_output')).output === 'started\n');
      expect(await ask('get_command_output')).toMatchObject({ status: 'running', command });
      const other = await say('execute_command_with_output', { command: 'echo beside' });
      expect(other).toBe('beside');
      writeFileSync(join(root, 'greeted.txt'), '');
      await until('it ended', () => !existsSync(join(root, 'greeted.txt')));
    });

    test('that ends after its time was up is read whole', async () => {
      const command = 'echo started; while [ ! -e greeted.txt ]; do sleep 0.1; done; rm greeted.txt; echo finished';
      await say('execute_command_with_output', { command, timeoutMs: 500 });
      writeFileSync(join(root, 'greeted.txt'), '');
      await until('it ended', async () => (await ask('get_command_output')).status === 'completed');
      expect(await ask('get_command_output')).toMatchObject({ output: 'started\nfinished\n', exitCode: 0 });
    });

    test('that is cancelled is interrupted', async () => {
      const leaving = new AbortController();
      const running = devdb.callTool(
        root,
        'execute_command_with_output',
        { command: 'echo waiting; sleep 1000' },
        leaving.signal,
      );
      await until('it runs', async () => (await ask('get_command_output')).output === 'waiting\n');
      leaving.abort();
      await expect(running).rejects.toThrow();
      await until('it was interrupted', async () => (await ask('get_command_output')).status === 'completed');
      expect((await ask('get_command_output')).exitCode).not.toBe(0);
    });

    test('whose terminal the user closes says so', async () => {
      const running = say('execute_command_with_output', { command: 'echo open; sleep 1000' });
      await until('it runs', async () => (await ask('get_command_output')).output === 'open\n');
      await window.run((vscode) => {
        for (const terminal of vscode.window.terminals) terminal.dispose();
      });
      expect(await running).toContain('[Its terminal was closed before it ended.]');
      expect(await say('execute_command_with_output', { command: 'echo again' })).toBe('again');
    });

    test('that comes while one runs in each of our terminals is refused, and runs once there is room', async () => {
      for (let at = 0; at < 4; at += 1)
        await say('execute_command_with_output', { command: 'sleep 1000', timeoutMs: 1 });
      expect(await say('execute_command_with_output', { command: 'echo room' })).toMatch(/^\[E_TERMINAL_BUSY\]/);
      await window.run((vscode) => {
        for (const terminal of vscode.window.terminals) terminal.dispose();
      });
      await until('a terminal is free', async () => {
        return (await say('execute_command_with_output', { command: 'echo room' })) === 'room';
      });
    });

    test('in a shell without integration is sent, and the answer says so', async () => {
      const read = await window.run(async (vscode) => {
        const config = vscode.workspace.getConfiguration('terminal.integrated');
        for (const terminal of vscode.window.terminals) terminal.dispose();
        await config.update('shellIntegration.enabled', false, vscode.ConfigurationTarget.Global);
        return config.get('shellIntegration.enabled');
      });
      expect(read).toBeDefined();
      const said = await say('execute_command_with_output', { command: 'echo sent > greeted.txt' });
      expect(said).toMatch(/no shell integration/);
      expect(await ask('get_command_output')).toMatchObject({ status: 'sent', output: '' });
      await window.run(async (vscode) => {
        await vscode.workspace
          .getConfiguration('terminal.integrated')
          .update('shellIntegration.enabled', undefined, vscode.ConfigurationTarget.Global);
        for (const terminal of vscode.window.terminals) terminal.dispose();
      });
    });
  });

  test('the text of a terminal has all that commands of agents wrote, however short, as they were given', async () => {
    // One of an earlier test may have a shell without integration, of which nothing can be read.
    await window.command('workbench.action.terminal.killAll');
    await until('every terminal is closed', async () => (await terminals()).length === 0);
    const commands = ['echo one', 'echo two', "cat <<'X'\na\nb\nX", 'true', 'echo three'];
    // This tool brings its terminal into view, which is the one that is read.
    for (const command of commands) await say('execute_terminal_command', { command });
    await shows('get_terminal_text', /> echo three\nthree$/);
    const text = await say('get_terminal_text');
    expect(text.slice(text.lastIndexOf('> echo one'))).toBe(
      "> echo one\none\n> echo two\ntwo\n> cat <<'X'\na\nb\nX\na\nb\n> true\n> echo three\nthree",
    );
  });

  test("the text of the user's own terminal is read, without what a terminal understands", async () => {
    // The editor loses what a command writes in the same piece as its start or its end.
    const waiting = (file: string) => `until [ -e ${file} ]; do sleep 0.1; done`;
    const typed = `${waiting('greeted.txt')}; echo typed by hand; ${waiting('heard.txt')}; rm greeted.txt heard.txt`;
    await window.run(async (vscode, typed) => {
      const terminal = vscode.window.createTerminal('own');
      terminal.show();
      await new Promise<void>((resolve) => {
        vscode.window.onDidChangeTerminalShellIntegration((change) => {
          if (change.terminal === terminal) resolve();
        });
      });
      terminal.sendText(typed);
    }, typed);
    await shows('get_terminal_text', /^> until/);
    writeFileSync(join(root, 'greeted.txt'), '');
    await shows('get_terminal_text', /\ntyped by hand/);
    expect(await say('get_terminal_text')).toBe(`> ${typed}\ntyped by hand`);
    writeFileSync(join(root, 'heard.txt'), '');
    await until('the command has ended', () => !existsSync(join(root, 'heard.txt')));
  });

  test('a wait takes its time, answers ok, and can be cancelled', async () => {
    const before = performance.now();
    expect(await say('wait', { milliseconds: 300 })).toBe('ok');
    expect(performance.now() - before).toBeGreaterThanOrEqual(295);
    const leaving = new AbortController();
    const waiting = devdb.callTool(root, 'wait', { milliseconds: 300_000 }, leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
  });

  describe('Git', () => {
    test('changed files are reported by path, kind and whether they are staged', async () => {
      await until('the repository is open', async () => typeof (await ask('get_project_vcs_status')) === 'object');
      writeFileSync(join(root, 'src', 'greeting.ts'), 'export const changed = 1;\n');
      writeFileSync(join(root, 'src', 'größe neu.ts'), 'export const added = 1;\n');
      writeFileSync(join(root, 'loose.txt'), 'x');
      git(root, 'add', 'src/größe neu.ts');
      git(root, 'rm', '--quiet', '--cached', 'src/main.ts');
      const status = await ask('get_project_vcs_status');
      expect(status).toMatchObject({ branch: 'main', truncated: false });
      const { changes } = status;
      expect(changes).toContainEqual({ path: 'src/greeting.ts', type: 'MODIFIED', staged: false });
      expect(changes).toContainEqual({ path: 'src/größe neu.ts', type: 'ADDED', staged: true });
      expect(changes).toContainEqual({ path: 'src/main.ts', type: 'DELETED', staged: true });
      expect(changes).toContainEqual({ path: 'loose.txt', type: 'UNTRACKED', staged: false });
      git(root, 'reset', '--quiet', '--hard');
    });

    test('commits are found by text in any case, body included, and signs of patterns mean themselves', async () => {
      const head = git(root, 'rev-parse', 'HEAD');
      const first = git(root, 'rev-parse', 'HEAD~1');
      const found = (text: string) => ask('find_commit_by_message', { text });
      expect(await found('fix [the] bug in A.B*')).toEqual({ commits: [head], truncated: false });
      expect(await found('GRÖSSE')).toEqual({ commits: [], truncated: false });
      expect(await found('größe')).toEqual({ commits: [head], truncated: false });
      expect(await found('commit')).toEqual({ commits: [first], truncated: false });
      expect(await found('.*')).toEqual({ commits: [], truncated: false });
      expect(await ask('find_commit_by_message', { text: 'i', limit: 1 })).toMatchObject({
        commits: [head],
        truncated: true,
      });
    });
  });

  test('a project whose Git is switched off has no status and no history, and the answer says so', async () => {
    const setGit = (on: boolean) =>
      window.run((vscode, value) => vscode.workspace.getConfiguration('git').update('enabled', value, true), on);
    await setGit(false);
    await shows('get_project_vcs_status', /^\[E_GIT_UNAVAILABLE\]/);
    expect(await say('find_commit_by_message', { text: 'first' })).toMatch(/^\[E_GIT_UNAVAILABLE\]/);
    await setGit(true);
    await shows('get_project_vcs_status', /"changes":/);
  });

  describe('runs', () => {
    test('launch configurations, compounds, tasks and scripts are listed by the names that the user sees', async () => {
      const { configurations } = await ask('get_run_configurations');
      expect(configurations.slice(0, 2)).toEqual(['Greet', 'Greet twice']);
      expect(configurations).toEqual(expect.arrayContaining(['Leave a mark', 'npm: test']));
    });

    test('a launch configuration starts with its debugger, a task runs', async () => {
      expect(await say('run_configuration', { configName: 'Greet' })).toBe('Run configuration started');
      await until('it greeted', () => git(root, 'status', '--porcelain', '--ignored').includes('greeted.txt'));
      expect(await say('run_configuration', { configName: 'Leave a mark' })).toBe('Run configuration started');
      await until('it left its mark', () => git(root, 'status', '--porcelain', '--ignored').includes('marked.txt'));
    });

    test('a missing one is reported with those that exist', async () => {
      const said = await say('run_configuration', { configName: 'greet' });
      expect(said).toMatch(/^\[E_NOT_FOUND\] Could not find run configuration named "greet"/);
      expect(said).toContain('"Greet", "Greet twice"');
    });
  });

  describe('breakpoints', () => {
    const toggle = (line: number, file = 'src/greeting.ts') =>
      say('toggle_debugger_breakpoint', { filePathInProject: file, line });

    test('are not set in what a link leads to outside the project, and the answer has neither its lines nor its path', async () => {
      const outside = join(editor.projects, 'outside.js');
      writeFileSync(outside, 'secret();\n');
      symlinkSync(outside, join(root, 'leak.js'));
      for (const line of [1, 99])
        expect(await toggle(line, 'leak.js')).toMatch(/^\[E_OUTSIDE_PROJECT\] path is outside project directory/);
      await window.run(
        (vscode, file) => {
          const location = new vscode.Location(vscode.Uri.file(file), new vscode.Position(0, 0));
          vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(location)]);
        },
        join(root, 'leak.js'),
      );
      expect((await ask('get_debugger_breakpoints')).breakpoints).toEqual([]);
      await window.run((vscode) => vscode.debug.removeBreakpoints([...vscode.debug.breakpoints]));
      rmSync(join(root, 'leak.js'));
    });

    test('are toggled where the user sees them, and theirs are listed, also after a reload', async () => {
      expect(await toggle(2)).toBe('Breakpoint added');
      const seen = await window.run((vscode) =>
        vscode.debug.breakpoints.flatMap((one) =>
          one instanceof vscode.SourceBreakpoint ? [[one.location.uri.fsPath, one.location.range.start.line]] : [],
        ),
      );
      expect(seen).toEqual([[join(root, 'src', 'greeting.ts'), 1]]);
      await window.run(
        (vscode, file) => {
          const location = new vscode.Location(vscode.Uri.file(file), new vscode.Position(0, 0));
          vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(location, false)]);
        },
        join(root, 'src', 'main.ts'),
      );
      const both = [
        { path: join(root, 'src', 'greeting.ts'), line: 2 },
        { path: join(root, 'src', 'main.ts'), line: 1, enabled: false },
      ];
      expect(await ask('get_debugger_breakpoints')).toEqual({ breakpoints: both, truncated: false });
      // The editor saves breakpoints a moment after they were set, without an event.
      await say('wait', { milliseconds: 2_000 });
      await window.reload();
      await devdb.serving(root);
      await until('the window serves again', async () => typeof (await ask('get_debugger_breakpoints')) === 'object');
      expect(await ask('get_debugger_breakpoints')).toEqual({ breakpoints: both, truncated: false });
      expect(await toggle(2)).toBe('Breakpoint removed');
      expect(await toggle(1, 'src/main.ts')).toBe('Breakpoint removed');
      expect(await ask('get_debugger_breakpoints')).toEqual({ breakpoints: [], truncated: false });
    });
  });

  describe('actions', () => {
    test('are listed with the titles that the editor and its extensions give them', async () => {
      const of = async (filter: string) => (await ask('list_available_actions', { filter })).actions;
      expect(await of('editor.action.formatDocument')).toContainEqual({
        id: 'editor.action.formatDocument',
        text: expect.stringMatching(/Format Document/i),
      });
      expect(await of('git.stageAll')).toContainEqual({ id: 'git.stageAll', text: 'Git: Stage All Changes' });
      const all = await ask('list_available_actions');
      expect(all).toMatchObject({ truncated: true, rest: expect.stringContaining('Pass a filter') });
      const more = await ask('list_available_actions', { limit: 5_000 });
      expect(more.actions.length).toBeGreaterThan(1_000);
      expect(more.actions.filter(({ text }: { text: string }) => text === '')).toEqual([]);
    });

    test('run by their id, and one that fails or is not there is an error', async () => {
      await window.run(async (vscode) => {
        vscode.commands.registerCommand('lab.leaveMark', () =>
          vscode.workspace.getConfiguration('editor').update('rulers', [42], true),
        );
        vscode.commands.registerCommand('lab.fail', () => {
          throw new Error('it is broken');
        });
      });
      expect(await say('execute_action_by_id', { actionId: 'lab.leaveMark' })).toBe('ok');
      expect(await window.run((vscode) => vscode.workspace.getConfiguration('editor').get('rulers'))).toEqual([42]);
      expect(await say('execute_action_by_id', { actionId: 'lab.fail' })).toMatch(
        /^\[E_EDIT_FAILED\] The action failed: it is broken/,
      );
      expect(await say('execute_action_by_id', { actionId: 'no.such' })).toMatch(/^\[E_NOT_FOUND\] action not found/);
    });

    test('that would get round the user are refused, also when nothing is asked', async () => {
      for (const actionId of ['workbench.trust.manage', 'devdb.restart', 'workbench.action.terminal.runSelectedText'])
        expect(await say('execute_action_by_id', { actionId })).toMatch(/^\[E_FORBIDDEN\]/);
    });
  });

  const own = [
    'get_terminal_text',
    'execute_terminal_command',
    'execute_command_with_output',
    'get_command_output',
    'wait',
    'get_project_vcs_status',
    'find_commit_by_message',
    'get_run_configurations',
    'run_configuration',
    'toggle_debugger_breakpoint',
    'get_debugger_breakpoints',
    'list_available_actions',
    'execute_action_by_id',
  ];

  test.each(own)('%s gives what its examples say', async (name) => {
    for (const { input, gives } of findTool(name)?.examples ?? []) {
      const { text, isError } = await agent.call(name, { projectRoot: root, ...input });
      expect([name, input, isError ? /^\[(\w+)\]/.exec(text)?.[1] : 'ok']).toEqual([name, input, gives]);
    }
  });

  test('what runs code is asked about with the exact text, and a no runs nothing', async () => {
    const question = questionPage(window);
    const run = () =>
      devdb.callTool(root, 'execute_terminal_command', { command: 'echo "asked & answered" > asked.txt' });
    // From refusing to asking: the sidecar follows a setting a moment after the editor, and nothing may run meanwhile.
    approvals('deny');
    await until('everything is refused', async () => {
      const tried = await devdb.callTool(root, 'execute_terminal_command', { command: 'true' });
      return !tried.ok && tried.error.code === 'E_APPROVAL_DENIED';
    });
    approvals('ask');
    const { running } = await callUntilAsked(window, 'Run this command in a terminal of this window?', run);
    expect(await question.textContent()).toContain('echo "asked & answered" > asked.txt');
    await window.screenshot('question-command');
    await question.press('Escape');
    await expect(running).resolves.toMatchObject({
      ok: false,
      error: { code: 'E_APPROVAL_DENIED', details: { applied: false } },
    });
    const refused = await devdb.callTool(root, 'execute_action_by_id', { actionId: 'workbench.trust.manage' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'E_FORBIDDEN' } });
    expect(git(root, 'status', '--porcelain')).not.toContain('asked.txt');
  });

  test('a configuration is asked about with all that it would run, and again when that is another thing by the yes', async () => {
    const question = questionPage(window);
    const answer = (shown: string, said: 'once' | 'no') => answerQuestion(window, shown, said);
    const script = devdb.callTool(root, 'run_configuration', { configName: 'npm: test' });
    expect(await answer('test: echo tested', 'no')).toContain('npm run test');
    await expect(script).resolves.toMatchObject({ ok: false, error: { code: 'E_APPROVAL_DENIED' } });

    const twice = devdb.callTool(root, 'run_configuration', { configName: 'Greet twice' });
    await question.locator('text=greet.js').first().waitFor();
    await window.screenshot('question-run-configuration');
    await answer('greet.js', 'no');
    await expect(twice).resolves.toMatchObject({ ok: false });

    const task = devdb.callTool(root, 'run_configuration', { configName: 'Leave a mark' });
    await question.locator('text=echo done > marked.txt').first().waitFor();
    const changed = { ...TASKS, tasks: [{ ...TASKS.tasks[0], command: 'echo other > other.txt' }] };
    writeFileSync(join(root, '.vscode', 'tasks.json'), JSON.stringify(changed));
    await until('the editor knows the other task', () =>
      window.run(async (vscode) =>
        (await vscode.tasks.fetchTasks()).some(
          ({ execution }) =>
            execution instanceof vscode.ShellExecution && String(execution.commandLine).includes('other.txt'),
        ),
      ),
    );
    await answer('echo done > marked.txt', 'once');
    await answer('echo other > other.txt', 'no');
    await expect(task).resolves.toMatchObject({ ok: false, error: { code: 'E_APPROVAL_DENIED' } });
    expect(existsSync(join(root, 'other.txt'))).toBe(false);
  });

  test('an action is asked about with its title in the editor, and a no does not run it', async () => {
    const running = devdb.callTool(root, 'execute_action_by_id', { actionId: 'git.stageAll' });
    await questionPage(window).locator('text=git.stageAll').first().waitFor();
    await window.screenshot('question-action');
    const text = await answerQuestion(window, 'git.stageAll', 'no');
    expect(text).toMatch(/In the editor\s*Git: Stage All Changes/);
    await expect(running).resolves.toMatchObject({ ok: false, error: { code: 'E_APPROVAL_DENIED' } });
  });
});
