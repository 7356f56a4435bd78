import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFile } from './log-file.ts';

let dir = '';
const file = () => join(dir, 'logs', 'x.log');
const onFailure = (error: unknown) => {
  throw error;
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-log-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('lines are in the file in order, for its owner alone', async () => {
  const log = new LogFile({ file: file(), onFailure });
  for (let at = 0; at < 1000; at += 1) log.write(`${at}\n`);
  await log.close();
  expect(readFileSync(file(), 'utf8')).toBe(Array.from({ length: 1000 }, (_, at) => `${at}\n`).join(''));
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, 'logs')).mode & 0o777).toBe(0o700);
});

test('a full file is rotated, and the oldest is removed', async () => {
  const log = new LogFile({ file: file(), onFailure, maxBytes: 20, maxFiles: 3 });
  for (const line of ['aaaaaaaaaaaaa\n', 'bbbbbbbbbbbbb\n', 'ccccccccccccc\n', 'ddddddddddddd\n']) {
    log.write(line);
    await log.close();
  }
  expect(readdirSync(join(dir, 'logs')).sort()).toEqual(['x.log', 'x.log.1', 'x.log.2']);
  expect(['x.log', 'x.log.1', 'x.log.2'].map((name) => readFileSync(join(dir, 'logs', name), 'utf8')[0])).toEqual([
    'd',
    'c',
    'b',
  ]);
});

test("two processes that share the file follow each other's rotation", async () => {
  const parts = { file: file(), onFailure, maxBytes: 100, maxFiles: 10 };
  const [one, other] = [new LogFile(parts), new LogFile(parts)];
  for (let at = 0; at < 20; at += 1) {
    one.write(`one ${at} ${'x'.repeat(10)}\n`);
    await one.close();
    other.write(`other ${at} ${'x'.repeat(10)}\n`);
    await other.close();
  }
  const names = readdirSync(join(dir, 'logs'));
  const lines = names.flatMap((name) =>
    readFileSync(join(dir, 'logs', name), 'utf8')
      .trim()
      .split('\n'),
  );
  expect(lines).toHaveLength(40);
  expect(Math.max(...names.map((name) => statSync(join(dir, 'logs', name)).size))).toBeLessThanOrEqual(100);
});

test('more lines than the disk accepts are dropped, counted and reported', async () => {
  const log = new LogFile({ file: file(), onFailure, maxQueueBytes: 20 });
  for (let at = 0; at < 10; at += 1) log.write('123456789\n');
  await log.close();
  const lines = readFileSync(file(), 'utf8').trim().split('\n');
  expect(lines.slice(0, -1)).toEqual(['123456789', '123456789']);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ event: 'lines-dropped', lines: 8 });
});

test('a file that cannot be written is reported once, and writing continues when it can', async () => {
  const failures: unknown[] = [];
  writeFileSync(join(dir, 'logs'), 'not a folder');
  const log = new LogFile({ file: file(), onFailure: (error) => failures.push(error) });
  for (const line of ['lost\n', 'lost too\n']) {
    log.write(line);
    await log.close();
  }
  expect(failures).toHaveLength(1);
  rmSync(join(dir, 'logs'));
  mkdirSync(join(dir, 'logs'));
  log.write('kept\n');
  await log.close();
  expect(readFileSync(file(), 'utf8')).toBe('kept\n');
});
