import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driverDir } from '../../test/helpers/driver-dir.ts';
import { homeAt } from '../host/home.ts';
import { HomeLock } from './home-lock.ts';
import { readRegistry } from './read-registry.ts';
import { register } from './registration.ts';
import { RegistryFile } from './registry-file.ts';

const ROOT = '/a';
const PORT = 50_001;

let dir = '';

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-registration-')));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function partsOf(closeListener: () => Promise<unknown>) {
  const home = homeAt(join(dir, 'home'));
  const lock = new HomeLock({ home, bundleDir: driverDir(join(dir, 'driver')) });
  const registry = new RegistryFile({ home, lock, onBroken: () => undefined });
  const probe = async () => ({ state: 'gone' }) as const;
  return {
    home,
    registry,
    projectRoot: ROOT,
    port: PORT,
    kind: 'headless',
    probe,
    closeListener,
    log: () => undefined,
  } as const;
}

test('the listener is closed before the entry is removed', async () => {
  let whenClosed: unknown;
  const parts = partsOf(async () => {
    whenClosed = readRegistry(parts.home);
  });
  const registration = await register(parts);
  await registration.end();
  expect(whenClosed).toEqual({ [ROOT]: PORT });
  expect(readRegistry(parts.home)).toEqual({});
});

test('a listener that fails to close leaves no entry behind', async () => {
  const parts = partsOf(async () => {
    throw new Error('it hangs');
  });
  const registration = await register(parts);
  await expect(registration.end()).rejects.toThrow('it hangs');
  expect(readRegistry(parts.home)).toEqual({});
});

test('ending twice closes once', async () => {
  let closed = 0;
  const registration = await register(
    partsOf(async () => {
      closed += 1;
    }),
  );
  await Promise.all([registration.end(), registration.end()]);
  expect(closed).toBe(1);
});
