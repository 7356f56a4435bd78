import { join } from 'node:path';
import { lookAtWindow, runEditorTool } from '@devdb/shared/protocol/editor-methods';
import { setProjects } from '@devdb/shared/protocol/sidecar-methods';
import * as z from 'zod';
import { McpClient } from '../../fixtures/labs/mcp-client.ts';
import { describeUnless } from '../../fixtures/labs/needs.ts';
import { cachedBridge } from '../../fixtures/labs/old-bridge.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';
import { openWindow, type TestWindow, windowSettings } from './helpers/window.ts';

const TOOLS_OF_THE_DIALECT = 29;
const FILE = 'src/größe.ts';
const TEXT = 'export const größe = 1;';

const listed = z.object({ tools: z.array(z.object({ name: z.string() })) });
const answer = z.object({ content: z.array(z.object({ text: z.string() })), isError: z.boolean() });

const bridge = cachedBridge();

describeUnless(typeof bridge === 'string' ? undefined : bridge.notRun, 'a bridge that others wrote', () => {
  let project: TempProject;
  let window: TestWindow;
  let client: McpClient;
  let ran: { tool: string; input: unknown }[];

  beforeEach(async () => {
    project = tempProject();
    ran = [];
    window = await openWindow({
      home: project.home,
      projects: [{ root: project.root }],
      offer: (peer) => {
        const file = join(project.root, FILE);
        peer.answer(lookAtWindow, async () => ({ activeFile: file, openFiles: [file] }));
        peer.answer(runEditorTool, async ({ tool, input }) => {
          ran.push({ tool, input });
          return tool === 'get_file_text_by_path'
            ? { content: TEXT, path: file, relativePath: FILE, truncated: false }
            : { text: 'ran', status: 'completed', exitCode: 0, truncated: false };
        });
      },
    });
    const settings = windowSettings({ toolsets: ['ide'], tokenless: 'all', approvals: 'allow' });
    const [outcome] = (await window.call(setProjects, { projects: [{ root: project.root, settings }] })).projects;
    const port = outcome !== undefined && 'tokenlessPort' in outcome ? outcome.tokenlessPort : undefined;
    const env = { ...process.env, IDE_PORT: String(port) };
    client = new McpClient({ command: process.execPath, args: [String(bridge)], env, quiet: true });
    await client.initialize('test');
  });

  afterEach(async () => {
    // It does not end with its input.
    if (client.pid !== undefined) process.kill(client.pid);
    await client.close();
    await window.kill();
    project.remove();
  });

  async function call(name: string, input: Record<string, unknown>) {
    const { content, isError } = answer.parse(await client.callTool(name, input));
    return { text: content.map(({ text }) => text).join(''), isError };
  }

  test('lists every tool of the dialect', async () => {
    const { tools } = listed.parse(await client.request('tools/list', {}));
    expect(tools).toHaveLength(TOOLS_OF_THE_DIALECT);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['get_open_in_editor_file_path', 'wait']));
  });

  test('calls tools with their input, and gets their answers and refusals', async () => {
    expect(await call('get_file_text_by_path', { pathInProject: FILE })).toEqual({
      text: expect.stringContaining(TEXT),
      isError: false,
    });
    expect(await call('execute_terminal_command', { command: 'echo hé' })).toEqual({ text: 'ran', isError: false });
    expect(ran).toMatchObject([
      { tool: 'get_file_text_by_path', input: { pathInProject: FILE } },
      { tool: 'execute_terminal_command', input: { command: 'echo hé' } },
    ]);
    const refused = await call('execute_action_by_id', { actionId: 'workbench.trust.manage' });
    expect(refused).toEqual({ text: expect.stringContaining('is not run for an agent'), isError: true });
  });
});
