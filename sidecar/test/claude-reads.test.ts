import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Question } from '@devdb/shared/protocol';
import { askPerson } from '@devdb/shared/protocol/editor-methods';
import { type NpmInstall, npmInstall } from './helpers/npm-cache.ts';
import { runCommand } from './helpers/run-command.ts';
import { type ScriptedCall, ScriptedModel, type ShownResult } from './helpers/scripted-model.ts';
import { CLI, type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { rowsOf, type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow } from './helpers/window.ts';

const FETCH_MS = 300_000;
const SESSION_MS = 240_000;

describe('what Claude Code gives its model', () => {
  let claude: NpmInstall;
  let project: TempProject;
  let sidecar: RunningSidecar;
  let userHome: string;
  let file: string;

  beforeAll(async () => {
    claude = await npmInstall('@anthropic-ai/claude-code', '2.1.327');
    project = tempProject();
    file = project.database(
      'shop.sqlite',
      "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO users (name) VALUES ('Ann'), ('Bo');",
    );
    sidecar = await startSidecar({ home: project.home, root: project.root });
    userHome = join(dirname(project.root), 'user');
    mkdirSync(userHome);
  }, FETCH_MS);

  afterAll(async () => {
    await sidecar?.stop();
    project?.remove();
  });

  /** One conversation in which the model makes these calls; what it read of each. */
  async function reads(server: object, calls: readonly ScriptedCall[]): Promise<readonly ShownResult[]> {
    const model = await ScriptedModel.start(calls);
    const config = join(userHome, 'mcp-config.json');
    writeFileSync(config, JSON.stringify({ mcpServers: { devdb: server } }));
    const allowed = [...new Set(calls.map(({ tool }) => tool))].join(',');
    const args = ['-p', 'go', '--mcp-config', config, '--strict-mcp-config', '--allowedTools', allowed];
    const env = {
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
      HOME: userHome,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      ENABLE_TOOL_SEARCH: 'false',
      MCP_TIMEOUT: '60000',
      IS_SANDBOX: '1',
    };
    try {
      const turns = ['--max-turns', String(calls.length + 2), '--output-format', 'json'];
      await runCommand(claude.bin('claude'), [...args, ...turns], { env, cwd: project.root });
      return model.shown;
    } finally {
      await model.stop();
    }
  }

  const stdio = (...args: string[]) => ({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    env: { DEVDB_HOME: project.home },
  });
  const call = (tool: string, input: object = {}): ScriptedCall => ({
    tool: `mcp__devdb__${tool}`,
    input: { projectRoot: project.root, ...input },
  });

  it(
    'is the text that was made for it, of successes and of errors, over stdio',
    async () => {
      const shown = await reads(stdio(), [
        call('get-schema', { table: 'users' }),
        call('run-query', { query: 'SELECT nosuch FROM users' }),
      ]);
      expect(shown).toEqual([
        { isError: false, text: expect.stringMatching(/^CREATE TABLE users/) },
        { isError: true, text: expect.stringMatching(/^\[E_SQL\]/) },
      ]);
    },
    SESSION_MS,
  );

  it(
    'is that text of every database tool, never the envelope around its data',
    async () => {
      const wrong = { connection: 'nosuch' };
      const shown = await reads(stdio(), [
        call('get-tables'),
        call('get-database-type'),
        call('get-overview'),
        call('search-schema', { pattern: 'name' }),
        call('list-connections'),
        call('run-query', { query: 'SELECT id, name FROM users ORDER BY id' }),
        call('run-queries', { queries: ['SELECT count(*) AS n FROM users', 'SELECT nosuch'] }),
        call('explain-query', { query: 'SELECT * FROM users WHERE id = 1' }),
        call('export-query', { query: 'SELECT name FROM users', path: 'users.csv', format: 'csv' }),
        call('list-project-tools'),
        call('get-tables', wrong),
        call('get-schema', { table: 'nosuch' }),
        call('get-overview', wrong),
        call('explain-query', { query: 'SELECT nosuch FROM users' }),
        call('export-query', { query: 'SELECT 1', path: '../out.csv', format: 'csv' }),
        call('run-project-tool', { tool: 'nosuch' }),
      ]);
      expect(shown.map(({ text }) => text.split('\n')[0])).toEqual([
        '["users"]',
        'sqlite',
        expect.stringMatching(/^users <=2/),
        'column users: name TEXT',
        expect.stringMatching(/^\{"connections":\[\{"id":/),
        'id\tname',
        '-- 1',
        expect.stringMatching(/^search on users/),
        expect.stringMatching(/^2 rows, /),
        expect.not.stringContaining('"ok"'),
        ...Array.from({ length: 6 }, () => expect.stringMatching(/^\[E_[A-Z_]+\] /)),
      ]);
      expect(shown.map(({ isError }) => isError)).toEqual(shown.map((_, at) => at >= 10));
    },
    SESSION_MS,
  );

  it(
    'is that the question was closed unanswered, where no person is present',
    async () => {
      const [shown] = await reads(stdio(), [call('run-query', { query: 'DELETE FROM users' })]);
      expect(shown).toEqual({
        isError: true,
        text: expect.stringMatching(
          /^\[E_APPROVAL_DENIED\] The client closed the question without an answer.* It would change 2 rows\. Nothing was changed\./,
        ),
      });
      expect(rowsOf(file, 'SELECT count(*) FROM users')).toEqual([[2]]);
    },
    SESSION_MS,
  );

  it(
    'is what the person in front of the editor said, where one is attached and the client closes the question',
    async () => {
      const { root, database } = project.another('in-editor');
      const own = database('shop.sqlite', "CREATE TABLE users (name TEXT); INSERT INTO users VALUES ('Ann'), ('Bo')");
      const asked: Question[] = [];
      const window = await openWindow({
        home: project.home,
        projects: [{ root }],
        offer: (peer) =>
          peer.answer(askPerson, async (question) => {
            asked.push(question);
            return { answer: asked.length === 1 ? 'once' : 'no' };
          }),
      });
      try {
        const write = {
          ...call('run-query'),
          input: { projectRoot: root, query: "DELETE FROM users WHERE name = 'Bo'" },
        };
        const shown = await reads(stdio(), [
          write,
          { ...write, input: { ...write.input, query: 'DELETE FROM users' } },
        ]);
        expect(shown).toEqual([
          { isError: false, text: expect.stringContaining('affectedRows: 1') },
          { isError: true, text: expect.stringMatching(/^\[E_APPROVAL_DENIED\] The person did not agree/) },
        ]);
        expect(asked.map(({ parts }) => parts?.statement)).toEqual([
          "DELETE FROM users WHERE name = 'Bo'",
          'DELETE FROM users',
        ]);
        expect(rowsOf(own, 'SELECT name FROM users')).toEqual([['Ann']]);
      } finally {
        await window.close();
      }
    },
    SESSION_MS,
  );

  it(
    'is the text over HTTP as well',
    async () => {
      const server = {
        type: 'http',
        url: `http://127.0.0.1:${sidecar.port}/mcp`,
        headers: { Authorization: `Bearer ${sidecar.token}` },
      };
      const [shown] = await reads(server, [{ tool: 'mcp__devdb__get-schema', input: { table: 'users' } }]);
      expect(shown?.text).toMatch(/^CREATE TABLE users/);
    },
    SESSION_MS,
  );

  it(
    'would be the structured form alone, escaped and in its envelope, which --structured always brings back',
    async () => {
      const [shown] = await reads(stdio('--structured', 'always'), [call('get-schema', { table: 'users' })]);
      expect(JSON.parse(shown?.text ?? '')).toMatchObject({ ok: true, data: { schema: expect.any(String) } });
    },
    SESSION_MS,
  );
});
