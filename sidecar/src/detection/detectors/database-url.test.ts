// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import type { Detection } from '../detector.ts';
import { databaseUrl } from './database-url.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function detectHere(): Promise<Detection> {
  return await databaseUrl.detect(await project.view(), AbortSignal.timeout(5_000));
}

async function fileFor(env: string, existing: readonly string[] = []): Promise<string> {
  project = new FixtureProject();
  project.write('.env', `DATABASE_URL=${env.replaceAll('ROOT', project.root).replaceAll('OUT', project.outside)}\n`);
  for (const file of existing) project.database(file.replace('OUT', project.outside));
  const target = (await detectHere()).found[0]?.target;
  if (!target || !('file' in target)) throw new Error('no file');
  return target.file.replace(`${project.root}/`, '').replace(project.outside, 'OUT');
}

it('reads quotes, references and comments, and .env.local wins', async () => {
  project = new FixtureProject('database-url');
  const { found, skipped } = await detectHere();
  expect(found.map(({ id, kind, name, source }) => [id, kind, name, source.file, source.line])).toEqual([
    ['env:ANALYTICS_DATABASE_URL', 'postgres', 'analytics', '.env', 4],
    ['env:DATABASE_URL', 'sqlite', 'local.sqlite3', '.env', 3],
  ]);
  const server = found[0]?.target;
  expect(server && 'password' in server && server.password?.open()).toBe('p@ss#w');
  expect(skipped).toEqual([{ file: '.env.example', reason: 'is an example or a copy, not settings in use' }]);
});

it('takes the user for the database that a PostgreSQL URL leaves out, as its clients do', async () => {
  project = new FixtureProject();
  project.write('.env', 'DATABASE_URL=postgres://shop:p@localhost:5433\nOLD_DATABASE_URL=mysql://shop:p@localhost\n');
  const { found } = await detectHere();
  expect(found.map(({ target }) => 'database' in target && target.database)).toEqual(['', 'shop']);
});

it('takes no server as the default whose URL names no database', async () => {
  project = new FixtureProject();
  project.write('.env', 'DATABASE_URL=mysql://shop:p@localhost:3306\nOLD_DATABASE_URL=postgres://localhost:5433/\n');
  const { found } = await detectHere();
  expect(found.map(({ id, neverDefault }) => [id, neverDefault])).toEqual([
    ['env:OLD_DATABASE_URL', 'undecided'],
    ['env:DATABASE_URL', 'undecided'],
  ]);
});

it.each([
  ['postgresql://${DB_USER}:${DB_PASS}@${DB_HOST}:5432/shop', 'DB_USER, DB_PASS, DB_HOST'],
  ['mysql://shop:${DB_PASS}@localhost:3306/${DB_NAME}?x=${DB_USER}', 'DB_NAME'],
  ['postgres://shop:x@localhost:${DB_HOST}/shop', 'DB_HOST'],
])('leaves a URL with empty variables in it to be filled in: %s', async (url, names) => {
  project = new FixtureProject();
  project.write('.env', `DB_USER=\nDB_PASS=\nDB_HOST=\nDB_NAME=\nDATABASE_URL=${url}\n`);
  const reason = `DATABASE_URL refers to ${names}, which the .env files leave empty`;
  expect(await detectHere()).toEqual({ found: [], skipped: [{ file: '.env', line: 5, reason, unread: 'settings' }] });
});

it.each([
  'postgres://shop:${EMPTY}@localhost:5432/shop${EMPTY}?schema=${EMPTY}',
  'postgres://${EMPTY:-shop}:p@localhost:5432/shop',
])('takes %s with an empty variable where it may be empty', async (url) => {
  project = new FixtureProject();
  project.write('.env', `EMPTY=\nDATABASE_URL=${url}\n`);
  const { found } = await detectHere();
  expect(found.map(({ name, target }) => [name, 'user' in target && target.user])).toEqual([['shop', 'shop']]);
});

it('uses the most specific development file and reports those it overrides', async () => {
  project = new FixtureProject();
  for (const name of ['.env', '.env.local', '.env.development', '.env.development.local']) {
    project.write(name, `DATABASE_URL=sqlite:${name.slice(1)}.db`);
  }
  const { found, skipped } = await detectHere();
  expect(found.map(({ source, name }) => [source.file, name])).toEqual([
    ['.env.development.local', 'env.development.local.db'],
  ]);
  expect(skipped.map(({ file, reason }) => `${file}: ${reason}`)).toEqual([
    '.env.local: DATABASE_URL is overridden by .env.development.local line 1',
    '.env.development: DATABASE_URL is overridden by .env.development.local line 1',
    '.env: DATABASE_URL is overridden by .env.development.local line 1',
  ]);
});

it('marks every environment that is not development or test', async () => {
  project = new FixtureProject('env-production');
  project.write('.env.test', 'DATABASE_URL=sqlite:test.db');
  project.write('.env.acme.local', 'DATABASE_URL=sqlite:acme.db');
  const { found } = await detectHere();
  expect(Object.fromEntries(found.map(({ id, environment }) => [id, environment]))).toEqual({
    'env:DATABASE_URL': undefined,
    'env.test:DATABASE_URL': undefined,
    'env.production:DATABASE_URL': 'production',
    'env.staging:DATABASE_URL': 'staging',
    'env.acme:DATABASE_URL': 'acme',
  });
});

it.each([
  ['DATABASE_URL=', 'DATABASE_URL is empty'],
  ['DATABASE_URL=${A}-${B}', 'DATABASE_URL refers to A, B, which the .env files do not set'],
  ['DATABASE_URL=mongodb://u:hunter2@h/d', 'DATABASE_URL names the scheme mongodb:, which DevDB does not support'],
  ['SHADOW_DATABASE_URL=sqlite:x.db', 'SHADOW_DATABASE_URL is a scratch database for migrations'],
  ['DATABASE_URL="sqlite:x.db', 'the quote after DATABASE_URL= is never closed'],
])('leaves %s out with a reason', async (line, reason) => {
  project = new FixtureProject();
  project.write('.env', `# settings\n${line}\n`);
  expect(await detectHere()).toMatchObject({ found: [], skipped: [{ file: '.env', line: 2, reason }] });
});

it.each([
  ['sqlite:app.db', [], 'app.db'],
  ['sqlite://./db/app.db', [], 'db/app.db'],
  ['sqlite:///ROOT/app.db', [], 'app.db'],
  ['sqlite:///db.sqlite3', [], 'db.sqlite3'],
  ['sqlite:///data/app.db', ['data/app.db'], 'data/app.db'],
  ['sqlite:///OUT/app.db', ['OUT/app.db'], 'OUT/app.db'],
  ['sqlite:////OUT/app.db', [], 'OUT/app.db'],
  ['sqlite:///tmp/devdb-not-there/app.db', [], '/tmp/devdb-not-there/app.db'],
  ['sqlite:///no-such-folder-at-all/app.db', [], 'no-such-folder-at-all/app.db'],
  ['file:./dev.db', [], 'dev.db'],
])('resolves %s beside %j to %s', async (url, existing, file) => {
  expect(
    await fileFor(
      url.replace('sqlite:////OUT', 'sqlite:///OUT').replace('///ROOT', '//ROOT').replace('///OUT', '//OUT'),
      existing,
    ),
  ).toBe(file);
});

it("resolves file: URLs from the Prisma schema's folder, and from the root where only that has the file", async () => {
  project = new FixtureProject('database-url-prisma');
  expect((await detectHere()).found[0]?.target).toEqual({ file: `${project.root}/prisma/dev.db` });
  project.database('dev.db');
  expect((await detectHere()).found[0]?.target).toEqual({ file: `${project.root}/dev.db` });
  project.database('prisma/dev.db');
  expect((await detectHere()).found[0]?.target).toEqual({ file: `${project.root}/prisma/dev.db` });
});

it.each([
  ['', 'postgres'],
  ['{:myxql, "~> 0.6"}', 'mysql2'],
  ['{:tds, ">= 0.0.0"}', 'mssql'],
])('takes the engine of an ecto: URL from the adapter %j', async (packages, kind) => {
  project = new FixtureProject();
  project.write('mix.exs', packages);
  project.write('config/.env.dev', 'DATABASE_URL=ecto://u:p@localhost/shop\n');
  const { found } = await detectHere();
  expect(found.map((one) => [one.kind, one.name])).toEqual([[kind, 'shop']]);
});

it.each([
  'postgres://<USER-HERE>:<PASSWORD>@localhost:5432/<DATABASE NAME HERE>',
  'postgres://postgres.[YOUR-ID]:[PASSWORD]@h.example.com:6543/postgres',
  'mysql://u:p@{{ host }}/shop',
])('ignores an example with placeholders: %s', async (url) => {
  project = new FixtureProject();
  project.write('.env', `DATABASE_URL="${url}"\n`);
  const { found, skipped } = await detectHere();
  expect(found).toEqual([]);
  expect(skipped.map(({ reason }) => reason)).toEqual([
    'DATABASE_URL still has placeholders that a person has to fill in',
  ]);
});

it.each([
  'username:password@localhost:5432/dbname',
  'username:pass@localhost/database_name',
  'dbuser:dbpass@localhost/db_name',
])('leaves %s to be filled in, of which nothing is a name', async (rest) => {
  project = new FixtureProject();
  project.write('.env', `DATABASE_URL=postgresql://${rest}\n`);
  expect(await reportOf(databaseUrl, project)).toEqual({
    found: [],
    skipped: ['.env:1 DATABASE_URL still has placeholders that a person has to fill in'],
  });
});

it("leaves the example of Doctrine's settings to be filled in, and no database that only shares a name with it", async () => {
  project = new FixtureProject();
  project.write('.env', 'DATABASE_URL=mysql://db_user:db_password@127.0.0.1:3306/db_name?serverVersion=8.0\n');
  expect(await reportOf(databaseUrl, project)).toEqual({
    found: [],
    skipped: ['.env:1 DATABASE_URL still has placeholders that a person has to fill in'],
  });
  for (const account of ['db_user:s3cret', 'user_name:password', 'user:password']) {
    project.write('.env', `DATABASE_URL=mysql://${account}@127.0.0.1:3306/db_name\n`);
    expect((await detectHere()).found).toHaveLength(1);
  }
});

it('is unread, so that no file lying about takes its place, where DATABASE_URL is not filled in', async () => {
  project = new FixtureProject();
  project.write('.env', 'DATABASE_URL=postgres://{user}@localhost/{name}\nOTHER_DATABASE_URL=mysql://<user>@h/d\n');
  expect((await detectHere()).skipped.map(({ unread }) => unread)).toEqual([undefined, 'settings']);
});

describe("beside Doctrine's settings", () => {
  const reportWith = async (doctrine: string, services = ''): Promise<readonly string[]> => {
    project = new FixtureProject();
    project.write('symfony.lock', '{}');
    project.write('.env', 'DATABASE_URL=mysql://u:p@127.0.0.1:3306/other\n');
    project.write('config/packages/doctrine.yaml', doctrine);
    project.write('config/services.yaml', services);
    const { found, skipped } = await reportOf(databaseUrl, project);
    return [...found.map((one) => one.replace(/ .*/, '')), ...skipped];
  };
  const own =
    "parameters:\n  env(DATABASE_URL): ''\ndoctrine: {dbal: {connections: {main: {dbname: '%env(SHOP)%'}}}}\n";

  it('is no database where they name another one', async () => {
    expect(await reportWith(own)).toEqual([
      '.env:1 DATABASE_URL is not used by config/packages/doctrine.yaml, which names another database',
    ]);
  });

  it.each([
    ["doctrine: {dbal: {url: '%env(resolve:DATABASE_URL)%'}}", ''],
    ["doctrine: {dbal: {url: '%main%'}}", "parameters: {main: '%env(DATABASE_URL)%'}"],
    ['doctrine: {dbal: {charset: utf8}}', ''],
    ['doctrine: [', ''],
  ])('is the database where %j with %j leaves it so', async (doctrine, services) => {
    expect(await reportWith(doctrine, services)).toEqual(['env:DATABASE_URL']);
  });
});

it("leaves a Rails application's URL without a database to config/database.yml", async () => {
  project = new FixtureProject();
  project.write('Gemfile', '');
  project.write('.env', 'DATABASE_URL=postgres://u@localhost\n');
  const { found, skipped } = await detectHere();
  expect(found).toEqual([]);
  expect(skipped[0]?.reason).toBe('DATABASE_URL names no database; Rails takes it from config/database.yml');
});

it("takes from .env.defaults what no other file sets, relative to Redwood's schema", async () => {
  project = new FixtureProject();
  project.write('.env.defaults', 'DATABASE_URL=file:./dev.db\n');
  project.write('api/db/schema.prisma', 'datasource db {\n  provider = "sqlite"\n  url = env("DATABASE_URL")\n}\n');
  expect((await reportOf(databaseUrl, project)).found).toEqual([
    'env:DATABASE_URL sqlite api/db/dev.db .env.defaults:1',
  ]);
  project.write('.env', 'DATABASE_URL=file:./own.db\n');
  expect((await reportOf(databaseUrl, project)).found).toEqual(['env:DATABASE_URL sqlite api/db/own.db .env:1']);
});

describe("a path that counts from the folder of Prisma's schema", () => {
  const sqlite = 'datasource db {\n  provider = "sqlite"\n  url = env("DATABASE_URL")\n}\n';
  const scripts = (dev: string): string => JSON.stringify({ scripts: { dev } });
  const paths = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    project = new FixtureProject();
    const env = { '.env': 'DATABASE_URL=file:./dev.db\n' };
    for (const [file, text] of Object.entries({ ...env, ...files })) project.write(file, text);
    return (await reportOf(databaseUrl, project)).found;
  };

  it.each([
    [
      'that package.json chooses',
      { 'package.json': '{"prisma":{"schema":"db/main.prisma"}}', 'db/main.prisma': sqlite },
      'db/dev.db',
    ],
    [
      'of which there is one for each engine',
      {
        'package.json': scripts('prisma migrate deploy --schema ./prisma/$DB_TYPE/schema.prisma'),
        'prisma/sqlite/schema.prisma': sqlite,
        'prisma/pgsql/schema.prisma': sqlite.replace('sqlite', 'postgresql'),
      },
      'prisma/sqlite/dev.db',
    ],
    [
      'that a script names',
      { 'package.json': scripts('prisma db push --schema=data/schema.prisma'), 'data/schema.prisma': sqlite },
      'data/dev.db',
    ],
  ])('finds the schema %s', async (_what, files, path) => {
    expect(await paths(files)).toEqual([`env:DATABASE_URL sqlite ${path} .env:1`]);
  });

  it('counts from the application where its scripts name several schemas', async () => {
    const both = 'prisma generate --schema a/schema.prisma && prisma generate --schema b/schema.prisma';
    const files = { 'package.json': scripts(both), 'a/schema.prisma': sqlite, 'b/schema.prisma': sqlite };
    expect(await paths(files)).toEqual(['env:DATABASE_URL sqlite dev.db .env:1']);
  });
});

it.each([
  'postgres://[user]:[password]@[neon_hostname]/[dbname]',
  'postgres://YOUR_POSTGRES_URL',
  'mysql://root@localhost/[your db]',
  'postgres://{database_username}:{database_password}@localhost:5432/{database_name}',
  'postgres://u:p@localhost/{{db}}',
  'mysql://u:p@%DB_HOST%:3306/shop',
  'mysql://u:p@localhost/__DB_NAME__',
  'postgres://xxx:xxx@xxx:5432/xxx',
  'postgres://u:p@***/shop',
  'postgres://u:p@localhost/CHANGE_ME',
  'postgres://u:p@localhost/your_database_name',
  'postgres://u:p@your-host:5432/shop',
  'postgres://u:p@localhost/your_db',
  'postgres://u:p@localhost/name_of_your_database',
  'mysql://u:p@localhost/your database of names',
  'mysql://u:p@localhost:3306/yourdb',
  'postgres://u:p@yourserver:5432/shop',
  'postgres://u:p@your-db-host.eu.example.com:5432/shop',
  'postgres://u:p@shop.xxxxxxxx.eu.example.com:5432/shop',
  'postgres://u:p@localhost/changeme',
  'mysql://u:p@localhost/database_name_here',
  'sqlite:///path/to/shop.db',
  'sqlite:path/to/shop.db',
  'sqlserver://localhost:1433;database=<database>;user=sa',
  'sqlite:///{folder}/shop.db',
])('takes %s for an example', async (url) => {
  project = new FixtureProject();
  project.write('.env', `DATABASE_URL='${url}'\n`);
  const { found, skipped } = await reportOf(databaseUrl, project);
  expect(found).toEqual([]);
  expect(skipped).toEqual(['.env:1 DATABASE_URL still has placeholders that a person has to fill in']);
});

it.each([
  'postgres://u:p@[fe80::1]/d',
  'postgres://u:YOUR_PASSWORD@localhost/yourcar_db',
  'postgres://u:changeme@localhost/shop',
  'postgres://your_user:{secret}@localhost/your_day',
  'postgres://u:p@here/xxxl',
  'sqlite:shop/path/to/shop.db',
  'mysql://u:p@localhost/%CE%B1%CE%B2',
  'sqlite:shop%7Bold%7D.db',
])('does not take %s for an example', async (url) => {
  project = new FixtureProject();
  project.write('.env', `DATABASE_URL=${url}\n`);
  expect((await reportOf(databaseUrl, project)).found).toHaveLength(1);
});

describe("a Rust program's DATABASE_URL in a file beside .env", () => {
  const found = async (file: string, code: string): Promise<readonly string[]> => {
    project = new FixtureProject();
    project.write('Cargo.toml', '[package]\nname = "shop"\n');
    project.write(file, 'DATABASE_URL=postgres://u:p@localhost/shop\n');
    project.write('src/main.rs', code);
    return (await detectHere()).found.map(({ id }) => id);
  };

  it.each([
    '// DATABASE_URL\nfn main() {}\n',
    'async fn connect(database_url: &str) {}\n',
    'fn main() { figment.merge(Env::prefixed("SHOP_").split("__")) }\n',
  ])('is none of its own where its code never reads it: %j', async (code) => {
    expect(await found('.env.local', code)).toEqual([]);
  });

  it.each([
    'fn main() { env::var("DATABASE_URL") }\n',
    'struct Settings { database_url: String }\n',
    'fn main() { sqlx::query_as!(Item, "select 1") }\n',
    'fn main() { dotenvy::from_filename(".env.local") }\n',
    'fn main() { Environment::default().separator("_") }\n',
  ])('counts where it may: %j', async (code) => {
    expect(await found('.env.local', code)).toEqual(['env:DATABASE_URL']);
  });

  it('counts in .env, which tools load', async () => {
    expect(await found('.env', 'fn main() {}\n')).toEqual(['env:DATABASE_URL']);
  });
});
