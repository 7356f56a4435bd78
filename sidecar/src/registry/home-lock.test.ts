import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { driverDir } from '../../test/helpers/driver-dir.ts';
import { homeAt } from '../host/home.ts';
import { holdAlone, holdShared, TurnSeeker } from './file-lock.ts';
import { HomeLock } from './home-lock.ts';

let dir = '';
let bundleDir = '';
const home = () => homeAt(join(dir, 'home'));
const never = new AbortController().signal;

beforeAll(() => {
  bundleDir = driverDir(mkdtempSync(join(tmpdir(), 'devdb-driver-')));
});

afterAll(() => rmSync(bundleDir, { recursive: true, force: true }));

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-lock-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('changes of one process run one after the other, in order', async () => {
  const lock = new HomeLock({ home: home(), bundleDir });
  const order: number[] = [];
  await Promise.all([1, 2, 3].map((one) => lock.run(never, () => order.push(one))));
  expect(order).toEqual([1, 2, 3]);
});

test('a change that throws passes its error to its caller and the lock to the next', async () => {
  const lock = new HomeLock({ home: home(), bundleDir });
  const failing = lock.run(never, () => {
    throw new AppError('E_SQL', 'no');
  });
  const next = lock.run(never, () => 'yes');
  await expect(failing).rejects.toMatchObject({ code: 'E_SQL' });
  expect(await next).toBe('yes');
});

test('two locks of one home exclude each other, even within one process', async () => {
  const [one, other] = [new HomeLock({ home: home(), bundleDir }), new HomeLock({ home: home(), bundleDir })];
  let inside = 0;
  const change = () => {
    inside += 1;
    expect(inside).toBe(1);
    inside -= 1;
  };
  await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 ? one : other).run(never, change)));
  expect(inside).toBe(0);
});

test('a lock that stays held is an error that names the file', async () => {
  const lock = new HomeLock({ home: home(), bundleDir, timeoutMs: 50, crowd: () => 1 });
  await lock.run(never, () => undefined);
  const held = holdAlone(home().lock, bundleDir);
  const failing = lock.run(never, () => undefined);
  await expect(failing).rejects.toMatchObject({ code: 'E_INTERNAL', message: expect.stringContaining(home().lock) });
  held?.close();
  await lock.run(never, () => undefined);
});

test('on a crowded machine a holder gets as much longer as it takes there', async () => {
  const other = new HomeLock({ home: home(), bundleDir });
  await other.run(never, () => undefined);
  const held = holdAlone(home().lock, bundleDir);
  let looks = 0;
  const crowd = () => {
    looks += 1;
    // By then the limit alone has passed many times.
    if (performance.now() - began > 500) held?.close();
    return 1_000;
  };
  const lock = new HomeLock({ home: home(), bundleDir, timeoutMs: 50, crowd });
  const began = performance.now();
  expect(await lock.run(never, () => 'its turn')).toBe('its turn');
  expect(performance.now() - began).toBeGreaterThan(500);
  expect(looks).toBeGreaterThan(1);
});

test('a lock that others take one after the other is waited for, however long it takes', async () => {
  const lock = new HomeLock({ home: home(), bundleDir, timeoutMs: 2_000 });
  await lock.run(never, () => undefined);
  const others = new TurnSeeker(home().lock, bundleDir);
  expect(others.take()).toBe(true);
  const waiting = lock.run(never, () => 'our turn');
  // Together longer than the lock's own time, and each far shorter, also where this process stalls for a while.
  for (let turn = 0; turn < 12; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    // The next holder follows at once: the waiting one gets no chance in between.
    others.close();
    expect(others.take()).toBe(true);
  }
  others.close();
  expect(await waiting).toBe('our turn');
});

test('waiting ends with the signal, and with its reason', async () => {
  const lock = new HomeLock({ home: home(), bundleDir });
  await lock.run(never, () => undefined);
  const held = holdAlone(home().lock, bundleDir);
  const stop = new AbortController();
  const waiting = lock.run(stop.signal, () => undefined);
  const reason = new AppError('E_CANCELLED', 'stopped');
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  held?.close();
});

test('a deleted home is made again', async () => {
  const lock = new HomeLock({ home: home(), bundleDir });
  await lock.run(never, () => undefined);
  rmSync(home().dir, { recursive: true });
  await lock.run(never, () => undefined);
  expect(statSync(home().dir).mode & 0o777).toBe(0o700);
  expect(statSync(home().lock).mode & 0o777).toBe(0o600);
});

test('a lock file that is something else is an error that says what to do', async () => {
  const lock = new HomeLock({ home: home(), bundleDir });
  await lock.run(never, () => undefined);
  writeFileSync(home().lock, 'not a lock file'.repeat(100));
  await expect(lock.run(never, () => undefined)).rejects.toMatchObject({
    code: 'E_INTERNAL',
    message: expect.stringContaining(home().lock),
    hint: expect.stringContaining('delete the file'),
  });
});

test('one process has the turn at a time, and those who ask do not disturb it', () => {
  const file = join(dir, 'turn');
  const [first, next] = [new TurnSeeker(file, bundleDir), new TurnSeeker(file, bundleDir)];
  expect([first.take(), next.take()]).toEqual([true, false]);
  expect(holdAlone(file, bundleDir)).toBeUndefined();
  first.close();
  expect(next.take()).toBe(true);
  next.close();
});

test('a turn on a deleted file does not count: the next attempt uses the file that is there', () => {
  const file = join(dir, 'turn');
  const [first, next] = [new TurnSeeker(file, bundleDir), new TurnSeeker(file, bundleDir)];
  expect(first.take()).toBe(true);
  expect(next.take()).toBe(false);
  rmSync(file);
  first.close();
  expect(next.take()).toBe(false);
  expect(next.take()).toBe(true);
  expect(holdAlone(file, bundleDir)).toBeUndefined();
  next.close();
});

test('a file is held by many together or by one alone', () => {
  const file = join(dir, 'held');
  const [one, other] = [holdShared(file, bundleDir), holdShared(file, bundleDir)];
  expect([one, other]).not.toContain(undefined);
  expect(holdAlone(file, bundleDir)).toBeUndefined();
  one?.close();
  expect(holdAlone(file, bundleDir)).toBeUndefined();
  other?.close();
  const alone = holdAlone(file, bundleDir);
  expect(alone).toBeDefined();
  expect([holdAlone(file, bundleDir), holdShared(file, bundleDir)]).toEqual([undefined, undefined]);
  alone?.close();
});
