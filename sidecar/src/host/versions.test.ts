import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeAt } from './home.ts';
import { listCopies } from './version-order.ts';
import { installBundle } from './versions.ts';

const NOBODY = 65_534;

let dir = '';
const home = () => homeAt(join(dir, 'home'));

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-versions-')));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Root may read everything, so the test switches to another user meanwhile. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  for (const path of ['', ...readdirSync(dir, { encoding: 'utf8', recursive: true })])
    chownSync(join(dir, path), NOBODY, NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

function bundle(name: string, text = name): string {
  const folder = join(dir, name);
  mkdirSync(join(folder, 'native'), { recursive: true });
  writeFileSync(join(folder, 'launcher.js'), `// ${text}\n`);
  writeFileSync(join(folder, 'native', 'driver.node'), Buffer.alloc(1000, text));
  return folder;
}

test('copies the bundle once, whole and for its owner alone', async () => {
  const bundleDir = bundle('dist');
  const copy = await installBundle({ home: home(), bundleDir, version: '1.1.0' });
  expect(copy).toMatch(/\/versions\/1\.1\.0-[0-9a-f]{12}$/);
  expect(readdirSync(copy, { recursive: true }).sort()).toEqual(['launcher.js', 'native', 'native/driver.node']);
  expect(statSync(copy).mode & 0o777).toBe(0o700);
  expect(statSync(join(copy, 'native', 'driver.node')).mode & 0o777).toBe(0o600);
  const before = statSync(join(copy, 'launcher.js'));
  expect(await installBundle({ home: home(), bundleDir, version: '1.1.0' })).toBe(copy);
  expect(statSync(join(copy, 'launcher.js')).ino).toBe(before.ino);
});

test('a copy installs itself unchanged', async () => {
  const copy = await installBundle({ home: home(), bundleDir: bundle('dist'), version: '1.1.0' });
  expect(await installBundle({ home: home(), bundleDir: copy, version: '1.1.0' })).toBe(copy);
  symlinkSync(home().dir, join(dir, 'link'));
  expect(await installBundle({ home: homeAt(join(dir, 'link')), bundleDir: copy, version: '1.1.0' })).toBe(copy);
  expect(readdirSync(home().versions)).toHaveLength(1);
});

test('different content makes another copy, compiled code does not', async () => {
  const bundleDir = bundle('dist');
  const first = await installBundle({ home: home(), bundleDir, version: '1.1.0' });
  mkdirSync(join(bundleDir, 'cache'));
  writeFileSync(join(bundleDir, 'cache', 'x.bin'), 'compiled');
  expect(await installBundle({ home: home(), bundleDir, version: '1.1.0' })).toBe(first);
  writeFileSync(join(bundleDir, 'launcher.js'), '// changed\n');
  expect(await installBundle({ home: home(), bundleDir, version: '1.1.0' })).not.toBe(first);
});

test('many at once result in one whole copy and no leftovers', async () => {
  const bundleDir = bundle('dist');
  const parts = { home: home(), bundleDir, version: '1.1.0' };
  const copies = await Promise.all(Array.from({ length: 20 }, () => installBundle(parts)));
  expect(new Set(copies).size).toBe(1);
  expect(readdirSync(home().versions)).toEqual([copies[0]?.split('/').at(-1)]);
});

test('compiled code unreadable for this user is skipped', async () => {
  const bundleDir = bundle('dist');
  mkdirSync(join(bundleDir, 'cache'));
  chmodSync(join(bundleDir, 'cache'), 0);
  const installed = await asOrdinaryUser(() => installBundle({ home: home(), bundleDir, version: '1.1.0' }));
  expect(readdirSync(installed).sort()).toEqual(['launcher.js', 'native']);
});

test('a damaged copy is replaced', async () => {
  const bundleDir = bundle('dist');
  const parts = { home: home(), bundleDir, version: '1.1.0' };
  const copy = await installBundle(parts);
  writeFileSync(join(copy, 'native', 'driver.node'), '');
  expect(await installBundle(parts)).toBe(copy);
  expect(statSync(join(copy, 'native', 'driver.node')).size).toBe(1000);
  expect(readdirSync(home().versions)).toHaveLength(1);
});

describe('the launcher', () => {
  const install = (version: string, text: string) => installBundle({ home: home(), bundleDir: bundle(text), version });
  const launcher = () => readFileSync(home().launcher, 'utf8');

  test('is installed where there is none, and replaced by a newer one', async () => {
    await install('1.1.0', 'first');
    expect(launcher()).toBe('// DevDB launcher 1.1.0\n// first\n');
    expect(statSync(home().launcher).mode & 0o777).toBe(0o600);
    await install('1.10.0', 'second');
    expect(launcher()).toBe('// DevDB launcher 1.10.0\n// second\n');
  });

  test('is not replaced by an older one', async () => {
    await install('1.10.0', 'newer');
    await install('1.9.0', 'older');
    expect(launcher()).toBe('// DevDB launcher 1.10.0\n// newer\n');
  });

  test('is replaced when it is something else', async () => {
    mkdirSync(join(home().dir, 'bin'), { recursive: true });
    writeFileSync(home().launcher, 'half a laun');
    await install('1.1.0', 'ours');
    expect(launcher()).toBe('// DevDB launcher 1.1.0\n// ours\n');
  });
});

test('installing again makes a copy the preferred one of its version', async () => {
  const first = await installBundle({ home: home(), bundleDir: bundle('one'), version: '1.1.0' });
  const second = await installBundle({ home: home(), bundleDir: bundle('two'), version: '1.1.0' });
  for (const copy of [first, second]) utimesSync(copy, new Date(1_000_000), new Date(1_000_000));
  await installBundle({ home: home(), bundleDir: join(dir, 'one'), version: '1.1.0' });
  expect(listCopies(home().versions).map(({ dir: copy }) => copy)).toEqual([first, second]);
});

test('a bundle that cannot be read is an error, and nothing is installed', async () => {
  const parts = { home: home(), bundleDir: join(dir, 'absent'), version: '1.1.0' };
  await expect(installBundle(parts)).rejects.toMatchObject({ code: 'ENOENT' });
  expect(existsSync(home().launcher)).toBe(false);
});

test('a folder that is not a whole bundle is refused with a reason', async () => {
  const bundleDir = join(dir, 'half');
  mkdirSync(join(bundleDir, 'native'), { recursive: true });
  await expect(installBundle({ home: home(), bundleDir, version: '1.1.0' })).rejects.toMatchObject({
    code: 'E_INTERNAL',
    message: `${bundleDir} does not hold a whole DevDB bundle: launcher.js is missing.`,
  });
  expect(existsSync(home().versions)).toBe(false);
});

test('a home that was open to others is closed', async () => {
  mkdirSync(home().dir);
  chmodSync(home().dir, 0o755);
  await installBundle({ home: home(), bundleDir: bundle('dist'), version: '1.1.0' });
  expect(statSync(home().dir).mode & 0o777).toBe(0o700);
});
