import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { ScriptTree } from './script-tree.ts';

const { signal } = new AbortController();

let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-scripts-')));
  root = join(base, 'project');
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true }));

function write(file: string, text = ''): void {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
}

async function scriptsOf(tree: ScriptTree): Promise<string[]> {
  return (await tree.look(signal)).files.map(({ path }) => path.slice(root.length + 1)).sort();
}

test('finds scripts of every ending, in every folder but those of packages and of version control', async () => {
  const scripts = ['a.ts', 'b.tsx', 'c.mts', 'd.cts', 'e.js', 'f.jsx', 'g.mjs', 'h.cjs', 'src/deep/er/i.ts', '.x/j.ts'];
  for (const file of scripts) write(file);
  for (const file of ['k.txt', 'l.ts.map', 'node_modules/m/n.js', 'src/node_modules/o.js', '.git/p.js']) write(file);
  expect(await scriptsOf(new ScriptTree(root))).toEqual(scripts.toSorted());
});

test('follows no link, neither out of the project nor round in a circle', async () => {
  write('src/a.ts');
  mkdirSync(join(base, 'other'));
  writeFileSync(join(base, 'other', 'b.ts'), '');
  symlinkSync(join(base, 'other'), join(root, 'linked'), 'dir');
  symlinkSync(root, join(root, 'src', 'round'), 'dir');
  expect(await scriptsOf(new ScriptTree(root))).toEqual(['src/a.ts']);
});

test('sees at once what was written, made, moved and removed since the last look', async () => {
  const file = fc.constantFrom('a.ts', 'b.ts', 'src/a.ts', 'src/b.ts', 'src/x/a.ts', 'y/z/a.ts');
  const change = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), file }),
    fc.record({ kind: fc.constant('remove' as const), file }),
    fc.record({ kind: fc.constant('move' as const), file, to: file }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      rmSync(root, { recursive: true });
      mkdirSync(root);
      const tree = new ScriptTree(root);
      const there = new Set<string>();
      for (const step of changes) {
        if (step.kind === 'write') {
          write(step.file);
          there.add(step.file);
        } else if (step.kind === 'remove') {
          rmSync(join(root, step.file), { force: true });
          there.delete(step.file);
        } else if (there.has(step.file)) {
          mkdirSync(join(root, step.to, '..'), { recursive: true });
          renameSync(join(root, step.file), join(root, step.to));
          there.delete(step.file);
          there.add(step.to);
        }
        expect(await scriptsOf(tree)).toEqual([...there].sort());
      }
    }),
    { numRuns: 50 },
  );
});

test('tells when a file changed, also one whose time its writer has set back', async () => {
  write('a.ts', 'one');
  write('b.ts');
  const tree = new ScriptTree(root);
  await tree.look(signal);
  const before = Date.now() - 100;
  write('a.ts', 'two');
  utimesSync(join(root, 'a.ts'), 1, 1);
  const { files } = await tree.look(signal);
  expect(files.find(({ path }) => path.endsWith('a.ts'))?.changedAt).toBeGreaterThan(before);
});

test('tells of the folders in which scripts come and go, also when the last one has gone', async () => {
  write('src/only.ts');
  write('docs/a.txt');
  const tree = new ScriptTree(root);
  expect((await tree.look(signal)).folders.map(({ path }) => path)).toEqual([root, join(root, 'src')]);
  rmSync(join(root, 'src', 'only.ts'));
  const began = Date.now() - 100;
  const { files, folders } = await tree.look(signal);
  expect(files).toEqual([]);
  const [, src] = folders;
  expect(src).toMatchObject({ path: join(root, 'src') });
  expect(src?.changedAt).toBeGreaterThan(began);
});

test('ends when its call does', async () => {
  for (let file = 0; file < 600; file += 1) write(`many/${file}.ts`);
  await expect(new ScriptTree(root).look(AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
});
