// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { listConnections } from '@devdb/shared/tools/database/list-connections';
import { errorOf } from '../../test/helpers/error-of.ts';
import { FixtureProject } from '../../test/helpers/fixture-project.ts';
import type { DatabaseBook } from './database-book.ts';

const signal = AbortSignal.timeout(60_000);
let project: FixtureProject;

afterEach(() => project.remove());

async function ids(book: DatabaseBook): Promise<string[]> {
  return (await book.list(signal)).connections.map(({ id, isDefault }) => (isDefault ? `*${id}` : id));
}

/** Sets file times far enough in the past that only real changes count. */
function settle(...files: string[]): void {
  const past = new Date(Date.now() - 60_000);
  for (const file of files) utimesSync(join(project.root, file), past, past);
}

describe('what is listed', () => {
  it('ranks .devdbrc, then .env, then files, then tests, then other environments', async () => {
    project = new FixtureProject('env-production');
    project.write('.devdbrc', '[{"type":"sqlite","path":"z.db"},{"type":"sqlite","path":"a.db"}]');
    project.write('.env.test', 'DATABASE_URL=sqlite:test.db');
    project.database('data/app.db');
    const list = await project.book().list(signal);
    expect(list.connections.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      ['devdbrc:z.db', true],
      ['devdbrc:a.db', false],
      ['env:DATABASE_URL', false],
      ['data/app.db', false],
      ['env.test:DATABASE_URL', false],
      ['env.production:DATABASE_URL', false],
      ['env.staging:DATABASE_URL', false],
    ]);
    expect(listConnections.output.parse(list)).toEqual(list);
  });

  it('says file, line, kind, target and guard, and never a password', async () => {
    project = new FixtureProject('devdbrc-json');
    const book = project.book({ supported: ['sqlite', 'postgres', 'mysql2'] });
    const { connections } = await book.list(signal);
    expect(connections[0]).toMatchObject({
      type: 'sqlite',
      target: 'data/shop.db',
      source: { file: '.devdbrc', line: 3, by: 'devdbrc' },
      trusted: true,
      guard: 'enforced',
    });
    expect(connections[1]).toMatchObject({ type: 'postgres', target: '127.0.0.1:54329/reports', guard: 'guarded' });
    expect(JSON.stringify([connections, await book.state(signal)])).not.toMatch(/not\/\/a comment|SHOP_PASSWORD\}/);
  });

  it('lists a file found twice once, under its best source, and accepts both ids', async () => {
    project = new FixtureProject();
    project.database('data/app.db');
    symlinkSync('data/app.db', join(project.root, 'app.db'));
    project.write('.devdbrc', '[{"name":"main","type":"sqlite","path":"./data/../data/app.db"}]');
    const book = project.book();
    const { connections, skipped } = await book.list(signal);
    expect(connections.map(({ id }) => id)).toEqual(['devdbrc:main']);
    expect(skipped.map(({ file, reason }) => `${file}: ${reason}`).toSorted()).toEqual([
      'app.db: the same database as devdbrc:main',
      'data/app.db: the same database as devdbrc:main',
    ]);
    for (const id of ['devdbrc:main', 'main', 'data/app.db', 'app.db']) {
      expect((await book.find(id, signal)).target).toEqual({ file: join(project.root, 'data/app.db') });
    }
  });

  it('asks for approval of a file that only a production file names, even in a usual place', async () => {
    project = new FixtureProject();
    project.database('data/live.db');
    project.write('.env.production', 'DATABASE_URL=sqlite:data/live.db');
    const book = project.book();
    const { connections, skipped } = await book.list(signal);
    expect(connections).toMatchObject([{ id: 'env.production:DATABASE_URL', isDefault: false, trusted: false }]);
    expect(skipped).toContainEqual({ file: 'data/live.db', reason: expect.stringContaining('the same database') });
    for (const id of [undefined, 'env.production:DATABASE_URL', 'data/live.db']) {
      expect((await errorOf(book.find(id, signal))).code).toBe('E_NO_CONNECTION');
    }
    project.write('.env', 'DATABASE_URL=sqlite:data/live.db');
    expect(await ids(book)).toEqual(['*env:DATABASE_URL']);
  });

  it('gives every entry its own id, the same on every run', async () => {
    project = new FixtureProject();
    project.write(
      '.devdbrc',
      '[1,2,3]'.replace(/\d/g, (n) => `{"name":"main","type":"sqlite","path":"${n}.db"}`),
    );
    expect(await ids(project.book())).toEqual(['*devdbrc:main', 'devdbrc:main-2', 'devdbrc:main-3']);
    expect(await ids(project.book())).toEqual(await ids(project.book()));
  });
});

it('makes ids that mean nothing special to a shell and are fully visible', async () => {
  project = new FixtureProject();
  project.write('a"; $(reboot) `x`\u202e.db', '');
  project.write('.devdbrc', JSON.stringify([{ name: 'my db\u001b[2J', type: 'sqlite', path: 'x.db' }]));
  expect(await ids(project.book())).toEqual(['*devdbrc:my-db[U+001B][2J', 'a__ _(reboot) _x_[U+202E].db']);
});

describe('what is opened', () => {
  it('says what was seen when there is nothing', async () => {
    project = new FixtureProject('nothing');
    project.write('data/x.db', 'no database');
    const error = await errorOf(project.book().find(undefined, signal));
    expect(error.code).toBe('E_NO_CONNECTION');
    expect(error.message).toMatch(
      /No database was found for this project\. What was seen: data\/x\.db is not a SQLite/,
    );
    expect(error.hint).toMatch(/\.devdbrc.*devdb doctor/);
  });

  it('lists the existing ids when one is unknown', async () => {
    project = new FixtureProject();
    project.database('app.db');
    const error = await errorOf(project.book().find('nope', signal));
    expect([error.code, error.message]).toEqual(['E_NO_CONNECTION', 'No connection "nope" in this project.']);
    expect(error.hint).toContain('app.db');
  });

  it('does not fall back to another database when the default needs a missing engine', async () => {
    project = new FixtureProject();
    project.write('.env', 'DATABASE_URL=postgres://u:hunter2@localhost/shop');
    project.database('app.db');
    const error = await errorOf(project.book().find(undefined, signal));
    expect(error.message).toContain('engine not in this build');
    expect(error.hint).toContain('app.db');
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it('says which variables an entry refers to', async () => {
    project = new FixtureProject();
    project.write('.devdbrc', '[{"type":"sqlite","path":"${DB_FILE}"}]');
    expect((await errorOf(project.book().find(undefined, signal))).message).toContain('DB_FILE');
  });

  it('reports a missing project folder', async () => {
    project = new FixtureProject();
    const book = project.book();
    rmSync(project.root, { recursive: true });
    expect((await errorOf(book.find(undefined, signal))).code).toBe('E_NO_CONNECTION');
  });

  it('ends a cancelled wait', async () => {
    project = new FixtureProject();
    const controller = new AbortController();
    const waiting = project.book().find(undefined, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('changes without a restart', () => {
  it('notices databases and settings that appear, change and disappear', async () => {
    project = new FixtureProject();
    const book = project.book();
    expect(await ids(book)).toEqual([]);
    project.database('db/app.db');
    expect(await ids(book)).toEqual(['*db/app.db']);
    project.write('.env', 'DATABASE_URL=sqlite:one.db');
    expect(await ids(book)).toEqual(['*env:DATABASE_URL', 'db/app.db']);
    project.write('.env', 'DATABASE_URL=sqlite:two.db');
    expect((await book.find(undefined, signal)).name).toBe('two.db');
    unlinkSync(join(project.root, '.env'));
    project.write('.devdbrc', 'broken');
    expect((await book.list(signal)).skipped).toContainEqual(expect.objectContaining({ file: '.devdbrc', line: 1 }));
    renameSync(join(project.root, 'db'), join(project.root, 'elsewhere'));
    expect(await ids(book)).toEqual([]);
  });

  it('notices a file that becomes a database, and a new folder of packages', async () => {
    project = new FixtureProject();
    project.write('app.db', 'not yet');
    const book = project.book();
    expect(await ids(book)).toEqual([]);
    unlinkSync(join(project.root, 'app.db'));
    project.database('app.db');
    expect(await ids(book)).toEqual(['*app.db']);
    mkdirSync(join(project.root, 'packages'));
    expect(await ids(book)).toEqual(['*app.db']);
    project.database('packages/api/prisma/dev.db');
    expect(await ids(book)).toEqual(['*app.db', 'packages/api/prisma/dev.db']);
  });

  it('notices a file swapped for a link out of the project', async () => {
    project = new FixtureProject();
    const file = project.database('app.db');
    const book = project.book();
    expect((await book.find(undefined, signal)).trusted).toBe(true);
    unlinkSync(file);
    symlinkSync(project.database(join(project.outside, 'secret.db')), file);
    expect((await errorOf(book.find(undefined, signal))).message).toContain('outside the project');
  });

  it('gives simultaneous callers the state each of them wrote before', async () => {
    project = new FixtureProject();
    const book = project.book();
    const asked = Array.from({ length: 20 }, async (_, i) => {
      project.database(`db/n${i}.db`);
      expect(await ids(book)).toEqual(expect.arrayContaining([expect.stringContaining(`n${i}.db`)]));
    });
    await Promise.all(asked);
  });

  it('accesses the disk only a few times when nothing changed', async () => {
    project = new FixtureProject('database-url');
    project.database('db/local.sqlite3');
    settle('.env', '.env.local', '.env.example');
    // Change times of folders cannot be set; they become old enough by waiting.
    await after(150);
    const book = project.book();
    await book.find('env:DATABASE_URL', signal);
    const calls = 2_000;
    const began = performance.now();
    for (let i = 0; i < calls; i += 1) await book.find('env:DATABASE_URL', signal);
    const each = (performance.now() - began) / calls;
    process.stdout.write(`find, nothing changed: ${(each * 1000).toFixed(0)} us\n`);
    expect(each).toBeLessThan(1);
  });
});
