import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testWhere } from '../../../../fixtures/labs/needs.ts';

/** What of the editor a search asks for: where it is installed, how it lists files, what its user has not saved. */
const editor = {
  appRoot: '',
  root: '',
  documents: [] as { isDirty: boolean; uri: { scheme: string; fsPath: string }; getText: () => string }[],
};

const fakeVscode = {
  env: {
    get appRoot() {
      return editor.appRoot;
    },
  },
  Uri: { file: (fsPath: string) => ({ scheme: 'file', fsPath }) },
  RelativePattern: class {},
  CancellationTokenSource: class {
    readonly token = {};
    readonly cancel = () => undefined;
    readonly dispose = () => undefined;
  },
  workspace: {
    get workspaceFolders() {
      return [{ uri: { scheme: 'file', fsPath: editor.root } }];
    },
    get textDocuments() {
      return editor.documents;
    },
    getConfiguration: () => ({ get: () => undefined }),
    decode: async (bytes: Uint8Array) => new TextDecoder().decode(bytes),
    findFiles: async () =>
      readdirSync(editor.root, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => ({ fsPath: join(entry.parentPath, entry.name) })),
  },
};

jest.mock('vscode', () => fakeVscode, { virtual: true });

const NOTE = /^This editor brings no ripgrep: /;
let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-search-')));
  editor.root = join(base, 'project');
  editor.appRoot = join(base, 'editor');
  editor.documents = [];
  mkdirSync(join(editor.root, 'src'), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true }));

function write(file: string, text: string | Buffer): void {
  writeFileSync(join(editor.root, file), text);
}

function waiting(signal = new AbortController().signal) {
  const messages: (string | undefined)[] = [];
  return { messages, signal, progress: ({ message }: { message?: string | undefined }) => void messages.push(message) };
}

describe('without ripgrep', () => {
  test('files are read one by one: binary ones and links out are none, unsaved text counts, and the answer says so', async () => {
    const { filesWith } = await import('./search.ts');
    writeFileSync(join(base, 'outside.txt'), 'needle');
    symlinkSync(join(base, 'outside.txt'), join(editor.root, 'link.txt'));
    write('src/größe a.ts', 'a needle b');
    write('src/other.ts', 'Needle');
    write('src/data.bin', Buffer.from('needle\0needle\0'));
    write('src/typed.ts', 'nothing');
    write('src/gone.ts', 'needle');
    editor.documents = [
      ['src/typed.ts', 'needle'],
      ['src/gone.ts', 'nothing'],
    ].map(([file = '', text = '']) => ({
      isDirty: true,
      uri: { scheme: 'file', fsPath: join(editor.root, file) },
      getText: () => text,
    }));
    expect(await filesWith(editor.root, 'needle', waiting())).toEqual({
      paths: ['src/größe a.ts', 'src/typed.ts'],
      isCut: false,
      note: expect.stringMatching(NOTE),
    });
  });

  test('a line end of the text stands for any line end', async () => {
    const { filesWith } = await import('./search.ts');
    write('unix.txt', 'one\ntwo\n');
    write('dos.txt', 'one\r\ntwo\r\n');
    for (const text of ['one\ntwo', 'one\r\ntwo'])
      expect((await filesWith(editor.root, text, waiting())).paths).toEqual(['dos.txt', 'unix.txt']);
  });

  test('names are found too, and a call that has ended reads nothing more', async () => {
    const { filesNamed, filesWith } = await import('./search.ts');
    write('src/a.ts', 'needle');
    const fits = (path: string) => path.endsWith('.ts');
    expect(await filesNamed(editor.root, { fits }, waiting())).toEqual({
      paths: ['src/a.ts'],
      isCut: false,
      note: expect.stringMatching(NOTE),
    });
    await expect(filesWith(editor.root, 'needle', waiting(AbortSignal.abort()))).rejects.toMatchObject({
      code: 'E_CANCELLED',
    });
  });
});

/** A program in the place of ripgrep: names one file at once, and ends on request. */
const SLOW = (done: string) =>
  `#!/bin/sh\nprintf './src/a.ts\\0'\nwhile [ ! -e '${done}' ]; do sleep 0.05; done\nprintf './src/b.ts\\0'\n`;

const testWithShell = testWhere(
  process.platform !== 'win32',
  'a search that takes long',
  'its ripgrep is a shell script',
);

testWithShell('a search that takes long says how much it has found so far', async () => {
  const { filesWith } = await import('./search.ts');
  const bin = join(editor.appRoot, 'node_modules', '@vscode', 'ripgrep', 'bin');
  mkdirSync(bin, { recursive: true });
  const done = join(base, 'done');
  writeFileSync(join(bin, 'rg'), SLOW(done), { mode: 0o755 });
  const { signal, messages } = waiting();
  const progress = ({ message }: { message?: string | undefined }) => {
    messages.push(message);
    if (message?.includes('so far: 1.')) writeFileSync(done, '');
  };
  const { paths, note } = await filesWith(editor.root, 'needle', { signal, progress });
  expect(paths).toEqual(['src/a.ts', 'src/b.ts']);
  expect(note).toBeUndefined();
  expect(messages).toContain('Searching. Files found so far: 1.');
  expect(existsSync(done)).toBe(true);
});
