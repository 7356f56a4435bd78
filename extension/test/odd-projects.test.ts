import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOOLSETS } from '@devdb/shared/tools';
import { DevdbHome, type StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, startEditor, type Window } from './helpers/editor-lab.ts';

const SHARED = 'src/same.ts';

describeEditor('several folders in one window, and a second window beside it', () => {
  let editor: Editor;
  let agent: StdioClient;
  let several: Window;
  let alone: Window;
  let one: string;
  let two: string;
  let three: string;

  beforeAll(async () => {
    editor = await startEditor({
      settings: { 'Devdb.mcp.toolsets': TOOLSETS },
      machineSettings: { 'Devdb.approvals': 'allow' },
    });
    [one, two, three] = [makeProject('one'), makeProject('two é 文'), makeProject('three')];
    const file = join(editor.projects, 'several.code-workspace');
    writeFileSync(file, JSON.stringify({ folders: [{ path: one }, { path: two }] }));
    several = await editor.open(file);
    alone = await editor.open(three);
    const devdb = new DevdbHome(editor.home);
    for (const root of [one, two, three]) await devdb.serving(root);
    agent = await devdb.stdioClient(['--toolsets', TOOLSETS.join(','), '--timeout', '150000']);
  });

  afterAll(async () => {
    await agent?.close();
    await editor?.stop();
  });

  /** Each with the same files; what stands in them tells them apart. */
  function makeProject(name: string): string {
    const root = join(editor.projects, name);
    mkdirSync(join(root, 'src'), { recursive: true });
    mkdirSync(join(root, '.vscode'));
    const launch = { version: '0.2.0', configurations: [{ name: `Run ${name}`, type: 'node', request: 'launch' }] };
    writeFileSync(join(root, '.vscode', 'launch.json'), JSON.stringify(launch));
    writeFileSync(join(root, 'tsconfig.json'), '{ "include": ["src"] }');
    writeFileSync(join(root, SHARED), `export const same = '${name}';\n`);
    writeFileSync(join(root, 'src', 'use.ts'), "import { same } from './same';\nexport const used = same;\n");
    return root;
  }

  const say = async (projectRoot: string, tool: string, input: object = {}) =>
    (await agent.call(tool, { projectRoot, ...input })).text;

  const tabs = (window: Window) =>
    window.run((vscode) => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label)));

  test('nothing open answers so in every folder, and opens nothing', async () => {
    for (const root of [one, two, three]) {
      expect(await say(root, 'get_open_in_editor_file_path')).toBe('');
      expect(await say(root, 'get_open_in_editor_file_text')).toBe('');
      expect(await say(root, 'replace_current_file_text', { text: 'x' })).toContain('[E_NO_ACTIVE_EDITOR]');
      expect(await say(root, 'replace_selected_text', { text: 'x' })).toContain('[E_NO_ACTIVE_EDITOR]');
    }
  });

  test('a folder is read, listed and searched by itself, under names that the others have too', async () => {
    for (const [root, name] of [
      [one, 'one'],
      [two, 'two é 文'],
      [three, 'three'],
    ] as const) {
      expect(await say(root, 'get_file_text_by_path', { pathInProject: SHARED })).toContain(`'${name}'`);
      const found = await say(root, 'search_in_files_content', { searchText: 'export const same' });
      expect(found.match(/same\.ts/g)).toHaveLength(2);
      expect(found).toContain(join(root, SHARED));
      const runs = await say(root, 'get_run_configurations');
      expect(runs.match(/Run [a-z]+/g)).toEqual([`Run ${name.split(' ')[0]}`]);
    }
  });

  test('a folder of the same window is outside of the other, to read and to write', async () => {
    const theirs = join(two, SHARED);
    expect(await say(one, 'get_file_text_by_path', { pathInProject: theirs })).toContain('[E_OUTSIDE_PROJECT]');
    expect(await say(one, 'replace_file_text_by_path', { pathInProject: theirs, text: '' })).toContain(
      '[E_OUTSIDE_PROJECT]',
    );
    expect(await say(one, 'rename_file', { oldUri: SHARED, newUri: join(two, 'src', 'moved.ts') })).toContain(
      '[E_OUTSIDE_PROJECT]',
    );
    expect(readFileSync(theirs, 'utf8')).toContain('two');
  });

  test('a file opens in the window of its folder alone, and is the open file of that folder alone', async () => {
    const before = await tabs(alone);
    expect(await say(two, 'open_file_in_editor', { filePath: SHARED })).toBe('file is opened');
    expect(await say(two, 'get_open_in_editor_file_path')).toBe(join(two, SHARED));
    expect(await say(one, 'get_open_in_editor_file_text')).not.toContain('two');
    expect(await say(three, 'get_open_in_editor_file_path')).toBe('');
    expect([await tabs(several), await tabs(alone)]).toEqual([['same.ts'], before]);
  });

  test('a symbol is renamed in its folder alone, and two windows do so at once', async () => {
    const rename = (root: string) =>
      say(root, 'rename_symbol', { fileUri: SHARED, originalName: 'same', newName: 'other' });
    const [first, last] = await Promise.all([rename(two), rename(three)]);
    for (const said of [first, last]) expect(JSON.parse(said)).toMatchObject({ to: 'other', edits: 3 });
    for (const root of [two, three]) expect(readFileSync(join(root, SHARED), 'utf8')).toContain('export const other');
    expect(readFileSync(join(one, SHARED), 'utf8')).toBe("export const same = 'one';\n");
  });

  test('a read-only file is neither renamed in nor formatted, and what belongs to it stays as it is', async () => {
    chmodSync(join(one, 'src', 'use.ts'), 0o444);
    const renamed = await say(one, 'rename_symbol', { fileUri: SHARED, originalName: 'same', newName: 'other' });
    expect(renamed).toMatch(/^\[E_EDIT_FAILED\] src\/use\.ts is read-only\./);
    expect(await say(one, 'code_format', { path: 'src/use.ts' })).toMatch(
      /^\[E_EDIT_FAILED\] src\/use\.ts is read-only/,
    );
    expect(readFileSync(join(one, SHARED), 'utf8')).toBe("export const same = 'one';\n");
    expect(await several.notifications()).toEqual([]);
  });
});
