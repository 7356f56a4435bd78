import type { ErrorCode } from '@devdb/shared/errors';
import { plain } from '@devdb/shared/plain-text';
import type { ToolDefinition } from '@devdb/shared/tools';
import type { CustomTool } from '../custom-tools/custom-tool.ts';
import { parseToolFile } from '../custom-tools/parse-tool-file.ts';
import { AnswerRoom } from '../dispatch/answer-room.ts';
import type { Caller } from '../dispatch/caller.ts';
import type { PreparedStatement, Session } from '../engines/engine.ts';
import { HeldBytes } from '../engines/held-bytes.ts';
import { literals } from '../engines/sqlite/literals.ts';
import { rowValues } from '../engines/sqlite/row-values.ts';
import { Project, type ProjectParts } from '../project/project.ts';
import { isOn } from '../project/tool-selection.ts';

const WITH_PARAMETER = `alias: user.find
params: { id: { type: integer, description: Which user } }
sql: SELECT :id
mcp: { description: Finds a user }`;
const WITHOUT = 'alias: user.all\nsql: SELECT 1\nmcp: { description: All users }';
const OFF = 'alias: user.purge\nsql: DELETE FROM users\nmcp: { description: No users, enabled: false }';

function toolOf(text: string): CustomTool {
  const parsed = parseToolFile('.devdb/tools/x.meta.yaml', text);
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.tool;
}

type Read = PreparedStatement['read'];

/** An engine that reads one row and does not support parameters. */
function plainSession(read: Read): Session {
  const unreached = () => Promise.reject(new Error('is not to be reached'));
  const unused = { check: unreached, preview: unreached, write: unreached, explain: unreached, export: unreached };
  return {
    literals,
    editing: { values: rowValues, tableIn: unreached, table: unreached, change: unreached },
    guard: { strength: 'enforced', reason: '' },
    prepare: async () => ({ effect: 'read', verb: 'SELECT', read, ...unused }),
    facts: unreached,
    tables: unreached,
    schema: unreached,
    overview: unreached,
    graph: unreached,
    search: unreached,
    end: async () => undefined,
  };
}

const oneRow: Read = async () => ({
  kind: 'rows',
  rows: { columns: [{ name: 'one', type: 'INTEGER' }], rows: [[1]], rowCount: 1, truncated: false },
});

function untilAborted(_caps: unknown, signal: AbortSignal): ReturnType<Read> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const projectTools = { tools: [WITH_PARAMETER, WITHOUT, OFF].map(toolOf), problems: [] };

function projectWith(parts: Partial<ProjectParts> = {}, read: Read = oneRow): Project {
  return new Project({
    root: '/project',
    connections: {
      list: () => Promise.reject(new Error('is not to be reached')),
      find: async () => ({ id: 'db', name: plain`app.db`, kind: 'sqlite', target: { file: '/project/app.db' } }),
    },
    openEngine: async () => plainSession(read),
    bundleDir: '/bundle',
    held: new HeldBytes(),
    answers: new AnswerRoom(),
    settings: { writes: 'allow', approvals: 'ask', trusted: true },
    editor: undefined,
    isOn: isOn({}),
    projectTools,
    log: () => undefined,
    ...parts,
  });
}

function call(project: Project, tool: string, input: unknown, more: Partial<Caller> = {}) {
  const { signal } = new AbortController();
  const caller: Caller = {
    door: 'rest',
    clientId: 'c',
    clientName: plain`test`,
    signal,
    progress: () => undefined,
    ...more,
  };
  return project.gate.run(tool, input, caller);
}

async function codeOf(project: Project, tool: string, input: unknown = {}): Promise<ErrorCode | 'ok'> {
  const envelope = await call(project, tool, input);
  return envelope.ok ? 'ok' : envelope.error.code;
}

function namesOn(project: Project): string[] {
  return project.gate.tools.map(({ name }: ToolDefinition) => name);
}

test('a tool without parameters runs on every engine', async () => {
  expect(await codeOf(projectWith(), 'user_all')).toBe('ok');
  expect(await codeOf(projectWith(), 'run-project-tool', { tool: 'user.all' })).toBe('ok');
});

describe('in an untrusted workspace', () => {
  test.each([
    ['user_all', {}],
    ['run-project-tool', { tool: 'user_all' }],
    ['list-project-tools', {}],
  ])('%s answers E_UNTRUSTED_WORKSPACE', async (tool, input) => {
    const project = projectWith({ settings: { writes: 'allow', approvals: 'ask', trusted: false } });
    expect(await codeOf(project, tool, input)).toBe('E_UNTRUSTED_WORKSPACE');
    project.applySettings({
      settings: { writes: 'allow', approvals: 'ask', trusted: true },
      isOn: isOn({}),
      projectTools,
    });
    expect(await codeOf(project, tool, input)).toBe('ok');
  });
});

describe('a tool that is switched off', () => {
  test('by its file, by name or with its toolset is listed nowhere and answers E_DISABLED', async () => {
    const projects = [
      [projectWith(), 'user_purge'],
      [projectWith({ isOn: isOn({ disabledTools: ['user_all'] }) }), 'user_all'],
      [projectWith({ isOn: isOn({ toolsets: ['debug'] }) }), 'user_all'],
    ] as const;
    for (const [project, name] of projects) {
      expect(namesOn(project)).not.toContain(name);
      expect(await codeOf(project, name)).toBe('E_DISABLED');
      expect(await codeOf(project, 'run-project-tool', { tool: name })).toBe('E_DISABLED');
    }
  });

  test('is not listed by list-project-tools either', async () => {
    const answer = await call(projectWith(), 'list-project-tools', {});
    expect(answer).toMatchObject({ data: { tools: [{ name: 'user_find' }, { name: 'user_all' }] } });
  });
});

test.each([
  ['user_all', {}, 40],
  ['run-project-tool', { tool: 'user_all' }, 40],
  ['user_slow', {}, 50],
  ['user.slow', {}, 50],
  ['run-project-tool', { tool: 'user_slow' }, 50],
])("%s %j ends by its file's timeout, else by its caller's default: after %i ms", async (tool, input, timeoutMs) => {
  const slow = 'alias: user.slow\nsql: SELECT 1\nmcp: { description: Slow, timeout: 50 }';
  const project = projectWith({ projectTools: { tools: [WITHOUT, slow].map(toolOf), problems: [] } }, untilAborted);
  const answer = await call(project, tool, input, { defaultTimeoutMs: 40 });
  expect(answer).toMatchObject({ error: { code: 'E_TIMEOUT', details: { timeoutMs } } });
});

test('the log line of a call has the name of the tool and no values', async () => {
  const lines: unknown[] = [];
  const project = projectWith({ log: (level, event, facts) => lines.push({ level, event, facts }) });
  await call(project, 'user_find', { id: 4711 });
  expect(lines).toEqual([
    expect.objectContaining({ facts: expect.objectContaining({ tool: 'user_find', code: 'ok' }) }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('4711');
});
