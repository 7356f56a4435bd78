import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTools, TOOLSETS } from '@devdb/shared/tools';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import type { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { startOnSample } from './helpers/sample-window.ts';

type Input = Readonly<Record<string, unknown>>;

const LAUNCH = {
  version: '0.2.0',
  configurations: [
    { name: 'Greet', type: 'node', request: 'launch', program: '$' + '{workspaceFolder}/src/main.ts', args: ['Ada'] },
  ],
};

/** The first example of each tool that asks, besides the debugger's. */
const ASKING = allTools
  .filter(({ toolset, approval }) => ['refactor', 'code', 'ide'].includes(toolset) && approval !== undefined)
  .map(({ name, approval, examples }) => {
    const example = examples.find(({ gives, input }) => gives === 'ok' && approval?.changes?.(input) !== false);
    return [name, example?.input ?? {}] as const;
  });

const LONG_FOLDER = 'a-folder-with-a-long-name-and-no-place-to-break-it'.repeat(5);

/** What an agent may write to make a question hard to read. */
const HOSTILE: readonly (readonly [what: string, tool: string, input: Input])[] = [
  ['a long path', 'create_new_file_with_text', { pathInProject: `src/${LONG_FOLDER}/new.ts`, text: 'a' }],
  ['a long line', 'execute_terminal_command', { command: `echo ${'x'.repeat(3_000)} && rm -rf ~` }],
  ['many lines', 'execute_terminal_command', { command: `echo a\n${'echo b\n'.repeat(80)}rm -rf ~` }],
  [
    'markup',
    'replace_file_text_by_path',
    { pathInProject: 'src/main.ts', text: '<b>bold</b> &amp; \u202egnirts\u0000' },
  ],
  ['a long name', 'rename_symbol', { fileUri: 'src/main.ts', originalName: 'greeting', newName: 'g'.repeat(400) }],
  ['a long value', 'set_setting', { key: 'files.exclude', value: { [LONG_FOLDER]: true, '**/*.b': false } }],
];

describeEditor('the questions of the tools that run in the editor', () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let root: string;

  beforeAll(async () => {
    ({ editor, window, devdb, root } = await startOnSample(
      {
        settings: { 'Devdb.mcp.toolsets': TOOLSETS },
        machineSettings: { 'Devdb.approvals': 'always', 'Devdb.http.tokenless': 'read' },
      },
      (folder) => {
        addExampleFiles(folder);
        mkdirSync(join(folder, '.vscode'), { recursive: true });
        writeFileSync(join(folder, '.vscode', 'launch.json'), JSON.stringify(LAUNCH));
      },
    ));
  });

  afterAll(() => editor?.stop());

  /** Has the tool ask, looks at the question in every theme, and answers no. */
  async function look(picture: string, tool: string, input: Input): Promise<string> {
    const page = window.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame');
    const running = devdb.callTool(root, tool, input);
    const no = page.locator('button[data-answer="no"]:enabled');
    await no.waitFor();
    const text = (await page.locator('main').textContent()) ?? '';
    await window.screenshots(picture);
    for (const part of ['main', '#facts', '#statement'] as const) {
      if ((await page.locator(part).count()) === 0) continue;
      const { scrollWidth, clientWidth } = await page
        .locator(part)
        .evaluate((element) => ({ scrollWidth: element.scrollWidth, clientWidth: element.clientWidth }));
      expect([part, scrollWidth]).toEqual([part, clientWidth]);
    }
    // A click outside of what is on show would scroll first.
    const box = await no.boundingBox();
    expect(box === null ? 'not on show' : box.y + box.height).toBeLessThan(860);
    await no.click();
    await expect(running).resolves.toMatchObject({ ok: false, error: { code: 'E_APPROVAL_DENIED' } });
    await page.locator('main').waitFor({ state: 'detached' });
    return text;
  }

  test.each(ASKING)('%s asks in a page that fits, in every theme', async (tool, input) => {
    const text = await look(`question-${tool.replaceAll('_', '-')}`, tool, input);
    expect(text).toContain('?');
    expect(text).not.toMatch(/undefined|\[object|&#|&amp;/);
  });

  test.each(HOSTILE)('%s does not make a question that runs out of the page', async (what, tool, input) => {
    await look(`question-with-${what.replaceAll(' ', '-')}`, tool, input);
  });

  test('the status bar says that a port is open without a token, in every theme', async () => {
    await window.statusText(/no token :99\d\d/);
    await window.screenshots('status-tokenless');
  });
});
