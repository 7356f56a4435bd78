import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import type { Detection } from '../detector.ts';
import { sqliteFiles } from './sqlite-files.ts';

let project: FixtureProject;

beforeEach(() => {
  project = new FixtureProject('sqlite-files');
});
afterEach(() => project.remove());

async function detectHere(): Promise<Detection> {
  return await sqliteFiles.detect(await project.view(), AbortSignal.timeout(5_000));
}

async function ids(): Promise<string[]> {
  const { found } = await detectHere();
  return found.toSorted((a, b) => a.priority - b.priority).map(({ id }) => id);
}

it('finds databases in the usual places, by their first bytes', async () => {
  const places = [
    'app.sqlite',
    'db/development.sqlite3',
    'Prisma.DB',
    'prisma/dev.db',
    'packages/api/prisma/dev.db',
    'apps/web/x.db',
    'apps/web/data/x.sqlite',
    'services/shop/storage/shop.sqlite3',
    'backend/instance/app.db',
  ];
  for (const place of places) project.database(place);
  expect((await ids()).toSorted()).toEqual(places.toSorted());
  expect((await detectHere()).skipped).toEqual([
    {
      file: 'data/thumbs.db',
      reason: "is not a SQLite database: it lacks SQLite's header (or is encrypted)",
    },
  ]);
});

it('finds an empty file and ranks it, like test databases, after the others', async () => {
  project.write('a.db', '');
  project.database('test.sqlite3');
  project.database('db/latest.sqlite3');
  expect(await ids()).toEqual(['db/latest.sqlite3', 'test.sqlite3', 'a.db']);
});

it('looks nowhere else', async () => {
  for (const place of [
    'node_modules/x/a.db',
    'vendor/a.db',
    'deep/er/a.db',
    'packages/node_modules/a.db',
    '.git/a.db',
    'a.db.bak',
    'a.db-wal',
  ]) {
    project.write(place, '');
  }
  expect(await ids()).toEqual([]);
});

it('lists a link out of the project without opening the file, and follows no folder out', async () => {
  // Opening it would show that it is not a database, and it would be left out for that reason.
  const secret = join(project.outside, 'secret.db');
  writeFileSync(secret, 'not a database');
  symlinkSync(secret, join(project.root, 'link.db'));
  symlinkSync(project.outside, join(project.root, 'db'));
  const { found, skipped } = await detectHere();
  expect(found.map(({ id }) => id)).toEqual(['link.db']);
  expect(skipped).toContainEqual({
    file: 'db',
    reason: 'is a link that leads out of the project; it is not followed',
  });
});

it('is not blocked by a pipe, and reports an unreadable folder or file', async () => {
  execFileSync('mkfifo', [join(project.root, 'pipe.db')]);
  mkdirSync(join(project.root, 'folder.db'));
  symlinkSync('nowhere.db', join(project.root, 'gone.db'));
  const { found, skipped } = await detectHere();
  expect(found).toEqual([]);
  expect(skipped).toContainEqual({ file: 'gone.db', reason: 'is a link to a missing file' });
});

it('stops at the limits and says so', async () => {
  for (let i = 0; i < 120; i += 1) project.write(`data/n${String(i).padStart(3, '0')}.db`, '');
  const { found, skipped } = await detectHere();
  expect(found).toHaveLength(100);
  expect(skipped.some(({ reason }) => reason.startsWith('and 21 more database files'))).toBe(true);
});

it('ends when it is cancelled', async () => {
  const view = await project.view();
  await expect(sqliteFiles.detect(view, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});
