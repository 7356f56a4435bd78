import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RanStatement } from '@devdb/shared/protocol/history-methods';
import { QueryHistory } from './query-history.ts';

let home: string;
let warnings: string[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'devdb-history-'));
  warnings = [];
});
afterEach(() => rmSync(home, { recursive: true }));

const opened = () =>
  new QueryHistory({
    home: { history: join(home, 'history') },
    log: (_level, event) => {
      warnings.push(event);
    },
  });
const ran = (id: string, statement = `SELECT ${id}`, more: Partial<RanStatement> = {}): RanStatement => ({
  id,
  statement,
  startedAt: '2026-01-01T00:00:00.000Z',
  ms: 1,
  ...more,
});
const files = () => readdirSync(join(home, 'history')).map((name) => join(home, 'history', name));

test('the next window has what was run, newest first, each project its own, in files that only their user reads', () => {
  const history = opened();
  for (const id of ['1', '2']) history.add('/shop', ran(id));
  history.add('/other', ran('3'));
  expect(opened().list('/shop')).toEqual([ran('2'), ran('1')]);
  expect(opened().list('/other')).toEqual([ran('3')]);
  expect(opened().list('/new')).toEqual([]);
  expect(files().map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(statSync(join(home, 'history')).mode & 0o777).toBe(0o700);
});

test('one statement is deleted, or all; without any there is no file', () => {
  const history = opened();
  for (const id of ['1', '2', '3']) history.add('/shop', ran(id));
  history.forget('/shop', '2');
  expect(history.list('/shop').map(({ id }) => id)).toEqual(['3', '1']);
  history.forget('/shop', undefined);
  history.forget('/shop', undefined);
  expect([history.list('/shop'), files()]).toEqual([[], []]);
});

test('the last 500 statements are kept, and of long ones as many as there is room for', () => {
  const history = opened();
  for (let id = 1; id <= 502; id += 1) history.add('/shop', ran(String(id)));
  expect(history.list('/shop').map(({ id }) => id)).toHaveLength(500);
  expect(history.list('/shop').at(-1)?.id).toBe('3');
  for (let id = 1; id <= 20; id += 1) history.add('/long', ran(String(id), 'x'.repeat(64 * 1024)));
  expect(history.list('/long').map(({ id }) => id)).toHaveLength(16);
  history.add('/long', ran('too long', 'x'.repeat(64 * 1024 + 1)));
  expect(history.list('/long')[0]?.id).toBe('20');
});

test('credentials are left out of statements and messages, and the statement is marked', () => {
  const history = opened();
  const message = 'near "password = \'hunter2\'": syntax error';
  history.add('/shop', ran('1', "CREATE USER u IDENTIFIED BY 'hunter2'", { error: { code: 'E_SQL', message } }));
  expect(history.list('/shop')).toMatchObject([
    { lacksSecrets: true, statement: expect.stringContaining('CREATE USER') },
  ]);
  expect(
    files()
      .map((file) => readFileSync(file, 'utf8'))
      .join(),
  ).not.toContain('hunter2');
});

test('a file that is no history is reported, and the next statement begins a new one', () => {
  const history = opened();
  history.add('/shop', ran('1'));
  for (const file of files()) writeFileSync(file, '[{"id":1}]');
  expect(history.list('/shop')).toEqual([]);
  history.add('/shop', ran('2'));
  expect(history.list('/shop')).toEqual([ran('2')]);
  expect(new Set(warnings)).toEqual(new Set(['history-not-read']));
});

test('a project in which nothing was run for 90 days is forgotten', () => {
  opened().add('/old', ran('1'));
  const longAgo = new Date(Date.now() - 91 * 24 * 60 * 60_000);
  for (const file of files()) utimesSync(file, longAgo, longAgo);
  const history = opened();
  history.add('/shop', ran('2'));
  expect([history.list('/old'), history.list('/shop')]).toEqual([[], [ran('2')]]);
});

test('a home that cannot be written to keeps no statement and fails none', () => {
  writeFileSync(join(home, 'history'), '');
  opened().add('/shop', ran('1'));
  expect(warnings).toEqual(['history-not-kept']);
});
