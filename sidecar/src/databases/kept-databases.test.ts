import { existsSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptDatabases, TypedConnection } from '@devdb/shared/protocol/connection-methods';
import { FixtureProject } from '../../test/helpers/fixture-project.ts';
import { HeldBytes } from '../engines/held-bytes.ts';
import { openEngine } from '../engines/index.ts';
import type { DatabaseBook } from './database-book.ts';
import { DatabaseDesk } from './database-desk.ts';
import { EditorKept } from './kept-databases.ts';

/** The SQLite engine starts a process of the bundle. */
const BUNDLE = join(__dirname, '..', '..', 'dist');
const signal = AbortSignal.timeout(60_000);
const SERVER = {
  type: 'postgres',
  name: 'far',
  host: 'db.example.org',
  port: 5432,
  username: 'ada',
  database: 'shop',
} as const satisfies TypedConnection;
const LOGIN = { type: 'postgres', host: 'db.example.org', port: 5432, username: 'ada', database: 'shop' } as const;

let project: FixtureProject;

beforeEach(() => {
  project = new FixtureProject();
});

afterEach(() => project.remove());

/** An editor with what the test says its user entered. */
function editor(first: Partial<KeptDatabases> = {}) {
  let keeps: KeptDatabases | Error = { connections: [], passwords: [], ...first };
  let asked = 0;
  let time = 0;
  const kept = new EditorKept({
    ask: async () => {
      asked += 1;
      if (keeps instanceof Error) throw keeps;
      return keeps;
    },
    now: () => time,
    log: () => undefined,
  });
  return {
    kept,
    book: project.book({ kept, supported: ['sqlite', 'postgres'] }),
    asked: () => asked,
    now: (next: KeptDatabases | Error) => {
      keeps = next;
      kept.changed();
    },
    later: (ms: number) => {
      time += ms;
    },
  };
}

async function ids(book: DatabaseBook): Promise<string[]> {
  return (await book.list(signal)).connections.map(({ id, isDefault }) => (isDefault ? `*${id}` : id));
}

async function passwordOf(book: DatabaseBook, id: string): Promise<string | undefined> {
  const { target } = await book.find(id, signal);
  return 'file' in target ? undefined : target.password?.open();
}

describe('what the editor stores', () => {
  it("joins the project's own, is trusted because a person entered it, and is requested again only after a change", async () => {
    const { book, asked, now } = editor({ connections: [SERVER] });
    project.write('.env', 'DATABASE_URL=sqlite:app.db');
    expect(await ids(book)).toEqual(['*editor:far', 'env:DATABASE_URL']);
    const { connections } = await book.list(signal);
    expect(connections[0]).toMatchObject({ trusted: true, source: { file: 'VS Code', by: 'editor' } });
    expect(connections[0]).not.toHaveProperty('needsTrust');
    await book.find(undefined, signal);
    expect(asked()).toBe(1);
    now({ connections: [], passwords: [] });
    expect(await ids(book)).toEqual(['*env:DATABASE_URL']);
    expect(asked()).toBe(2);
  });

  it('gives its password only to the very login it was entered for', async () => {
    const { book } = editor({ passwords: [{ login: LOGIN, password: 'pw' }] });
    const local = { type: 'postgres', host: 'localhost', username: 'ada', database: 'shop' };
    const entries = [
      { ...local, name: 'other-host' },
      { ...local, name: 'own', database: 'own', password: 'written' },
      { ...SERVER, name: 'far' },
    ];
    project.write('.devdbrc', JSON.stringify(entries));
    project.write('.env', 'DATABASE_URL=postgres://ada@db.example.org:5432/shop2');
    await book.approve((await book.state(signal)).entries, 'for-run', signal);
    expect(await passwordOf(book, 'far')).toBe('pw');
    expect(await passwordOf(book, 'other-host')).toBeUndefined();
    expect(await passwordOf(book, 'own')).toBe('written');
    expect(await passwordOf(book, 'env:DATABASE_URL')).toBeUndefined();
    expect(JSON.stringify([await book.state(signal), await book.find('far', signal)])).not.toContain('"pw"');
  });

  it('that is unavailable leaves the other databases, is reported, and is requested again later', async () => {
    const { book, now, later, asked } = editor();
    project.database('app.db');
    now(new Error('the key store is locked'));
    expect(await ids(book)).toEqual(['*app.db']);
    expect((await book.list(signal)).skipped).toContainEqual(expect.objectContaining({ file: 'VS Code' }));
    expect(asked()).toBe(1);
    later(60_000);
    await book.list(signal);
    expect(asked()).toBe(2);
  });
});

describe('the desk of a project', () => {
  function desk(book: DatabaseBook): DatabaseDesk {
    const context = { projectRoot: project.root, bundleDir: BUNDLE, log: () => undefined, held: new HeldBytes() };
    return new DatabaseDesk({ root: project.root, book, openEngine, context });
  }

  it('writes a remote server into .devdbrc without its password, approved because the user entered it', async () => {
    const { book } = editor({ passwords: [{ login: LOGIN, password: 'pw' }] });
    const { id, file } = await desk(book).write(SERVER, signal);
    expect(id).toBe('devdbrc:far');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([SERVER]);
    expect(await passwordOf(book, id)).toBe('pw');
    // A clone of the same file in another project needs its own approval.
    const { needsTrust, trusted } = (await book.state(signal)).entries[0] ?? {};
    expect([typeof needsTrust, trusted]).toEqual(['string', true]);
    await expect(desk(book).own(signal)).resolves.toMatchObject([{ id, from: 'devdbrc', line: 2, login: LOGIN }]);
    await desk(book).erase(id, signal);
    expect(await ids(book)).toEqual([]);
  });

  it('does not change a file that it cannot edit, or that is elsewhere', async () => {
    const { book } = editor();
    project.write('.devdbrc', '[\n  {"type":"sqlite",,}\n]');
    await expect(desk(book).write(SERVER, signal)).rejects.toMatchObject({ code: 'E_INVALID_PARAMS' });
    const outside = join(project.outside, 'theirs');
    writeFileSync(outside, '[]');
    project.remove();
    project = new FixtureProject();
    const elsewhere = join(project.outside, 'theirs');
    writeFileSync(elsewhere, '[]');
    symlinkSync(elsewhere, join(project.root, '.devdbrc'));
    await expect(desk(editor().book).write(SERVER, signal)).rejects.toMatchObject({ code: 'E_OUTSIDE_PROJECT' });
    expect(readFileSync(elsewhere, 'utf8')).toBe('[]');
    rmSync(elsewhere);
    await expect(desk(editor().book).write(SERVER, signal)).rejects.toMatchObject({ code: 'E_OUTSIDE_PROJECT' });
    expect(existsSync(elsewhere)).toBe(false);
    expect(lstatSync(join(project.root, '.devdbrc')).isSymbolicLink()).toBe(true);
  });

  it("keeps the file's mode, and erases only what is in it", async () => {
    const { book } = editor({ connections: [{ type: 'sqlite', name: 'here', path: 'app.db' }] });
    const file = project.write('.devdbrc', '[]');
    const { mode } = statSync(file);
    await desk(book).write({ type: 'sqlite', name: 'x', path: 'x.db' }, signal);
    expect(statSync(file).mode).toBe(mode);
    await expect(desk(book).erase('editor:here', signal)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it("tests a connection, passes on the engine's own message, and ends with its signal", async () => {
    const { book } = editor();
    project.database('app.db');
    project.write('no.db', 'this is no database, and long enough to be looked at by SQLite');
    const to = (path: string) => desk(book).test({ type: 'sqlite', name: 'x', path }, undefined, signal);
    await expect(to('app.db')).resolves.toMatchObject({ product: 'SQLite' });
    await expect(to('no.db')).rejects.toMatchObject({
      code: 'E_NO_CONNECTION',
      message: expect.stringMatching(/not a database/),
    });
    await expect(to('gone.db')).rejects.toMatchObject({ code: 'E_NO_CONNECTION' });
    expect(existsSync(join(project.root, 'gone.db'))).toBe(false);
    const cancelled = desk(book).test({ ...SERVER, host: '127.0.0.1', port: 1 }, 'pw', AbortSignal.abort());
    await expect(cancelled).rejects.toMatchObject({ code: 'E_CANCELLED' });
    const refused = desk(book).test({ ...SERVER, host: '127.0.0.1', port: 1 }, 'pw', signal);
    await expect(refused).rejects.toMatchObject({ code: 'E_NO_CONNECTION' });
  });
});
