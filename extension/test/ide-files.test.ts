import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { findTool } from '@devdb/shared/tools';
import * as z from 'zod';
import { addExampleFiles } from '../../fixtures/labs/sample-project.ts';
import type { DevdbHome, StdioClient } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, type Window } from './helpers/editor-lab.ts';
import { selectInExample } from './helpers/example-editor.ts';
import { childrenOf } from './helpers/processes.ts';
import { startOnSample } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const FILE_TOOLS = [
  'get_open_in_editor_file_text',
  'get_open_in_editor_file_path',
  'replace_selected_text',
  'replace_current_file_text',
  'open_file_in_editor',
  'get_file_text_by_path',
  'replace_file_text_by_path',
  'create_new_file_with_text',
  'list_files_in_folder',
  'search_in_files_content',
  'find_files_by_name_substring',
  'get_project_modules',
  'get_project_dependencies',
];
const SETTINGS = {
  'Devdb.mcp.toolsets': ['database', 'refactor', 'ide'],
  'files.autoSave': 'off',
  'files.watcherExclude': { '**/unwatched/**': true },
};
const MANY_FILES = 20_000;

describeEditor('the file tools and projects', () => {
  let editor: Editor;
  let window: Window;
  let devdb: DevdbHome;
  let agent: StdioClient;
  let root: string;
  /** Each test has a folder of its own: the editor may still look at the files of the one before. */
  let at: string;
  let folders = 0;

  beforeAll(async () => {
    ({ editor, devdb, window, root } = await startOnSample({ settings: SETTINGS }, addExampleFiles));
    // On a busy machine everything takes a multiple; what a short time does has a test of its own.
    agent = await devdb.stdioClient(['--toolsets', 'ide', '--timeout', '150000']);
  });

  afterAll(async () => {
    await agent?.close();
    await editor?.stop();
  });

  beforeEach(() => {
    folders += 1;
    at = `case-${folders}`;
    mkdirSync(join(root, at));
  });

  afterEach(async () => {
    await window.run(async (vscode) => {
      for (const { uri } of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
        await vscode.window.showTextDocument(uri);
        await vscode.commands.executeCommand('workbench.action.files.revert');
      }
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  });

  const pathOf = (file: string) => join(root, at, file);
  const read = (file: string) => readFileSync(pathOf(file), 'utf8');

  function write(file: string, text: string | Buffer): void {
    mkdirSync(join(pathOf(file), '..'), { recursive: true });
    writeFileSync(pathOf(file), text);
  }

  /** The text that a model reads. */
  async function say(tool: string, input: object = {}, client = agent): Promise<string> {
    return (await client.call(tool, { projectRoot: root, ...input })).text;
  }

  /** The data of an answer, or the text of its error. */
  async function ask(tool: string, input: object = {}): Promise<unknown> {
    const envelope = await devdb.callTool(root, tool, input);
    return envelope.ok ? envelope.data : `${envelope.error.code} ${envelope.error.message}`;
  }

  const contentOf = async (file: string, more: object = {}) =>
    z
      .looseObject({ content: z.string() })
      .parse(await ask('get_file_text_by_path', { pathInProject: `${at}/${file}`, ...more }));

  const replace = (file: string, text: string) =>
    ask('replace_file_text_by_path', { pathInProject: `${at}/${file}`, text });

  /** Shows a file as its user does, with these characters of the first line selected. */
  /** Opens a file as its user does. The API's way loads its document first, and reads it again a moment after that. */
  function show(file: string, from = 0, to = 0): Promise<void> {
    return window.run(
      async (vscode, path, start, end) => {
        const selection = new vscode.Range(0, start, 0, end);
        await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), { preview: false, selection });
      },
      pathOf(file),
      from,
      to,
    );
  }

  /** Types at the start of a file, as its user does who does not save. */
  function type(file: string, text: string): Promise<void> {
    return window.run(
      async (vscode, path, added) => {
        const document = await vscode.workspace.openTextDocument(path);
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), added);
        await vscode.workspace.applyEdit(edit);
      },
      pathOf(file),
      text,
    );
  }

  /** What the editor shows of a file that it has open. */
  function shown(file: string): Promise<{ text: string; isDirty: boolean } | null> {
    return window.run((vscode, path) => {
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === path);
      return document === undefined ? null : { text: document.getText(), isDirty: document.isDirty };
    }, pathOf(file));
  }

  /** The tabs, and which files are loaded: reading must leave both alone. */
  function looks(): Promise<unknown> {
    return window.run((vscode) => ({
      tabs: vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label, isActive }) => [label, isActive])),
      selection: vscode.window.activeTextEditor?.selection,
      documents: vscode.workspace.textDocuments.map(({ uri }) => uri.toString()).sort(),
    }));
  }

  /** What stands in the question about a change, once it is there. */
  async function answerQuestion(answer: 'yes' | 'no', text: string): Promise<void> {
    const question = window.page.frameLocator('iframe.webview').frameLocator('iframe#active-frame').locator('main');
    await question.locator(`text=${text}`).waitFor();
    if (answer === 'no') await question.press('Escape');
    else await question.locator('button:enabled >> text="Run once"').click();
  }

  test.each(FILE_TOOLS)('%s gives what its examples say', async (name) => {
    for (const { input, gives } of findTool(name)?.examples ?? []) {
      await window.command('workbench.action.closeAllEditors');
      addExampleFiles(root);
      await selectInExample(window, root);
      const { text, isError } = await agent.call(name, { projectRoot: root, ...input });
      expect([name, input, isError ? text : 'ok']).toEqual([
        name,
        input,
        gives === 'ok' ? 'ok' : expect.stringContaining(`[${gives}]`),
      ]);
    }
  });

  test('the literal sentences reach the model', async () => {
    write('a b ü.txt', 'one two\n');
    expect(await say('get_open_in_editor_file_text')).toBe('');
    expect(await say('get_open_in_editor_file_path')).toBe('');
    expect(await say('replace_current_file_text', { text: 'x' })).toContain('] no file open.');
    expect(await say('replace_selected_text', { text: 'x' })).toContain('] no active editor.');
    expect(await say('open_file_in_editor', { filePath: `${at}/nosuch` })).toContain(
      "] file doesn't exist or can't be opened.",
    );
    expect(await say('open_file_in_editor', { filePath: pathOf('a b ü.txt') })).toBe('file is opened');
    expect(await say('get_open_in_editor_file_path')).toBe(pathOf('a b ü.txt'));
    expect(await say('get_open_in_editor_file_text')).toBe('one two\n');
    expect(await say('replace_selected_text', { text: 'x' })).toContain('] no text selected.');
    await show('a b ü.txt', 0, 3);
    expect(await say('replace_selected_text', { text: 'three' })).toBe('ok');
    expect(read('a b ü.txt')).toBe('three two\n');
    expect(await say('replace_current_file_text', { text: 'all\n' })).toBe('ok');
    expect(read('a b ü.txt')).toBe('all\n');
    expect(await say('get_file_text_by_path', { pathInProject: '/etc/passwd' })).toContain(
      '] path is outside project directory.',
    );
  });

  test("the editor's text wins where the user has not saved, and a clean file is read from the disk", async () => {
    write('a.ts', 'saved\n');
    expect(await contentOf('a.ts')).toEqual({
      content: 'saved\n',
      path: pathOf('a.ts'),
      relativePath: `${at}/a.ts`,
      truncated: false,
    });
    await type('a.ts', 'not yet ');
    expect(await contentOf('a.ts')).toMatchObject({ content: 'not yet saved\n', unsaved: true });
    expect(read('a.ts')).toBe('saved\n');
  });

  test('reading opens, loads and selects nothing', async () => {
    write('open.ts', 'open file\n');
    write('other.ts', 'needle\n');
    write('package.json', '{"name":"other"}');
    await show('open.ts', 0, 4);
    const before = await looks();
    await contentOf('other.ts');
    await ask('search_in_files_content', { searchText: 'needle' });
    await ask('find_files_by_name_substring', { nameSubstring: 'other' });
    await ask('list_files_in_folder', { pathInProject: at });
    await ask('get_project_modules');
    expect(await looks()).toEqual(before);
  });

  test('line ends, encodings and their marks are read, and stay when the text is replaced', async () => {
    const kinds = {
      'dos.txt': [Buffer.from('eins\r\nzwei\r\n'), Buffer.from('größe\r\n文\r\n')],
      'mark.txt': [Buffer.from('\ufeffeins\n'), Buffer.from('\ufeffgröße\n文\n')],
      'utf16le.txt': [Buffer.from('\ufeffeins\n', 'utf16le'), Buffer.from('\ufeffgröße\n文\n', 'utf16le')],
      'utf16be.txt': [
        Buffer.from('\ufeffeins\n', 'utf16le').swap16(),
        Buffer.from('\ufeffgröße\n文\n', 'utf16le').swap16(),
      ],
    } as const;
    for (const [file, [before, after]] of Object.entries(kinds)) {
      write(file, before);
      const [, ends = '\n'] = /(\r?\n)/.exec((await contentOf(file)).content) ?? [];
      expect([file, (await contentOf(file)).content]).toEqual([
        file,
        file === 'dos.txt' ? 'eins\r\nzwei\r\n' : 'eins\n',
      ]);
      expect([file, ends]).toEqual([file, file === 'dos.txt' ? '\r\n' : '\n']);
      expect(await replace(file, 'größe\n文\n')).toMatchObject({ size: after.length });
      expect([file, readFileSync(pathOf(file)).toString('hex')]).toEqual([file, after.toString('hex')]);
      expect((await contentOf(file)).content.replaceAll('\r\n', '\n')).toBe('größe\n文\n');
    }
  });

  test("Latin-1 by the project's settings is read and kept, and a letter that it lacks is refused", async () => {
    write('.vscode/settings.json', '{}');
    await window.run(async (vscode) => {
      const config = vscode.workspace.getConfiguration('files');
      await config.update('encoding', 'iso88591', vscode.ConfigurationTarget.Workspace);
    });
    try {
      write('latin.txt', Buffer.from('größe\n', 'latin1'));
      expect((await contentOf('latin.txt')).content).toBe('größe\n');
      expect(await replace('latin.txt', 'straße\n')).toMatchObject({ size: 7 });
      expect(readFileSync(pathOf('latin.txt'), 'latin1')).toBe('straße\n');
      expect(await replace('latin.txt', '文\n')).toMatch(/^E_EDIT_FAILED .* lacks letters/);
      expect(readFileSync(pathOf('latin.txt'), 'latin1')).toBe('straße\n');
    } finally {
      await window.run(async (vscode) => {
        const config = vscode.workspace.getConfiguration('files');
        await config.update('encoding', undefined, vscode.ConfigurationTarget.Workspace);
      });
    }
  });

  test('a long text comes in pages that make up the whole, and too large a file is refused', async () => {
    const text = Array.from({ length: 9_000 }, (_, line) => `line ${line} – größe 文\n`).join('');
    write('long.txt', text);
    let whole = '';
    for (let calls = 0; whole.length < text.length && calls < 20; calls += 1) {
      const page = await contentOf('long.txt', { offset: whole.length });
      expect(Buffer.byteLength(page.content)).toBeLessThanOrEqual(32 * 1024);
      whole += page.content;
    }
    expect(whole).toBe(text);
    expect(await contentOf('long.txt', { limit: 1024 * 1024 })).toMatchObject({ content: text, truncated: false });
    await show('long.txt');
    expect(await say('get_open_in_editor_file_text')).toMatch(
      /\n\n\[Characters 0 to \d+ of \d+ are shown\. get_file_text_by_path with offset \d+ gives the next\.\]$/,
    );
    write('huge.txt', Buffer.alloc(10 * 1024 * 1024 + 1, 'x\n'));
    expect(await ask('get_file_text_by_path', { pathInProject: `${at}/huge.txt` })).toMatch(/^E_FILE_TOO_LARGE/);
    expect(await replace('huge.txt', 'small')).toMatch(/^E_FILE_TOO_LARGE/);
  });

  test('what leads out of the project is neither read nor written, by whatever name', async () => {
    const secret = join(editor.projects, 'secret.txt');
    writeFileSync(secret, 'secret\n');
    symlinkSync(secret, pathOf('link.txt'));
    symlinkSync(editor.projects, pathOf('out'));
    symlinkSync(join(editor.projects, 'later.txt'), pathOf('later.txt'));
    for (const name of [`${at}/link.txt`, `${at}/out/secret.txt`, '../secret.txt', secret, `file://${secret}`]) {
      for (const [tool, input] of [
        ['get_file_text_by_path', { pathInProject: name }],
        ['replace_file_text_by_path', { pathInProject: name, text: 'mine' }],
        ['open_file_in_editor', { filePath: name }],
      ] as const) {
        expect([name, tool, await ask(tool, input)]).toEqual([
          name,
          tool,
          'E_OUTSIDE_PROJECT path is outside project directory',
        ]);
      }
    }
    expect(await ask('list_files_in_folder', { pathInProject: `${at}/out` })).toMatch(/^E_OUTSIDE_PROJECT/);
    expect(await ask('create_new_file_with_text', { pathInProject: `${at}/out/new.txt`, text: '' })).toMatch(
      /^E_OUTSIDE_PROJECT/,
    );
    expect(await ask('create_new_file_with_text', { pathInProject: `${at}/later.txt`, text: '' })).toMatch(
      /^E_ALREADY_EXISTS/,
    );
    expect(await ask('search_in_files_content', { searchText: 'secret' })).toEqual({ files: [], truncated: false });
    // A file elsewhere that the user has open is theirs, and so is one that is open by way of a link.
    for (const open of [secret, pathOf('link.txt')]) {
      await window.run(async (vscode, path) => {
        await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(0, 0, 0, 3) });
      }, open);
      expect(await ask('get_open_in_editor_file_text')).toMatch(/^E_OUTSIDE_PROJECT/);
      expect(await ask('replace_current_file_text', { text: 'mine' })).toMatch(/^E_OUTSIDE_PROJECT/);
      expect(await ask('replace_selected_text', { text: 'mine' })).toMatch(/^E_OUTSIDE_PROJECT/);
    }
    expect([readFileSync(secret, 'utf8'), existsSync(join(editor.projects, 'new.txt'))]).toEqual(['secret\n', false]);
    unlinkSync(secret);
  });

  test('a replaced file is saved and clean, undo brings the text back, and an open file is changed in its editor', async () => {
    write('a.ts', 'before\n');
    await show('a.ts');
    expect(await replace('a.ts', 'after\n')).toMatchObject({ relativePath: `${at}/a.ts`, size: 6 });
    expect([read('a.ts'), await shown('a.ts')]).toEqual(['after\n', { text: 'after\n', isDirty: false }]);
    await window.command('undo');
    await until('undo has brought the text back', async () => (await shown('a.ts'))?.text === 'before\n');
  });

  test('a file that has changed outside just now is replaced without a conflict', async () => {
    write('a.ts', 'first\n');
    await show('a.ts');
    for (const round of [1, 2, 3]) {
      write('a.ts', `from outside ${round}\n`);
      expect(await replace('a.ts', `from the agent ${round}\n`)).toMatchObject({ relativePath: `${at}/a.ts` });
      expect(read('a.ts')).toBe(`from the agent ${round}\n`);
    }
    // The editor's own Explorer may complain about a folder that an earlier test removed.
    expect((await window.notifications()).filter((text) => text.includes('a.ts'))).toEqual([]);
  });

  test('a file whose text the editor has and whose time it has not is replaced all the same', async () => {
    write('unwatched/a.ts', 'one\ntwo\n');
    await show('unwatched/a.ts');
    // The same text to the editor, and newer than what it has read.
    write('unwatched/a.ts', 'one\r\ntwo\r\n');
    expect(await replace('unwatched/a.ts', 'three\n')).toMatchObject({ relativePath: `${at}/unwatched/a.ts` });
    expect(read('unwatched/a.ts')).toBe('three\n');
    await until('nothing is complained of', async () =>
      (await window.notifications()).every((text) => !text.includes('a.ts')),
    );
  });

  test('a file that the editor reads anew at that moment is replaced all the same', async () => {
    write('a.ts', 'one\ntwo\n');
    await show('a.ts');
    for (const end of ['\r\n', '\n', '\r\n', '\n', '\r\n', '\n']) {
      write('a.ts', `one${end}two${end}`);
      expect(await replace('a.ts', 'one\ntwo\n')).toMatchObject({ relativePath: `${at}/a.ts` });
    }
  });

  test('unsaved text is replaced only after a yes, and a no leaves it', async () => {
    write('a.ts', 'saved\n');
    await show('a.ts');
    await type('a.ts', 'half a thought ');
    const refused = replace('a.ts', 'mine\n');
    await answerQuestion('no', 'It has changes that are not saved.');
    expect(await refused).toMatch(/^E_APPROVAL_DENIED/);
    expect([read('a.ts'), await shown('a.ts')]).toEqual(['saved\n', { text: 'half a thought saved\n', isDirty: true }]);
    const agreed = ask('replace_current_file_text', { text: 'mine\n' });
    await answerQuestion('yes', 'It has changes that are not saved.');
    expect(await agreed).toMatchObject({ result: 'ok' });
    expect([read('a.ts'), await shown('a.ts')]).toEqual(['mine\n', { text: 'mine\n', isDirty: false }]);
  });

  test("a selection in unsaved text is replaced and not saved: the user's text waits for its user", async () => {
    write('a.ts', 'one two\n');
    await show('a.ts', 4, 7);
    await type('a.ts', 'zero ');
    expect(await say('replace_selected_text', { text: 'three' })).toMatch(/^ok\n\n\[Not saved: /);
    expect([read('a.ts'), (await shown('a.ts'))?.text]).toEqual(['one two\n', 'zero one three\n']);
  });

  test('a file that makes programs run is asked about, whoever links to it', async () => {
    mkdirSync(join(root, at, '.git', 'hooks'), { recursive: true });
    symlinkSync(pathOf('.git/hooks'), pathOf('harmless'));
    for (const file of ['.git/hooks/pre-commit', 'harmless/pre-commit']) {
      const making = ask('create_new_file_with_text', { pathInProject: `${at}/${file}`, text: '#!/bin/sh\n' });
      await answerQuestion('no', 'Programs run by what stands in this file.');
      expect(await making).toMatch(/^E_APPROVAL_DENIED/);
    }
    expect(existsSync(pathOf('.git/hooks/pre-commit'))).toBe(false);
  });

  test('a binary file, a read-only one and a folder are refused in words', async () => {
    write('data.bin', Buffer.from('a\0b\0\0c'));
    write('fixed.txt', 'fixed\n');
    chmodSync(pathOf('fixed.txt'), 0o444);
    expect(await replace('data.bin', '')).toBe(`E_NOT_TEXT ${at}/data.bin is a binary file. Nothing was changed.`);
    expect(await replace('fixed.txt', 'x')).toMatch(/^E_EDIT_FAILED .* is read-only/);
    expect(read('fixed.txt')).toBe('fixed\n');
    expect(await replace('', 'x')).toMatch(/^E_FILE_NOT_FOUND/);
  });

  test('a new file has its text to the byte, with its folders, and none is replaced', async () => {
    const make = (file: string, text: string) =>
      ask('create_new_file_with_text', { pathInProject: `${at}/${file}`, text });
    expect(await make('new/größe 文/a b.ts', 'eins\r\nzwei\n')).toMatchObject({
      path: pathOf('new/größe 文/a b.ts'),
      relativePath: `${at}/new/größe 文/a b.ts`,
    });
    expect(read('new/größe 文/a b.ts')).toBe('eins\r\nzwei\n');
    expect(await make('new/größe 文/a b.ts', 'other')).toMatch(/^E_ALREADY_EXISTS/);
    expect(await make('new', 'other')).toMatch(/^E_ALREADY_EXISTS/);
    expect(await make('new/größe 文/a b.ts/below', '')).toMatch(/^E_EDIT_FAILED/);
    expect(await make('half.txt', 'half \ud83d')).toMatch(/^E_EDIT_FAILED/);
    expect(read('new/größe 文/a b.ts')).toBe('eins\r\nzwei\n');
    expect(existsSync(pathOf('half.txt'))).toBe(false);
  });

  test('a search counts unsaved text and leaves out what .gitignore and the settings do', async () => {
    write('.gitignore', 'dist/\n');
    for (const file of ['dist/a.js', 'node_modules/a/a.js', 'src/a.js', 'src/gone.js']) write(file, 'needle-7\n');
    write('src/typed.js', 'nothing\n');
    await type('src/typed.js', 'needle-7 ');
    await show('src/gone.js');
    await window.run(async (vscode) => {
      await vscode.window.activeTextEditor?.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 8), 'other'));
    });
    const found = z
      .object({ files: z.array(z.object({ path: z.string() })) })
      .parse(await ask('search_in_files_content', { searchText: 'needle-7' }));
    expect(found.files.map(({ path }) => path)).toEqual([`${at}/src/a.js`, `${at}/src/typed.js`]);
    expect(await ask('find_files_by_name_substring', { nameSubstring: 'GONE' })).toEqual({
      files: [
        {
          path: `${at}/src/gone.js`,
          name: 'gone.js',
          directory: `${at}/src`,
          absolutePath: pathOf('src/gone.js'),
        },
      ],
      truncated: false,
    });
  });

  test('modules and dependencies come from the manifests, and what could not be read says so', async () => {
    write('package.json', '{"name":"shop-web","dependencies":{"react":"19"}}');
    write('api/pyproject.toml', '[project]\nname = "shop-api"\ndependencies = ["django"]\n');
    write('broken/Cargo.toml', '[package\n');
    const modules = z
      .looseObject({ modules: z.array(z.string()), rest: z.string() })
      .parse(await ask('get_project_modules'));
    expect(modules.modules).toEqual(expect.arrayContaining(['shop-web', 'shop-api']));
    expect(modules.rest).toContain(`Not read: ${at}/broken/Cargo.toml is not understood at line 1.`);
    expect(await say('get_project_dependencies')).toMatch(/^\["django","react"\]\n\n\[Not read: /);
    await type('package.json', ' ');
    await window.run(async (vscode, path) => {
      const edit = new vscode.WorkspaceEdit();
      const uri = vscode.Uri.file(path);
      edit.replace(uri, new vscode.Range(0, 0, 1, 0), '{"name":"typed","dependencies":{"vue":"3"}}');
      await vscode.workspace.applyEdit(edit);
    }, pathOf('package.json'));
    expect(await say('get_project_dependencies')).toMatch(/^\["django","vue"\]/);
  });

  test('an open file that is changed outside is reloaded while it is clean, and keeps what its user has not saved', async () => {
    for (const file of ['clean.ts', 'typed.ts']) {
      write(file, 'before\n');
      await show(file);
    }
    await type('typed.ts', 'mine ');
    write('typed.ts', 'from outside\n');
    write('clean.ts', 'from outside\n');
    await until('the clean one is reloaded', async () => (await shown('clean.ts'))?.text === 'from outside\n');
    expect(await shown('typed.ts')).toEqual({ text: 'mine before\n', isDirty: true });
    expect(await contentOf('typed.ts')).toMatchObject({ content: 'mine before\n', unsaved: true });
  });

  test('a file that has changed where the editor does not notice is read as it is, and not overwritten', async () => {
    write('unwatched/a.ts', 'before\n');
    await show('unwatched/a.ts', 0, 3);
    write('unwatched/a.ts', 'from outside\n');
    expect((await contentOf('unwatched/a.ts')).content).toBe('from outside\n');
    expect(await replace('unwatched/a.ts', 'mine\n')).toMatch(/^E_EDIT_FAILED .* has changed on the disk/);
    expect(await ask('replace_selected_text', { text: 'mine' })).toMatch(/^E_EDIT_FAILED .* has changed on the disk/);
    expect([read('unwatched/a.ts'), await window.notifications()]).toEqual(['from outside\n', []]);
  });

  test(`a search through ${MANY_FILES} files answers, is capped, and ends when its client leaves`, async () => {
    for (let folder = 0; folder < 100; folder += 1) {
      mkdirSync(pathOf(`many/${folder}`), { recursive: true });
      for (let file = 0; file < MANY_FILES / 100; file += 1) {
        writeFileSync(pathOf(`many/${folder}/${file}.txt`), `common text ${folder === 42 && file === 7 ? 'rare' : ''}`);
      }
    }
    expect(await ask('search_in_files_content', { searchText: 'text rare' })).toMatchObject({
      files: [{ path: `${at}/many/42/7.txt` }],
      truncated: false,
    });
    const all = z
      .object({ files: z.array(z.unknown()), truncated: z.boolean(), rest: z.string() })
      .parse(await ask('search_in_files_content', { searchText: 'common text', limit: 10_000 }));
    expect([all.truncated, all.rest.includes('There are more than 10000')]).toEqual([true, true]);
    expect(Buffer.byteLength(JSON.stringify(all.files))).toBeLessThanOrEqual(1024 * 1024);
    const leaving = new AbortController();
    const running = devdb.callTool(root, 'search_in_files_content', { searchText: 'no such' }, leaving.signal);
    leaving.abort();
    await expect(running).rejects.toThrow();
    await until('no search is left', () => childrenOf(window.pid).every((pid) => !isRipgrep(pid)));
    rmSync(pathOf('many'), { recursive: true });
  });
});

function isRipgrep(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'rg';
  } catch {
    // It has ended.
    return false;
  }
}
