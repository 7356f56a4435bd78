import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from './helpers/processes.ts';
import { type CommandResult, runCommand } from './helpers/run-command.ts';
import { CLI, DIST, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow } from './helpers/window.ts';

const HOOK = join(__dirname, '..', '..', 'extension', 'dist', 'uninstall.js');

let project: TempProject;
let userHome: string;
let extension: string;
let claudeFile: string;

beforeEach(() => {
  project = tempProject();
  userHome = join(dirname(project.root), 'user');
  extension = installed('.vscode', 'devdb.devdb-1.1.0-linux-x64');
  cpSync(DIST, join(extension, 'dist', 'sidecar'), { recursive: true });
  copyFileSync(HOOK, join(extension, 'dist', 'uninstall.js'));
  claudeFile = join(userHome, '.claude.json');
});

afterEach(() => project.remove());

/** No claude on PATH, so that DevDB changes the file itself. */
const env = () => ({ HOME: userHome, DEVDB_HOME: project.home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` });
const mcpJson = () => join(project.root, '.mcp.json');

function installed(editor: string, name: string): string {
  const folder = join(userHome, editor, 'extensions', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"publisher":"devdb","name":"devdb"}');
  return folder;
}

/** As an editor runs it: with an argument of its own, and a limit of five seconds. */
async function runHook(): Promise<CommandResult> {
  const args = [join(extension, 'dist', 'uninstall.js'), '--type=extension-post-uninstall'];
  return runCommand(process.execPath, args, { env: env(), cwd: userHome, signal: AbortSignal.timeout(5_000) });
}

/** A project was open, the sidecar was killed, and Claude Code has DevDB for all projects. */
async function used(): Promise<void> {
  writeFileSync(claudeFile, '{\n  "numStartups": 7,\n  "mcpServers": { "other": { "command": "x" } }\n}');
  await runCommand(process.execPath, [CLI, 'setup', 'claude', '--write'], { env: env(), cwd: userHome });
  expect(readFileSync(claudeFile, 'utf8')).toContain('devdb-mcp.cjs');
  writeFileSync(mcpJson(), '{"mcpServers":{"mine":{"command":"x"}}}');
  const window = await openWindow({ home: project.home, env: env(), projects: [{ root: project.root }] });
  await until('the entry is there', () => readFileSync(mcpJson(), 'utf8').includes('devdb'));
  await window.kill();
}

describe('uninstalling the extension', () => {
  it('removes everything that was written, and nothing else', async () => {
    await used();
    const { code, stdout } = await runHook();
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`Removed ${project.home}.`) });
    expect(existsSync(project.home)).toBe(false);
    expect(readFileSync(mcpJson(), 'utf8')).toBe('{"mcpServers":{"mine":{"command":"x"}}}');
    expect(JSON.parse(readFileSync(claudeFile, 'utf8'))).toEqual({
      numStartups: 7,
      mcpServers: { other: { command: 'x' } },
    });
  });

  it('keeps everything while another editor has it too, and ignores a copy already uninstalled', async () => {
    await used();
    const other = installed('.cursor', 'devdb.devdb-1.0.9');
    expect((await runHook()).stdout).toBe(`Kept everything: DevDB is still installed in ${other}.\n`);
    expect(readFileSync(mcpJson(), 'utf8')).toContain('devdb-mcp.cjs');
    expect(existsSync(join(project.home, 'token'))).toBe(true);
    writeFileSync(join(dirname(other), '.obsolete'), '{"devdb.devdb-1.0.9":true}');
    expect((await runHook()).stdout).toContain(`Removed ${project.home}.`);
  });

  it('keeps everything while the editor has a newer version', async () => {
    await used();
    const newer = installed('.vscode', 'devdb.devdb-1.2.0-linux-x64');
    expect((await runHook()).stdout).toContain(newer);
    expect(existsSync(join(project.home, 'bin', 'devdb-mcp.cjs'))).toBe(true);
  });

  it('leaves a running sidecar its files, and removes them once it has ended', async () => {
    await used();
    const headless = await startSidecar({ home: project.home, root: project.root, env: env() });
    const { stdout } = await runHook();
    expect(stdout).toContain(`Kept the entry in ${mcpJson()}: a DevDB process serves that project.`);
    expect(stdout).toContain(`Kept ${project.home}: a DevDB process runs from it.`);
    expect(readFileSync(claudeFile, 'utf8')).toContain('devdb-mcp.cjs');
    const answer = await fetch(`http://127.0.0.1:${headless.port}/tables`, {
      headers: { authorization: `Bearer ${headless.token}` },
    });
    expect(answer.status).not.toBe(401);
    await headless.stop();
    await runHook();
    expect(existsSync(project.home)).toBe(false);
  });

  it('keeps what is not DevDB’s: files in its home, an entry that Git tracks, one for another program', async () => {
    await used();
    writeFileSync(join(project.home, 'notes.txt'), 'mine');
    const tracked = project.another('tracked').root;
    const entry = { mcpServers: { devdb: { command: 'node', args: [join(project.home, 'bin', 'devdb-mcp.cjs')] } } };
    writeFileSync(join(tracked, '.mcp.json'), JSON.stringify(entry));
    execFileSync('git', ['init', '-q'], { cwd: tracked });
    execFileSync('git', ['add', '.'], { cwd: tracked });
    const window = await openWindow({ home: project.home, env: env(), projects: [{ root: tracked }] });
    await window.close();
    writeFileSync(mcpJson(), '{"mcpServers":{"devdb":{"command":"my-own"}}}');
    const { stdout } = await runHook();
    expect(stdout).toContain(`Kept files in ${project.home} that are not DevDB's: notes.txt.`);
    expect(readdirSync(project.home)).toContain('notes.txt');
    expect(readdirSync(project.home)).not.toContain('token');
    expect(readFileSync(join(tracked, '.mcp.json'), 'utf8')).toBe(JSON.stringify(entry));
    expect(readFileSync(mcpJson(), 'utf8')).toContain('my-own');
  });

  it('succeeds where nothing was ever written', async () => {
    const { code, stdout } = await runHook();
    expect({ code, stdout }).toEqual({ code: 0, stdout: `There is no ${project.home}.\n` });
  });
});
