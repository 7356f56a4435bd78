// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { go } from './go.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(go, project);
}

const pgx = { 'go.mod': 'module x\nrequire github.com/jackc/pgx/v5 v5.7.1\n' };

it('reads a settings file, a source with a variable, and the command for migrations', async () => {
  expect(await reportWith({}, 'go')).toEqual({
    found: [
      'go:conf/app.ini#database mysql2 shop:s3cret@127.0.0.1:33068/shop conf/app.ini:5',
      'go:Makefile mysql2 shop:s3cret@127.0.0.1:33068/shop Makefile:3',
    ],
    skipped: ['store/db.go:12 store/db: the data source refers to SHOP_PASSWORD, which the .env files do not set'],
  });
  project.write('.env', 'SHOP_PASSWORD=x:y@z\n');
  expect((await reportOf(go, project)).found).toContain(
    'go:store/db mysql2 shop:x:y@z@127.0.0.1:33068/shop store/db.go:13',
  );
});

it.each([
  ['config.yml', 'dsn: "postgres://h/d?user=u&password=p&sslmode=disable"\n', 'config.yml#dsn postgres u:p@h:5432/d'],
  [
    'config/local.yaml',
    'db:\n  source: "host=h user=u dbname=d"\n',
    'config/local.yaml#db.source postgres u:@h:5432/d',
  ],
  [
    'config.toml',
    '[postgres]\nhost = "h"\nport = 5433\nuser = "u"\ndbname = "d"\n',
    'config.toml#postgres postgres u:@h:5433/d',
  ],
  [
    'config/config.json',
    '{"database":{"host":"h","name":"d","user":"u"}}',
    'config/config.json#database postgres u:@h:5432/d',
  ],
  ['config.yaml', 'database:\n  driver: sqlite3\n  path: data/x.db\n', 'config.yaml#database sqlite data/x.db'],
])('reads %s in its own words', async (file, text, expected) => {
  const { found, skipped } = await reportWith({ ...pgx, [file]: text });
  expect(found.map((line) => line.replace(/(\{.*\})? [^ ]+$/, ''))).toEqual([`go:${expected}`]);
  expect(skipped).toEqual([]);
});

it.each([
  [
    'sql.Open("postgres", "user=u password=\'a b\' dbname=d sslmode=disable")',
    'postgres u:a b@localhost:5432/d{"sslmode":"disable"}',
  ],
  ['gorm.Open(postgres.Open("host=h user=u dbname=d"), &gorm.Config{})', 'postgres u:@h:5432/d'],
  ['gorm.Open(sqlite.Open("shop.db"), &gorm.Config{})', 'sqlite shop.db'],
  ['gorm.Open("sqlite3", "shop.db")', 'sqlite shop.db'],
  ['pgxpool.New(ctx, `postgres://u:p@h/d`)', 'postgres u:p@h:5432/d'],
  ['sqlx.Connect("mysql", "u:p@unix(/tmp/m.sock)/d?tls=true")', 'mysql2 u:p@/tmp/m.sock:3306/d{"tls":"true"}'],
])('reads %s', async (call, expected) => {
  const text = `package main\n\nfunc open() {\n\tdb, err := ${call}\n\t_ = '"'\n}\n`;
  expect(await reportWith({ ...pgx, 'main.go': text })).toEqual({
    found: [`go:main ${expected} main.go:4`],
    skipped: [],
  });
});

it('takes databases of tests for what they are', async () => {
  const text = 'package db\nfunc a() { gorm.Open("sqlite3", "shop_test.db") }\n';
  await reportWith({
    ...pgx,
    'db/db.go': text,
    Makefile: 'test-db:\n\tmigrate -database postgres://u@h/ci up\n',
    'config/test.yaml': 'dsn: postgres://u@h/other\n',
  });
  const { found } = await go.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.map(({ id, priority }) => [id, priority >= 30_000])).toEqual([
    ['go:config/test.yaml#dsn', true],
    ['go:db/db', true],
    ['go:Makefile@test', true],
  ]);
});

it("reads goose's variables, and sqlc's uri with its variable", async () => {
  const files = {
    ...pgx,
    '.env': 'GOOSE_DRIVER=sqlite3\nGOOSE_DBSTRING=./goose.db\nSQLC_URL=postgres://u@h/d\n',
    'sqlc.yaml':
      'version: "2"\nsql:\n  - engine: postgresql\n    database:\n      uri: ${SQLC_URL}\n  - engine: postgresql\n    database:\n      uri: ${NOPE}\n',
  };
  expect(await reportWith(files)).toEqual({
    found: ['go:GOOSE_DBSTRING sqlite goose.db .env:2', 'go:sqlc postgres u:@h:5432/d sqlc.yaml:5'],
    skipped: ['sqlc.yaml:8 sqlc.2: the uri refers to variables that no file sets, or names no known engine'],
  });
});

it('says what a program fills in, and what could be several engines', async () => {
  const files = {
    'go.mod': 'module x\n',
    'config.yml':
      'db:\n  dsn: "postgres://${DB_USER}@h/d"\nmysql:\n  host: h\n  name: ${DB_NAME}\ndatabase:\n  host: h\n  name: d\n',
  };
  expect(await reportWith(files)).toEqual({
    found: [],
    skipped: [
      'config.yml:2 config.yml#db.dsn: refers to variables that the program fills in; name the database in .devdbrc',
      'config.yml:3 config.yml#mysql: refers to variables that the program fills in; name the database in .devdbrc',
      'config.yml:6 config.yml#database: neither the settings nor the packages name one engine',
    ],
  });
});

it('takes neither a store of files nor a cache for a database', async () => {
  const text = 'storage:\n  host: h\n  name: bucket\nredis:\n  host: h\n  db: "0"\nurl: https://example.com\n';
  expect(await reportWith({ ...pgx, 'config.yml': text })).toEqual({ found: [], skipped: [] });
});

it("reads Beego's settings, whose data source ends before the database's name", async () => {
  const text = 'appname = shop\ndriverName = mysql\ndataSourceName = u:p@tcp(localhost:3307)/\ndbName = shop\n';
  expect((await reportWith({ 'go.mod': 'module shop\n', 'conf/app.conf': text })).found).toEqual([
    'go:conf/app.conf#datasourcename mysql2 u:p@localhost:3307/shop conf/app.conf:3',
  ]);
});

it('reads a settings file that is called like the program', async () => {
  const files = {
    'go.mod': 'module example.org/Shop/v2\n',
    'conf/shop.yml': 'db:\n  type: sqlite\n  file: ./data/shop.db\n',
  };
  expect((await reportWith(files)).found).toEqual(['go:conf/shop.yml#db sqlite data/shop.db conf/shop.yml:1']);
});

it.each([
  ['{"db_name": "sqlite3", "db_path": "shop.db"}', 'sqlite shop.db'],
  [
    '{"db_type": "mysql", "db_host": "h", "db_user": "u", "db_password": "p", "db_name": "shop"}',
    'mysql2 u:p@h:3306/shop',
  ],
  ['{"server": {"dbDriver": "postgres", "dbHost": "h", "dbUser": "u", "dbName": "shop"}}', 'postgres u:@h:5432/shop'],
])('reads settings whose names say that they are of a database: %s', async (text, where) => {
  const { found } = await reportWith({ 'go.mod': 'module x\n', 'config.json': text });
  expect(found).toEqual([
    expect.stringMatching(new RegExp(`^go:config\\.json#\\S+ ${where.replaceAll('.', '\\.')} config\\.json:1$`)),
  ]);
});

it('reads the settings in the root of a program below it that is started from there', async () => {
  const files = {
    'server/go.mod': 'module shop/server\nrequire github.com/mattn/go-sqlite3 v1\nrequire github.com/lib/pq v1\n',
    'config.json': '{"port": 1, "dbtype": "sqlite3", "dbconfig": "./shop.db?_busy_timeout=5000"}\n',
  };
  expect((await reportWith(files)).found).toEqual(['go:config.json#dbconfig sqlite shop.db config.json:1']);
  project.remove();
  expect((await reportWith({ ...files, 'go.mod': 'module shop\n', 'server/main.go': '' })).found).toHaveLength(1);
});

describe('of several settings files', () => {
  const dsn = (name: string): string => `mysql:\n  dsn: u:p@tcp(localhost:3306)/${name}\n`;
  const files = { ...pgx, 'conf/config.yaml': dsn('shop'), 'conf/config.dev.yaml': dsn('other') };
  const code = (call: string): Readonly<Record<string, string>> => ({
    'config/config.go': `package config\n${call}\n`,
  });
  const defaults = async (more: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    await reportWith({ ...files, ...more });
    const { found } = await go.detect(await project.view(), AbortSignal.timeout(5_000));
    const [first] = found.filter((one) => one.neverDefault === undefined).toSorted((a, b) => a.priority - b.priority);
    return [first?.name ?? '', ...found.flatMap((one) => (one.neverDefault === undefined ? [] : [one.name]))];
  };

  it.each(['viper.SetConfigName("config")', 'v.SetConfigName( "config.yaml" )'])(
    'the one that the program loads counts: %s',
    async (call) => {
      expect(await defaults(code(call))).toEqual(['shop', 'other']);
    },
  );

  it.each(['', 'viper.SetConfigName("config." + env)', 'viper.SetConfigName("config")\nviper.MergeInConfig()'])(
    "development's own counts where that is not known: %j",
    async (call) => {
      expect(await defaults(code(call))).toEqual(['other']);
    },
  );

  it('the one in the folder counts where the one that the program loads is not there', async () => {
    expect(await defaults(code('viper.SetConfigName("app")'))).toEqual(['other']);
  });
});
