import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { editorPath, existingPath, projectPath, shownPath } from './paths.ts';

let base: string;
let root: string;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-paths-')));
  root = join(base, 'project');
  mkdirSync(join(root, 'src', 'größe 文'), { recursive: true });
  mkdirSync(join(base, 'elsewhere'));
  writeFileSync(join(root, 'src', 'a.ts'), '');
  writeFileSync(join(base, 'elsewhere', 'secret.ts'), '');
  symlinkSync(join(base, 'elsewhere'), join(root, 'out'));
  symlinkSync(join(base, 'nowhere'), join(root, 'dangling'));
  symlinkSync(join(root, 'src'), join(root, 'inner'));
  symlinkSync(join(base, 'elsewhere', 'secret.ts'), join(root, 'link.ts'));
  symlinkSync(root, join(base, 'by-link'));
});
afterAll(() => rmSync(base, { recursive: true }));

const relativeOf = (given: string) => projectPath(root, given).relative;

test.each([
  ['a path from the root', () => 'src/a.ts', 'src/a.ts'],
  ['an absolute path', () => join(root, 'src', 'a.ts'), 'src/a.ts'],
  ['a URI', () => pathToFileURL(join(root, 'src', 'größe 文', 'ü ö.ts')).href, 'src/größe 文/ü ö.ts'],
  ['a URI with one slash', () => `file:${join(root, 'src', 'a.ts')}`, 'src/a.ts'],
  ['a place that does not exist', () => 'new/deep/b.ts', 'new/deep/b.ts'],
  ['a place below a file', () => 'src/a.ts/b.ts', 'src/a.ts/b.ts'],
  ['a way back inside', () => 'src/../src/./a.ts', 'src/a.ts'],
  ['a folder behind a link that stays inside', () => 'inner/a.ts', 'src/a.ts'],
  ['a link itself, wherever it leads', () => 'link.ts', 'link.ts'],
  ['a name with a colon', () => 'src/a:b.ts', 'src/a:b.ts'],
])('%s is relative to the root', (_what, given, wanted) => {
  expect(relativeOf(given())).toBe(wanted);
});

test.each([
  ['the root itself', () => '.'],
  ['the folder above', () => '..'],
  ['a way out', () => 'src/../../elsewhere/secret.ts'],
  ['an absolute path elsewhere', () => join(base, 'elsewhere', 'secret.ts')],
  ['a neighbour whose name begins the same', () => `${root}-2/a.ts`],
  ['a folder behind a link that leads out', () => 'out/secret.ts'],
  ['a folder behind a link that leads nowhere yet', () => 'dangling/a.ts'],
  ['another machine', () => 'file://server/share/a.ts'],
  ['another scheme', () => 'vscode-remote://ssh/home/a.ts'],
  ['an encoded slash', () => 'file:///etc%2Fpasswd'],
  ['a path that the system would cut', () => 'src/a.ts\0.md'],
])('%s is outside', (_what, given) => {
  expect(() => relativeOf(given())).toThrow('path is outside project directory');
});

test('for any input, the result is below the root', () => {
  const part = fc.constantFrom('..', '.', 'src', 'out', 'inner', 'dangling', 'a.ts', 'größe 文', '', 'file:', '/', '~');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 7 }), fc.boolean(), (parts, isAbsolute) => {
      const given = (isAbsolute ? `${root}/` : '') + parts.join('/');
      try {
        expect(projectPath(root, given).absolute.startsWith(`${root}/`)).toBe(true);
      } catch (error) {
        expect(String(error)).toContain('path is outside project directory');
      }
    }),
  );
});

test('what is read may be behind a link, as long as that leads to a file of the project', () => {
  const existing = (given: string) => existingPath(root, given).relative;
  expect(existing('inner/a.ts')).toBe('src/a.ts');
  expect(existing('src/../src/a.ts')).toBe('src/a.ts');
  for (const given of ['link.ts', 'out', 'out/secret.ts', '../elsewhere/secret.ts']) {
    expect(() => existing(given)).toThrow('path is outside project directory');
  }
  symlinkSync('loop', join(root, 'loop'));
  for (const given of ['nosuch.ts', 'src/a.ts/b', 'dangling', 'loop']) {
    expect(() => existing(given)).toThrow("file doesn't exist or can't be opened");
  }
});

test('a file elsewhere is shown with its full path', () => {
  expect(shownPath(root, join(root, 'src', 'a.ts'))).toBe('src/a.ts');
  expect(shownPath(root, join(base, 'elsewhere', 'b.ts'))).toBe(join(base, 'elsewhere', 'b.ts'));
});

test("a folder opened through a link keeps the editor's path", () => {
  const file = join(root, 'src', 'a.ts');
  expect(editorPath(file, [join(base, 'by-link')])).toBe(join(base, 'by-link', 'src', 'a.ts'));
  expect(editorPath(root, [join(base, 'by-link')])).toBe(join(base, 'by-link'));
  expect(editorPath(file, [root])).toBe(file);
  expect(editorPath(file, [join(base, 'gone'), join(base, 'elsewhere')])).toBe(file);
});
