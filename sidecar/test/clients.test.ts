import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stdioClient } from './helpers/clients.ts';
import { type NpmInstall, npmInstall } from './helpers/npm-cache.ts';
import { type CommandResult, runCommand } from './helpers/run-command.ts';
import { CLI, type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { rowsOf, type TempProject, tempProject } from './helpers/temp-project.ts';

const FETCH_MS = 300_000;
const NEVER_ENDS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

let project: TempProject;
let sidecar: RunningSidecar;
let userHome: string;
let file: string;

beforeAll(async () => {
  project = tempProject();
  file = project.database(
    'shop.sqlite',
    "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO users (name) VALUES ('Ann'), ('Bo');",
  );
  sidecar = await startSidecar({ home: project.home, root: project.root });
  userHome = join(dirname(project.root), 'user');
  mkdirSync(userHome);
});

afterAll(async () => {
  await sidecar.stop();
  project.remove();
});

/** A temporary user, with this Node first on PATH. */
function environment(more: readonly string[] = []): Record<string, string> {
  const path = [...more, dirname(process.execPath), process.env['PATH'] ?? ''].join(':');
  return { PATH: path, HOME: userHome, DEVDB_HOME: project.home, NO_COLOR: '1' };
}

function run(command: string, args: readonly string[], more: readonly string[] = []): Promise<CommandResult> {
  return runCommand(command, args, { env: environment(more), cwd: project.root });
}

describe('the SDK’s own client', () => {
  it('lists the tools and reads rows', async () => {
    const { client, call, close } = await stdioClient(project.home);
    expect(client.getServerVersion()).toMatchObject({
      name: 'DevDB',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(client.getInstructions()).toContain('projectRoot');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['get-tables', 'get-schema', 'run-query']));
    expect(await call('get-tables', { projectRoot: project.root })).toMatchObject({
      text: '["users"]',
      isError: false,
    });
    const { envelope } = await call('run-query', {
      projectRoot: `${project.root}/`,
      query: 'SELECT name FROM users ORDER BY 1',
    });
    expect(envelope.data).toMatchObject({ rows: [['Ann'], ['Bo']], truncated: false });
    await close();
  });

  it('gets the literal messages', async () => {
    const { call, close } = await stdioClient(project.home);
    const texts = async (projectRoot: string) => (await call('get-tables', { projectRoot })).text;
    expect(await texts('relative/path')).toBe('Error: projectRoot must be an absolute path');
    expect(await texts(join(project.root, 'gone'))).toBe('Error: projectRoot does not exist');
    const closed = project.another('closed').root;
    expect(await texts(closed)).toMatch(
      `Error: MCP server not running for project: ${closed}\nHint: open now: ${project.root}.`,
    );
    await close();
  });

  it('cancels a query that never ends, and the next one runs', async () => {
    const { call, close } = await stdioClient(project.home);
    const stop = new AbortController();
    const endless = call('run-query', { projectRoot: project.root, query: NEVER_ENDS }, { signal: stop.signal });
    const ended = expect(endless).rejects.toThrow('enough');
    // A client's calls run in parallel: this one is answered while the other one spins.
    expect((await call('get-database-type', { projectRoot: project.root })).text).toBe('sqlite');
    stop.abort('enough');
    await ended;
    expect((await call('run-query', { projectRoot: project.root, query: 'SELECT 7' })).envelope.data).toMatchObject({
      rows: [[7]],
    });
    await close();
  });

  it('is asked before a write, and the write runs after its yes', async () => {
    const asked: string[] = [];
    const { call, close } = await stdioClient(project.home, {
      elicit: async ({ message }) => {
        asked.push(message);
        return { action: 'accept', content: { answer: 'once' } };
      },
    });
    const query = "UPDATE users SET name = 'Cy' WHERE id = 2";
    expect((await call('run-query', { projectRoot: project.root, query })).isError).toBe(false);
    expect(asked).toEqual([expect.stringContaining(query)]);
    expect(rowsOf(file, 'SELECT name FROM users WHERE id = 2')).toEqual([['Cy']]);
    await close();
  });
});

describe('the Inspector', () => {
  let inspector: string;

  beforeAll(async () => {
    inspector = (await npmInstall('@modelcontextprotocol/inspector', '2.12.0')).bin('inspector');
  }, FETCH_MS);

  function inspect(args: readonly string[]): Promise<CommandResult> {
    const server = ['-e', `DEVDB_HOME=${project.home}`, 'node', CLI, 'mcp'];
    return run(inspector, ['--cli', ...args, '--format', 'json', '-q', ...server]);
  }

  it('finds nothing wrong with the schemas', async () => {
    const { code, stdout, stderr } = await inspect(['--method', 'tools/list', '--strict']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('"run-query"');
  });

  it('calls a tool, and distinguishes a tool’s error from an answer', async () => {
    const call = (input: unknown) =>
      inspect(['--method', 'tools/call', '--tool-name', 'run-query', '--tool-args-json', JSON.stringify(input)]);
    const good = await call({ projectRoot: project.root, query: 'SELECT 1 AS one' });
    expect(good.code).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ result: { structuredContent: { data: { rows: [[1]] } } } });
    expect((await call({ projectRoot: project.root, query: 'SELEC' })).code).toBe(5);
  });
});

describe('Claude Code', () => {
  let claude: NpmInstall;

  beforeAll(async () => {
    claude = await npmInstall('@anthropic-ai/claude-code', '2.1.327');
  }, FETCH_MS);

  const runClaude = (...args: string[]): Promise<CommandResult> => run(claude.bin('claude'), args);

  it('is connected over stdio after claude mcp add', async () => {
    await runClaude('mcp', 'add', 'devdb-by-hand', '-e', `DEVDB_HOME=${project.home}`, '--', 'node', CLI, 'mcp');
    expect((await runClaude('mcp', 'list')).stdout).toMatch(/devdb-by-hand: .*✔ Connected/);
  });

  it('is connected over stdio after devdb setup claude --write', async () => {
    // Where a user has it: programs installed in a project are not started.
    const bin = join(dirname(project.root), 'bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(claude.bin('claude'), join(bin, 'claude'));
    const { code, stdout } = await run('node', [CLI, 'setup', 'claude', '--write'], [bin]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('claude mcp add') });
    expect((await runClaude('mcp', 'list')).stdout).toMatch(/devdb: node .*devdb-mcp\.cjs.*✔ Connected/);
  });

  it('is connected over HTTP after devdb setup claude --http --write', async () => {
    const args = [CLI, 'setup', 'claude', '--write', '--http', '--project', project.root];
    expect((await run('node', args)).code).toBe(0);
    expect((await runClaude('mcp', 'list')).stdout).toMatch(
      /devdb: http:\/\/127\.0\.0\.1:\d+\/mcp \(HTTP\).*✔ Connected/,
    );
  });

  it('is connected by a project’s .mcp.json that the user has approved', async () => {
    const launcher = join(project.home, 'bin', 'devdb-mcp.cjs');
    const servers = { 'devdb-project': { command: 'node', args: [launcher] } };
    writeFileSync(join(project.root, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    mkdirSync(join(userHome, '.claude'), { recursive: true });
    writeFileSync(join(userHome, '.claude', 'settings.json'), '{"enableAllProjectMcpServers":true}');
    expect((await runClaude('mcp', 'list')).stdout).toMatch(/devdb-project: .*✔ Connected/);
  });
});

describe('mcporter', () => {
  it(
    'calls a tool through the launcher',
    async () => {
      const mcporter = (await npmInstall('mcporter', '0.12.3')).bin('mcporter');
      const launcher = join(project.home, 'bin', 'devdb-mcp.cjs');
      expect(existsSync(launcher)).toBe(true);
      const config = join(userHome, 'mcporter.json');
      writeFileSync(config, JSON.stringify({ mcpServers: { devdb: { command: 'node', args: [launcher] } } }));
      const args = ['--config', config, 'call', 'devdb.get-tables', `projectRoot=${project.root}`, '--output', 'json'];
      const { code, stdout } = await run(mcporter, args);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, data: { tables: ['users'] } });
      expect(readFileSync(config, 'utf8')).toContain(launcher);
    },
    FETCH_MS,
  );
});
