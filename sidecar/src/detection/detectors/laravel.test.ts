// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { laravel } from './laravel.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(laravel, project);
}

const artisan = { artisan: '' };

it("reads every environment's chosen connection, and the application's own connections", async () => {
  expect(await reportWith({}, 'laravel')).toEqual({
    found: [
      'laravel:mysql@production mysql2 shop:secret@db.example.com:3306/shop .env.production:2 [production]',
      "laravel:mysql mysql2 sail:pass:3306 'word'@mysql:3306/shop .env:4",
      'laravel:reports postgres reports:reports@127.0.0.1:5432/reports_dev{"sslmode":"prefer"} config/database.php:25',
    ],
    skipped: ['config/database.php:37 archive: database is computed and cannot be determined without running code'],
  });
});

it.each([
  ['DB_CONNECTION=sqlite', 'laravel:sqlite sqlite database/database.sqlite .env:1'],
  [
    'DB_CONNECTION=pgsql\nDB_DATABASE=d\nDB_USERNAME=u\nDB_PASSWORD=5432:x',
    'laravel:pgsql postgres u:5432:x@127.0.0.1:5432/d .env:1',
  ],
  ['DB_CONNECTION=sqlsrv\nDB_PORT=1434\nDB_DATABASE=d', 'laravel:sqlsrv mssql :@127.0.0.1:1434/d .env:1'],
  [
    'DB_CONNECTION=mariadb\nDB_SOCKET=/tmp/my.sock\nDB_DATABASE=d',
    'laravel:mariadb mysql2 :@/tmp/my.sock:3306/d .env:1',
  ],
  ['DB_CONNECTION=mysql\nDB_URL=mysql://u:p@localhost:3307/d', 'laravel:mysql mysql2 u:p@localhost:3307/d .env:1'],
])('reads %j', async (env, found) => {
  expect(await reportWith({ ...artisan, '.env': env })).toEqual({ found: [found], skipped: [] });
});

it.each([
  ['DB_CONNECTION=mysql\nDB_HOST=localhost', '.env:1 mysql: names no database'],
  [
    'DB_CONNECTION=mysql\nDB_DATABASE=d\nDB_PASSWORD=${VAULT}',
    '.env:1 refers to VAULT, which the .env files do not set',
  ],
  ['DB_CONNECTION=mysql\nDB_DATABASE=d\nDB_PORT=many', '.env:1 mysql: the port is not a number from 1 to 65535'],
  ['DB_CONNECTION=mongodb\nDB_DATABASE=d', '.env:1 DB_CONNECTION names an engine that DevDB does not support'],
])('leaves %j out with a reason', async (env, reason) => {
  expect(await reportWith({ ...artisan, '.env': env })).toEqual({ found: [], skipped: [reason] });
});

it('leaves out connections with different hosts for reading and writing', async () => {
  const php =
    "<?php return ['connections' => ['split' => ['driver' => 'mysql', 'read' => ['host' => ['a', 'b']], 'database' => 'd']]];";
  const { skipped } = await reportWith({ ...artisan, '.env': 'DB_CONNECTION=sqlite', 'config/database.php': php });
  expect(skipped).toEqual([
    'config/database.php:1 split: has separate hosts for reading and writing; name one in .devdbrc',
  ]);
});

describe('a .env without DB_CONNECTION', () => {
  const config = (name: string): Record<string, string> => ({
    'config/database.php': `<?php return ['default' => env('DB_CONNECTION', '${name}'), 'connections' => ['mysql' => ['driver' => 'mysql'], 'sqlite' => ['driver' => 'sqlite'], 'pgsql' => ['driver' => 'pgsql']]];`,
  });
  const server = 'DB_HOST=127.0.0.1\nDB_DATABASE=shop\nDB_USERNAME=u\nDB_PASSWORD=null\n';

  it('means what config/database.php chooses', async () => {
    const { found } = await reportWith({ artisan: '', '.env': server, ...config('pgsql') });
    expect(found).toEqual(['laravel:pgsql postgres u:@127.0.0.1:5432/shop .env:1']);
    project.remove();
    const none = await reportWith({ artisan: '', '.env': 'APP_ENV=local\n', ...config('sqlite') });
    expect(none.found).toEqual([
      expect.stringMatching(/^laravel:sqlite sqlite database\/database\.sqlite config\/database\.php/),
    ]);
  });

  it('means no SQLite file where it has a user and the name of a database', async () => {
    const env = 'DB_DATABASE=shop\nDB_USERNAME=u\n';
    expect(await reportWith({ artisan: '', '.env': env, ...config('sqlite') })).toEqual({
      found: [],
      skipped: ['.env:1 describes the database of a server, but sets no DB_CONNECTION that says which'],
    });
    for (const other of [
      'DB_DATABASE=var/shop\nDB_USERNAME=u\n',
      'DB_DATABASE=shop\nDB_USERNAME=\n',
      `DB_CONNECTION=sqlite\n${env}`,
    ]) {
      project.write('.env', other);
      expect((await reportOf(laravel, project)).found).toEqual([expect.stringMatching(/^laravel:sqlite sqlite /)]);
    }
  });

  it("means a server where one is named and the configuration is the framework's own", async () => {
    expect((await reportWith({ artisan: '', '.env': server })).found).toEqual([
      'laravel:mysql mysql2 u:@127.0.0.1:3306/shop .env:1',
    ]);
  });
});

it('reads the file of an environment in place of .env', async () => {
  const { found } = await reportWith({
    artisan: '',
    '.env': 'DB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_DATABASE=shop\nDB_USERNAME=u\n',
    '.env.testing': 'DB_CONNECTION=sqlite\n',
  });
  expect(found.toSorted()).toEqual([
    expect.stringMatching(/^laravel:mysql mysql2 u:@127\.0\.0\.1:3306\/shop \.env:1/),
    expect.stringMatching(/^laravel:sqlite@testing sqlite database\/database\.sqlite \.env\.testing:1/),
  ]);
});

it('takes the SQLite file that the configuration names where no variable does', async () => {
  const sqlite =
    "'sqlite' => ['driver' => 'sqlite', 'database' => storage_path((string) env('DB_DATABASE', 'shop.sqlite'))]";
  const config = `<?php return ['default' => env('DB_CONNECTION', 'sqlite'), 'connections' => [${sqlite}]];\n`;
  const files = { ...artisan, 'config/database.php': config };
  expect((await reportWith({ ...files, '.env': 'APP_ENV=local\n' })).found).toEqual([
    'laravel:sqlite sqlite storage/shop.sqlite config/database.php:1',
  ]);
  project.remove();
  expect((await reportWith({ ...files, '.env': 'DB_CONNECTION=sqlite\n' })).found).toEqual([
    'laravel:sqlite sqlite storage/shop.sqlite .env:1',
  ]);
});

describe('a database that config/database.php makes of the variables', () => {
  const config = (database: string): Record<string, string> => ({
    ...artisan,
    'config/database.php': `<?php return ['default' => env('DB_CONNECTION', 'mysql'), 'connections' => ['sqlite' => ['driver' => 'sqlite', 'database' => ${database}], 'mysql' => ['driver' => 'mysql', 'database' => ${database}]]];`,
  });

  it.each([
    ["database_path(env('DB_DATABASE', 'x.sqlite'))", 'shop.db', 'database/shop.db'],
    ["storage_path('data/' . env('DB_DATABASE') . '.db')", 'shop', 'storage/data/shop.db'],
    ["env('DB_DATABASE', database_path('x.sqlite'))", 'var/shop.db', 'var/shop.db'],
    ["choose(env('DB_DATABASE'))", 'shop.db', 'shop.db'],
  ])('%s with %s is %s', async (database, value, file) => {
    const files = { ...config(database), '.env': `DB_CONNECTION=sqlite\nDB_DATABASE=${value}\n` };
    expect((await reportWith(files)).found).toEqual([`laravel:sqlite sqlite ${file} .env:1`]);
  });

  it("is the server's database too, and each environment's own", async () => {
    const { found } = await reportWith({
      ...config("env('DB_DATABASE', 'shop') . '_v2'"),
      '.env': 'DB_CONNECTION=mysql\nDB_DATABASE=store\n',
      '.env.testing': 'DB_CONNECTION=mysql\n',
    });
    expect(found.toSorted()).toEqual([
      expect.stringMatching(/^laravel:mysql mysql2 :@127\.0\.0\.1:3306\/store_v2 \.env:/),
      expect.stringMatching(/^laravel:mysql@testing mysql2 :@127\.0\.0\.1:3306\/shop_v2 \.env\.testing:/),
    ]);
  });
});

it.each([
  ['DB_PASSWORD=null', ''],
  ['DB_PASSWORD=(null)', ''],
  ['DB_PASSWORD="a b"', 'a b'],
  ["DB_PASSWORD='p#1'", 'p#1'],
  ['DB_PASSWORD=secret # not this', 'secret'],
  ['DB_PASSWORD=(empty)', ''],
])('takes %s as Laravel does', async (line, password) => {
  const env = `DB_CONNECTION=mysql\nDB_DATABASE=d\nDB_USERNAME=u\n${line}\n`;
  expect((await reportWith({ ...artisan, '.env': env })).found).toEqual([
    `laravel:mysql mysql2 u:${password}@127.0.0.1:3306/d .env:1`,
  ]);
});
