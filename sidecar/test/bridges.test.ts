import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { lookAtWindow, runEditorTool } from '@devdb/shared/protocol/editor-methods';
import type { ProjectSettings } from '@devdb/shared/protocol/handshake';
import { setProjects } from '@devdb/shared/protocol/sidecar-methods';
import * as z from 'zod';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow, windowSettings } from './helpers/window.ts';

const OPEN = { text: 'echo seen', truncated: false };
const FILE = 'src/größe.ts';

let project: TempProject;
let window: TestWindow;
let ran: string[];

beforeEach(async () => {
  project = tempProject();
  project.database('app.db', 'CREATE TABLE t(a)');
  ran = [];
  window = await openWindow({
    home: project.home,
    projects: [{ root: project.root, settings: { toolsets: ['ide'] } }],
    offer: (peer) => {
      peer.answer(lookAtWindow, async ({ root }) => ({ activeFile: join(root, FILE), openFiles: [join(root, FILE)] }));
      peer.answer(runEditorTool, async ({ tool }) => {
        ran.push(tool);
        return tool === 'get_terminal_text'
          ? OPEN
          : { text: 'ran', status: 'completed', exitCode: 0, truncated: false };
      });
    },
  });
});

afterEach(async () => {
  await window.kill();
  project.remove();
});

/** Where the project listens without a token under these settings. */
async function tokenlessPort(settings: Partial<ProjectSettings>): Promise<number | undefined> {
  const projects = [{ root: project.root, settings: windowSettings({ toolsets: ['ide'], ...settings }) }];
  const [outcome] = (await window.call(setProjects, { projects })).projects;
  if (outcome === undefined || 'problem' in outcome) throw new Error(`Not open: ${JSON.stringify(outcome)}`);
  return outcome.tokenlessPort;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function get(port: number, path: string, body?: object, headers: Record<string, string> = {}) {
  const request = body && { method: 'POST', body: JSON.stringify(body) };
  const all = { ...(body && { 'content-type': 'application/json' }), ...headers };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...request, headers: all });
  return { status: response.status, body: await response.json() };
}

test('the dialect is served at the port of the project, with the token', async () => {
  const ports = z.record(z.string(), z.int()).parse(JSON.parse(readFileSync(join(project.home, 'mcp.json'), 'utf8')));
  const port = ports[project.root] ?? 0;
  const headers = { authorization: `Bearer ${readFileSync(join(project.home, 'token'), 'utf8').trim()}` };
  expect((await get(port, '/mcp/status')).status).toBe(401);
  const file = join(project.root, FILE);
  const environment = {
    workspaceRoot: project.root,
    activeFile: file,
    currentDirectory: project.root,
    openFiles: [file],
  };
  expect((await get(port, '/mcp/status', undefined, headers)).body).toMatchObject({
    result: { status: 'running', environment },
  });
  const text = await get(port, '/mcp/get_terminal_text', {}, headers);
  expect(text).toEqual({ status: 200, body: { status: 'echo seen', error: null } });
  // No user can be asked here: nothing is run.
  const command = await get(port, '/mcp/execute_terminal_command', { command: 'echo hello' }, headers);
  expect(command.body).toEqual({ status: null, error: expect.stringContaining("needs the user's approval") });
  const forbidden = await get(port, '/mcp/execute_action_by_id', { actionId: 'workbench.trust.manage' }, headers);
  expect(forbidden.body).toEqual({ status: null, error: expect.stringContaining('is not run for an agent') });
  expect(ran).toEqual(['get_terminal_text']);
});

test('a listener without a token is opened, changed and closed as the settings say, and found in its range', async () => {
  expect(await tokenlessPort({})).toBeUndefined();
  const port = (await tokenlessPort({ tokenless: 'read' })) ?? 0;
  expect(port).toBeGreaterThanOrEqual(9_960);
  expect(port).toBeLessThanOrEqual(9_990);
  expect((await get(port, '/api/mcp/get_terminal_text', {})).body).toEqual({ status: 'echo seen', error: null });
  expect((await get(port, '/api/mcp/execute_terminal_command', { command: 'x' })).status).toBe(404);
  const all = (await tokenlessPort({ tokenless: 'all', approvals: 'allow' })) ?? 0;
  const command = await get(all, '/api/mcp/execute_terminal_command', { command: 'x' }, { connection: 'close' });
  expect(command.body).toEqual({ status: 'ran', error: null });
  expect(await tokenlessPort({ tokenless: 'off' })).toBeUndefined();
  await expect(fetch(`http://127.0.0.1:${all}/api/mcp/list_tools`)).rejects.toThrow();
});

test('its ports are those of the settings, and it moves when they change', async () => {
  const range = (port: number) => ({ tokenlessPorts: { first: port, last: port } });
  const first = await freePort();
  expect(await tokenlessPort({ tokenless: 'read', ...range(first) })).toBe(first);
  const second = await freePort();
  expect(await tokenlessPort({ tokenless: 'read', ...range(second) })).toBe(second);
  await expect(fetch(`http://127.0.0.1:${first}/api/mcp/list_tools`)).rejects.toThrow();
  expect((await get(second, '/api/mcp/list_tools')).status).toBe(200);
});

test.each<[string, Partial<ProjectSettings>]>([
  ['the workspace is not trusted', { trusted: false }],
  ['the toolset is off', { toolsets: ['database'] }],
])('none is opened while %s, and the user sees why', async (_why, settings) => {
  expect(await tokenlessPort({ tokenless: 'all', ...settings })).toBeUndefined();
  expect(window.told).toEqual([expect.stringContaining('No listener without a token')]);
});

test('it goes with the window', async () => {
  const port = (await tokenlessPort({ tokenless: 'read' })) ?? 0;
  expect((await get(port, '/api/mcp/list_tools')).status).toBe(200);
  await window.close();
  await expect(fetch(`http://127.0.0.1:${port}/api/mcp/list_tools`)).rejects.toThrow();
});
