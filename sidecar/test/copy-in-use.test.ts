import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { homeAt } from '../src/host/home.ts';
import { installBundle } from '../src/host/versions.ts';
import { pruneCopies, useCopy } from '../src/registry/copy-in-use.ts';
import { startChild } from './helpers/children.ts';
import { driverDir } from './helpers/driver-dir.ts';

let dir = '';
const home = () => homeAt(join(dir, 'home'));
const { signal } = new AbortController();

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-copies-')));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function bundle(version: string) {
  const bundleDir = driverDir(join(dir, version));
  writeFileSync(join(bundleDir, 'launcher.js'), `// ${version}\n`);
  return { home: home(), bundleDir, version };
}

test('copies that no process holds are pruned, except the newest and our own', async () => {
  const old = await installBundle(bundle('1.0.0'));
  const own = await useCopy(bundle('1.1.0'), signal);
  const newest = await installBundle(bundle('1.2.0'));
  expect(await pruneCopies(home(), own.dir)).toEqual([basename(old)]);
  expect([old, own.dir, newest].map((copy) => existsSync(copy))).toEqual([false, true, true]);
  own.close();
});

test('a copy that another process runs from stays until that process has died, however it died', async () => {
  const old = await installBundle(bundle('1.0.0'));
  const newest = await installBundle(bundle('1.1.0'));
  const user = startChild('holds-file.ts', [`${old}.in-use`, newest, 'shared']);
  expect(await user.next('held')).toBe(true);
  expect(await pruneCopies(home(), newest)).toEqual([]);
  await user.kill();
  expect(await pruneCopies(home(), newest)).toEqual([basename(old)]);
  expect(readdirSync(home().versions)).toEqual([basename(newest)]);
});

test('many use one copy at the same time', async () => {
  const parts = bundle('1.1.0');
  const uses = await Promise.all(Array.from({ length: 5 }, () => useCopy(parts, signal)));
  expect(new Set(uses.map((use) => use.dir)).size).toBe(1);
  for (const use of uses) use.close();
});

test('a copy that is just being pruned is installed again', async () => {
  const parts = bundle('1.0.0');
  const copy = await installBundle(parts);
  await installBundle(bundle('1.1.0'));
  const pruner = startChild('holds-file.ts', [`${copy}.in-use`, copy, 'alone']);
  expect(await pruner.next('held')).toBe(true);
  const using = useCopy(parts, signal);
  rmSync(copy, { recursive: true });
  await pruner.kill();
  const use = await using;
  expect(use.dir).toBe(copy);
  expect(existsSync(join(copy, 'launcher.js'))).toBe(true);
  use.close();
});

test('leftovers of dead installers and pruners are removed', async () => {
  const newest = await installBundle(bundle('1.1.0'));
  for (const name of ['.gone-1-1.0.0-aaaaaaaaaaaa', '.new-old', '.new-fresh']) mkdirSync(join(home().versions, name));
  utimesSync(join(home().versions, '.new-old'), new Date(0), new Date(0));
  await pruneCopies(home(), newest);
  expect(readdirSync(home().versions).sort()).toEqual(['.new-fresh', basename(newest)]);
});
