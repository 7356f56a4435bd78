// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { FixtureProject } from '../../test/helpers/fixture-project.ts';
import { trust } from '../cli/trust.ts';
import { HomeLock } from '../registry/home-lock.ts';
import type { DatabaseBook } from './database-book.ts';
import type { Entry } from './entry.ts';
import { isLoopback, Trust } from './trust.ts';

const signal = AbortSignal.timeout(60_000);
let project: FixtureProject;

afterEach(() => project?.remove());

async function all(book: DatabaseBook): Promise<readonly Entry[]> {
  return (await book.state(signal)).entries;
}

async function only(book: DatabaseBook): Promise<Entry> {
  const [entry, ...others] = await all(book);
  if (!entry || others.length > 0) throw new Error('not exactly one');
  return entry;
}

describe('isLoopback', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    '127.0.0.1',
    '127.8.9.10',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '/var/run/postgresql',
    '.',
    '(local)',
    'localhost\\SQLEXPRESS',
    '.\\SQL$2022',
    '127.0.0.1\\SHOP',
  ])('accepts %s as this machine', (host) => expect(isLoopback(host)).toBe(true));

  it.each([
    '',
    '0.0.0.0',
    '127.0.0.1.evil.com',
    'localhost.evil.com',
    '128.0.0.1',
    'db\\SHOP',
    'localhost\\evil.com',
    'localhost\\',
    'db\\localhost',
    '..',
    '10.0.0.1',
    '127.0.0.999',
    '127.1',
    '${HOST}',
    'db',
    '::2',
    'host.docker.internal',
    '2130706433',
    '//host/pipe',
  ])('treats %j as another machine', (host) => expect(isLoopback(host)).toBe(false));

  it('does not accept a name that merely contains one of this machine', () => {
    fc.assert(fc.property(fc.domain(), (domain) => expect(isLoopback(`127.0.0.1.${domain}`)).toBe(false)));
  });
});

describe('what needs approval', () => {
  it.each([
    ['[{"type":"postgres","database":"d","host":"db.example.com"}]', 'the host db.example.com is not this machine'],
    ['[{"type":"postgres","database":"d","host":"${H}"}]', 'the host ${H} is not this machine'],
    [
      '[{"type":"postgres","database":"d","options":{"host":"db.example.com"}}]',
      'the host db.example.com is not this machine',
    ],
    [
      '[{"type":"mysql","database":"d","passwordCommand":"x"}]',
      'a command of the project is run to get its password: x',
    ],
    ['[{"type":"sqlite","path":"../outside/x.db"}]', 'the file is outside the project'],
    ['[{"type":"sqlite","path":"link/x.db"}]', 'the file is outside the project'],
    ['[{"type":"sqlite","path":"x.db"}]', undefined],
    ['[{"type":"mysql","database":"d"}]', undefined],
  ])('judges %s', async (text, reason) => {
    project = new FixtureProject();
    symlinkSync(project.outside, join(project.root, 'link'));
    project.write('.devdbrc', text);
    expect((await only(project.book())).needsTrust).toBe(reason);
  });

  it('names the environment of a file that is not for development', async () => {
    project = new FixtureProject('env-production');
    const entry = (await all(project.book())).find(({ id }) => id === 'env.staging:DATABASE_URL');
    expect(entry?.needsTrust).toBe('.env.staging belongs to the environment "staging", not to development');
  });

  it('is listed, never the default, and refused with a next step', async () => {
    project = new FixtureProject();
    symlinkSync(project.database(join(project.outside, 'secret.db')), join(project.root, 'app.db'));
    const book = project.book();
    expect(await only(book)).toMatchObject({ id: 'app.db', isDefault: false, trusted: false });
    for (const id of [undefined, 'app.db']) {
      await expect(book.find(id, signal)).rejects.toMatchObject({
        code: 'E_NO_CONNECTION',
        message: expect.stringContaining('the file is outside the project'),
        hint: expect.stringContaining('devdb trust'),
      });
    }
    project.database('later.db');
    expect((await book.find(undefined, signal)).id).toBe('later.db');
  });
});

describe('an approval', () => {
  const REMOTE =
    '[{"name":"r","type":"postgres","host":"db.example.com","username":"u","password":"hunter2","database":"d"}]';

  it('is stored outside the repository, for this user only, without the password, and effective for other processes at once', async () => {
    project = new FixtureProject();
    project.write('.devdbrc', REMOTE);
    const running = project.book();
    expect((await only(running)).trusted).toBe(false);
    const files = readdirSync(project.root);
    const book = project.book();
    await book.approve(await all(book), 'kept', signal);
    expect(await only(running)).toMatchObject({ trusted: true, isDefault: true });
    expect(readdirSync(project.root)).toEqual(files);
    expect(statSync(project.home.trust).mode & 0o777).toBe(0o600);
    const text = readFileSync(project.home.trust, 'utf8');
    expect(text).toContain('db.example.com');
    expect(text).not.toContain('hunter2');
    await book.revoke(await all(book), signal);
    expect((await only(running)).trusted).toBe(false);
  });

  it.each([
    ['the host', REMOTE.replace('db.example', 'other.example'), false],
    ['the user', REMOTE.replace('"u"', '"root"'), false],
    ['the database', REMOTE.replace('"d"', '"e"'), false],
    ['an option', REMOTE.replace('"name"', '"options":{"ssl":false},"name"'), false],
    ['the password command', REMOTE.replace('"password":"hunter2"', '"passwordCommand":"x"'), false],
    ['the password', REMOTE.replace('hunter2', 'hunter3'), true],
    ['the layout of the file', `// moved\n\n${REMOTE}`, true],
    ['the name', REMOTE.replace('"r"', '"s"'), true],
  ])('is required again when %s changes', async (_what, text, holds) => {
    project = new FixtureProject();
    project.write('.devdbrc', REMOTE);
    const book = project.book();
    await book.approve(await all(book), 'kept', signal);
    project.write('.devdbrc', text);
    expect((await only(book)).trusted).toBe(holds);
  });

  it('does not apply to the same text in another project', async () => {
    const first = new FixtureProject();
    project = new FixtureProject();
    try {
      first.write('.devdbrc', REMOTE);
      project.write('.devdbrc', REMOTE);
      const book = first.book();
      await book.approve(await all(book), 'kept', signal);
      expect((await only(book)).trusted).toBe(true);
      const { home, bundleDir, root: projectRoot } = project;
      const lock = new HomeLock({ home, bundleDir });
      const sameHome = { home: first.home, lock, projectRoot, now: () => new Date(), onBroken: () => undefined };
      expect((await only(project.book({ trust: new Trust(sameHome) }))).trusted).toBe(false);
    } finally {
      first.remove();
    }
  });

  it('for one run is not stored', async () => {
    project = new FixtureProject();
    project.write('.devdbrc', REMOTE);
    const book = project.book();
    await book.approve(await all(book), 'for-run', signal);
    expect((await only(book)).trusted).toBe(true);
    expect(existsSync(project.home.trust)).toBe(false);
    expect((await only(project.book())).trusted).toBe(false);
  });

  it('is not lost when several are given at once', async () => {
    project = new FixtureProject();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    project.write(
      '.devdbrc',
      JSON.stringify(names.map((name) => ({ name, type: 'sqlite', path: `../outside/${name}.db` }))),
    );
    const entries = await all(project.book());
    await Promise.all(entries.map((entry) => project.book().approve([entry], 'kept', signal)));
    expect((await all(project.book())).map(({ trusted }) => trusted)).toEqual(names.map(() => true));
  });

  it('does not count in a file that does not parse, which is moved aside and reported', async () => {
    project = new FixtureProject();
    project.write('.devdbrc', REMOTE);
    const told: string[] = [];
    const book = project.book({ trust: project.trust((file) => told.push(file)) });
    await book.approve(await all(book), 'kept', signal);
    writeFileSync(project.home.trust, '{"version":1,');
    expect((await only(book)).trusted).toBe(false);
    await book.approve(await all(book), 'kept', signal);
    expect((await only(book)).trusted).toBe(true);
    expect(told).toEqual([project.home.trust, project.home.trust]);
    expect(readdirSync(project.home.dir).some((name) => name.startsWith('trust.json.broken-'))).toBe(true);
  });
});

describe('what an approval also covers', () => {
  it('is required for a certificate or key outside the project, also through a link', async () => {
    project = new FixtureProject();
    const outside = join(project.outside, 'ca.pem');
    writeFileSync(outside, 'x');
    symlinkSync(outside, join(project.root, 'link.pem'));
    project.write('inside.pem', 'x');
    const reasonOf = async (options: unknown): Promise<string | undefined> => {
      project.write('.devdbrc', JSON.stringify([{ type: 'postgres', database: 'd', options }]));
      return (await only(project.book({ supported: ['postgres'] }))).needsTrust;
    };
    for (const named of [outside, '../outside/ca.pem', 'link.pem', '/dev/zero', '//host/share/ca.pem', '\\\\host\\x']) {
      for (const options of [
        { sslrootcert: named },
        { 'SSL-CA': named },
        { ssl: { key: named } },
        { ssl: { ca: [named] } },
      ]) {
        expect(await reasonOf(options)).toContain('names a file outside the project');
      }
    }
    expect(await reasonOf({ sslrootcert: 'inside.pem' })).toBeUndefined();
    expect(await reasonOf({ sslrootcert: '-----BEGIN CERTIFICATE-----' })).toBeUndefined();
  });

  it('is stored by name for a server that needs none, and passed on to the engine', async () => {
    project = new FixtureProject();
    project.write('.env', 'DATABASE_URL=postgres://u:p@127.0.0.1/d');
    const book = project.book({ supported: ['postgres'] });
    const approvedNow = async () => {
      const { target } = await book.find(undefined, signal);
      return 'file' in target ? undefined : target.approved;
    };
    expect(await approvedNow()).toBe(false);
    const run = (connection: string | undefined, revoke = false) =>
      trust({ book, connection, revoke, signal, print: () => undefined });
    await run(undefined);
    expect(await approvedNow()).toBe(false);
    await run('env:DATABASE_URL');
    expect(await approvedNow()).toBe(true);
    project.write('.env', 'DATABASE_URL=postgres://u:p@127.0.0.1:5433/d');
    expect(await approvedNow()).toBe(false);
    project.write('.env', 'DATABASE_URL=postgres://u:p@127.0.0.1/d');
    await run(undefined, true);
    expect(await approvedNow()).toBe(false);
  });
});
