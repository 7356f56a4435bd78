import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FixtureProject } from './helpers/fixture-project.ts';

const FILES = 50_000;
const signal = AbortSignal.timeout(55_000);

let project: FixtureProject;

afterEach(() => project.remove());

/** Applications, each in a folder with enough files to read, and folders that must not be searched. */
function largeTree(): void {
  const folders: string[] = [];
  for (const group of ['packages', 'apps', 'services', 'src', '.']) {
    for (let i = 0; i < 40; i += 1) folders.push(join(group, `unit-${i}`), join(group, `unit-${i}`, 'src'));
  }
  for (let i = 0; i < 100; i += 1) folders.push(join('node_modules', `module-${i}`));
  for (const folder of folders) mkdirSync(join(project.root, folder), { recursive: true });
  for (let i = 0; i < FILES; i += 1) {
    writeFileSync(join(project.root, folders[i % folders.length] ?? '', `file-${i}.ts`), '');
  }
}

it('finds a database in a tree of 50,000 files quickly, and then knows at once that nothing changed', async () => {
  project = new FixtureProject();
  largeTree();
  project.write('manage.py', "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')\n");
  project.write(
    'shop/settings.py',
    "DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'NAME': 'd'}}\n",
  );
  project.write('packages/unit-7/.env', 'DATABASE_URL=postgres://u:p@127.0.0.1/unit\n');
  await project.book().list(signal);
  const firsts: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    const began = performance.now();
    const { connections } = await project.book().list(signal);
    firsts.push(performance.now() - began);
    expect(connections.map(({ id }) => id)).toEqual(['env:packages/unit-7/DATABASE_URL', 'django:default']);
  }
  const book = project.book({ supported: ['postgres'] });
  await book.find('django:default', signal);
  const calls = 500;
  const began = performance.now();
  for (let i = 0; i < calls; i += 1) await book.find('django:default', signal);
  const each = (performance.now() - began) / calls;
  const first = Math.min(...firsts);
  process.stdout.write(`50,000 files: detected in ${first.toFixed(0)} ms, found again in ${each.toFixed(2)} ms\n`);
  expect(first).toBeLessThan(1_000);
  expect(each).toBeLessThan(5);
});
