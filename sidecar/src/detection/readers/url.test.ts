import fc from 'fast-check';
import { readDatabaseUrl } from './url.ts';

describe('readDatabaseUrl', () => {
  it.each([
    ['sqlite:db/app.sqlite3', ['db/app.sqlite3']],
    ['sqlite3:db/app.sqlite3', ['db/app.sqlite3']],
    ['sqlite://./app.db', ['./app.db']],
    ['sqlite://app.db', ['app.db']],
    ['sqlite:/srv/app.db', ['/srv/app.db']],
    ['sqlite:///srv/app.db', ['srv/app.db', '/srv/app.db']],
    ['sqlite:////srv/app.db', ['/srv/app.db']],
    ['sqlite+aiosqlite:///app.db', ['app.db', '/app.db']],
    ['file:./dev.db', ['./dev.db']],
    ['file:dev.db?connection_limit=1&mode=ro', ['dev.db']],
    ['file:///srv/dev.db', ['/srv/dev.db']],
    ['file://localhost/srv/dev.db', ['/srv/dev.db']],
    ['sqlite:///C:/data/app.db', ['C:/data/app.db']],
    ['sqlite:my%20app%2Bx.db', ['my app+x.db']],
    ['SQLITE:100%.db', ['100%.db']],
    ['shop.db', ['shop.db']],
    ['./data/shop.sqlite3', ['./data/shop.sqlite3']],
    ['/srv/shop.db', ['/srv/shop.db']],
  ])('reads %s', (url, paths) => {
    expect(readDatabaseUrl(url)).toMatchObject({ kind: 'sqlite', paths });
  });

  it.each([
    ['postgres://u:p@h:1/d', 'postgres', { host: 'h', port: 1, user: 'u', database: 'd', options: {} }],
    ['postgresql+asyncpg://h/d', 'postgres', { host: 'h', port: 5432, user: '', password: undefined }],
    [
      'postgres://u@[::1]:5433/d?sslmode=require',
      'postgres',
      { host: '::1', port: 5433, options: { sslmode: 'require' } },
    ],
    [
      'postgresql:///d?host=/var/run/postgresql&user=u',
      'postgres',
      { host: '/var/run/postgresql', user: 'u', options: {} },
    ],
    ['mysql://u@localhost/d', 'mysql2', { host: 'localhost', port: 3306 }],
    ['mariadb://u@h/d%2Fe', 'mysql2', { database: 'd/e' }],
    ['mysql://u:p@ss@h/d', 'mysql2', { host: 'h', user: 'u' }],
    ['mssql://sa:x@h/d', 'mssql', { host: 'h', port: 1433, user: 'sa' }],
    ['mssql://sa:x@h%5CSHOP/d', 'mssql', { host: 'h\\SHOP', port: 1433 }],
    ['mssql://sa:x@h\\SHOP:1500/d', 'mssql', { host: 'h\\SHOP', port: 1500 }],
    ['sqlserver://localhost\\SHOP;database=d;user=sa', 'mssql', { host: 'localhost\\SHOP', port: 1433, user: 'sa' }],
    ['postgres://u@%2Frun%2Fpg/d', 'postgres', { host: '/run/pg', port: 5432, user: 'u' }],
    ['mysql://u@localhost/d?socket=/run/my.sock', 'mysql2', { host: '/run/my.sock' }],
    [
      'mysql://u@h/d?ssl={"rejectUnauthorized":true}&charset=utf8mb4&serverVersion=8.0',
      'mysql2',
      { options: { ssl: { rejectUnauthorized: true }, charset: 'utf8mb4', serverVersion: '8.0' } },
    ],
    ['mysql://u@h/d?ssl={broken', 'mysql2', { options: { ssl: '{broken' } }],
    [
      'sqlserver://h:1434;database=d;user=sa;password={a;b}}c};encrypt=true',
      'mssql',
      { host: 'h', port: 1434, user: 'sa', database: 'd', options: { encrypt: 'true' } },
    ],
  ])('reads %s', (url, kind, target) => {
    expect(readDatabaseUrl(url)).toMatchObject({ kind, target });
  });

  it('decodes passwords with every character used in URLs', () => {
    const read = readDatabaseUrl('sqlserver://h;password={a;b}}c};user=sa');
    expect(read.kind === 'mssql' && read.target.password?.open()).toBe('a;b}c');
  });

  it.each([
    'nonsense',
    'mongodb://u:hunter2@h/d',
    'prisma+postgres://x?api_key=hunter2',
    'postgres://u:hunter2/x@h/d',
    'postgres://u:12/hunter2@h/d',
    'postgres://u:12#hunter2@h/d',
    'postgres://u:12?hunter2@h/d',
    'postgres://u:hunter2@h:99999/d',
    'postgres://u:hunter2@a,b/d',
    'postgres:hunter2',
    'sqlite::memory:',
    'sqlite://:memory:',
    'sqlite://',
    'file:x?mode=memory',
    'constructor://h',
    `sqlserver://h;${' '.repeat(5_000)}x=hunter2`,
  ])('says what is wrong with %s and keeps its secret', (url) => {
    const read = readDatabaseUrl(url);
    expect(read.kind).toBe('problem');
    expect(JSON.stringify(read)).not.toContain('hunter2');
  });

  it('returns the parts of any server URL', () => {
    const text = fc.string({ unit: 'grapheme' });
    const host = fc.constantFrom('localhost', '127.0.0.1', 'db.example.com', '::1');
    fc.assert(
      fc.property(
        text,
        text,
        host,
        fc.integer({ min: 1, max: 65_535 }),
        text,
        (user, password, name, port, database) => {
          const shown = name.includes(':') ? `[${name}]` : name;
          const [u, p, d] = [user, password, database].map(encodeURIComponent);
          const read = readDatabaseUrl(`postgres://${u}:${p}@${shown}:${port}/${d}`);
          if (read.kind !== 'postgres') throw new Error(`read as ${read.kind}`);
          expect(read.target).toMatchObject({ host: name, port, user, database });
          expect(read.target.password?.open()).toBe(password);
        },
      ),
    );
  });

  it('returns any path', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (path) => {
        fc.pre(!path.includes('\0'));
        expect(readDatabaseUrl(`sqlite:./${encodeURIComponent(path)}`)).toMatchObject({ paths: [`./${path}`] });
      }),
    );
  });

  it('gives any text a kind', () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        'postgres',
        'sqlite',
        'file',
        'sqlserver',
        ':',
        '/',
        '@',
        '?',
        '#',
        ';',
        '=',
        '[',
        ']',
        '%',
        '&',
        '\n',
      ),
    });
    fc.assert(fc.property(soup, (url) => expect(readDatabaseUrl(url).kind).toEqual(expect.any(String))));
  });
});
