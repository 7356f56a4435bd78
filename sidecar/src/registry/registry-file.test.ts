import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driverDir } from '../../test/helpers/driver-dir.ts';
import { homeAt } from '../host/home.ts';
import { ensureToken } from './ensure-token.ts';
import { HomeLock } from './home-lock.ts';
import { RegistryFile } from './registry-file.ts';

const DAY_MS = 24 * 60 * 60_000;

let dir = '';
let bundleDir = '';
let now = new Date('2026-03-01T00:00:00Z');
let broken: string[] = [];
const { signal } = new AbortController();
const home = () => homeAt(join(dir, 'home'));
const lock = () => new HomeLock({ home: home(), bundleDir });
const onBroken = ({ file }: { file: string }) => broken.push(file);
const registry = () => new RegistryFile({ home: home(), lock: lock(), onBroken, now: () => now });
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

beforeAll(() => {
  bundleDir = driverDir(mkdtempSync(join(tmpdir(), 'devdb-driver-')));
});

afterAll(() => rmSync(bundleDir, { recursive: true, force: true }));

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-registry-')));
  now = new Date('2026-03-01T00:00:00Z');
  broken = [];
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('the file is an object of roots and ports with two spaces and nothing else', async () => {
  await registry().claim('/a b', 50_001, signal);
  await registry().claim('/ä', 50_002, signal);
  expect(readFileSync(home().registry, 'utf8')).toBe('{\n  "/a b": 50001,\n  "/ä": 50002\n}');
});

test('claiming removes the entries of other projects with the same port', async () => {
  await registry().claim('/a', 50_001, signal);
  await registry().claim('/b', 50_002, signal);
  await registry().claim('/c', 50_001, signal);
  expect(json(home().registry)).toEqual({ '/b': 50_002, '/c': 50_001 });
});

test('a conditional claim is written only if the entry is unchanged', async () => {
  const file = registry();
  expect(await file.claim('/a', 50_001, signal, (current) => current === undefined)).toBe(true);
  expect(await file.claim('/a', 50_002, signal, (current) => current === undefined)).toBe(false);
  expect(json(home().registry)).toEqual({ '/a': 50_001 });
  expect(json(home().ports)).toMatchObject({ '/a': { port: 50_001 } });
});

test('releasing removes the entry only if it is still ours, and the port stays remembered', async () => {
  const file = registry();
  await file.claim('/a', 50_001, signal);
  expect(await file.release('/a', 50_002, signal)).toBe(false);
  expect(json(home().registry)).toEqual({ '/a': 50_001 });
  expect(await file.release('/a', 50_001, signal)).toBe(true);
  expect(await file.release('/a', 50_001, signal)).toBe(false);
  expect(json(home().registry)).toEqual({});
  expect(json(home().ports)).toEqual({ '/a': { port: 50_001, lastUsed: '2026-03-01T00:00:00.000Z' } });
});

test('a port is forgotten when its project was not open for 30 days', async () => {
  await registry().claim('/old', 50_001, signal);
  now = new Date(now.getTime() + DAY_MS);
  await registry().claim('/recent', 50_002, signal);
  now = new Date(now.getTime() + 29.5 * DAY_MS);
  await registry().claim('/new', 50_003, signal);
  expect(Object.keys((await registry().read(signal)).remembered)).toEqual(['/recent', '/new']);
});

test('an expired port is not returned, even if the file was not written since', async () => {
  await registry().claim('/old', 50_001, signal);
  now = new Date(now.getTime() + 30.5 * DAY_MS);
  expect((await registry().read(signal)).remembered).toEqual({});
});

test('a port is forgotten when its project is gone, and kept for the one that asks', async () => {
  const [there, gone, own] = ['there', 'gone', 'own'].map((name) => join(dir, name));
  mkdirSync(there ?? '');
  for (const [at, root] of [there, gone, own].entries()) await registry().claim(root ?? '', 50_001 + at, signal);
  await registry().forgetGone(own ?? '', signal);
  expect(Object.keys((await registry().read(signal)).remembered)).toEqual([there, own]);
});

test.each([
  ['mcp.json', () => home().registry],
  ['ports.json', () => home().ports],
])('%s that does not parse is moved aside, reported and rebuilt', async (name, file) => {
  await registry().claim('/a', 50_001, signal);
  writeFileSync(file(), '{"/a": "nonsense"');
  await registry().claim('/b', 50_002, signal);
  expect(broken).toEqual([file()]);
  const kept = readdirSync(home().dir).filter((entry) => entry.startsWith(`${name}.broken-`));
  expect(kept.map((entry) => readFileSync(join(home().dir, entry), 'utf8'))).toEqual(['{"/a": "nonsense"']);
  expect(Object.keys(json(file()) ?? {})).toEqual(['/b']);
});

test('a claim that changes nothing writes nothing', async () => {
  await registry().claim('/a', 50_001, signal);
  rmSync(home().ports);
  writeFileSync(home().registry, '{"/a":50001}');
  await registry().claim('/a', 50_001, signal);
  expect(readFileSync(home().registry, 'utf8')).toBe('{"/a":50001}');
});

describe('the token', () => {
  const ensure = () => ensureToken({ home: home(), lock: lock(), onBroken }, signal);

  test('is made once', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, ensure));
    expect(new Set(tokens.map((token) => token.open())).size).toBe(1);
    expect(readFileSync(home().token, 'utf8')).toBe(`${tokens[0]?.open()}\n`);
  });

  test('that was readable to others is closed to them', async () => {
    const token = await ensure();
    writeFileSync(home().token, token.open());
    chmodSync(home().token, 0o644);
    expect((await ensure()).open()).toBe(token.open());
    expect(statSync(home().token).mode & 0o777).toBe(0o600);
  });

  test('that is damaged is moved aside, reported and made anew', async () => {
    const token = await ensure();
    writeFileSync(home().token, token.open().slice(1));
    expect((await ensure()).open()).not.toBe(token.open());
    expect(broken).toEqual([home().token]);
  });
});
