// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { environmentVariables } from './environment-variables.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>): Promise<DetectorReport> {
  project = new FixtureProject();
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(environmentVariables, project);
}

async function foundIn(env: string, others: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  return (await reportWith({ '.env': env, ...others })).found;
}

it.each(['POSTGRES_URL', 'DB_URL', 'DATABASE_URI', 'SQLALCHEMY_DATABASE_URI', 'DB_SOURCE', 'ANY_NAME_AT_ALL'])(
  'takes a URL of a known engine in %s for a database',
  async (name) => {
    expect(await foundIn(`${name}=postgresql+asyncpg://u:p@localhost:5433/shop\n`)).toEqual([
      `variables:${name} postgres u:p@localhost:5433/shop .env:1`,
    ]);
  },
);

it.each([
  ['DB_DSN_URL="u:p@tcp(127.0.0.1:3307)/shop?parseTime=True"', 'DB_DSN_URL mysql2 u:p@127.0.0.1:3307/shop'],
  ['DSN=root@tcp(localhost)/shop', 'DSN mysql2 root:@localhost:3306/shop'],
  [
    'POSTGRES_DSN="host=localhost user=u password=p dbname=shop port=5433"',
    'POSTGRES_DSN postgres u:p@localhost:5433/shop',
  ],
])('takes the data source of %s for a database', async (line, expected) => {
  expect(await foundIn(`${line}\n`)).toEqual([`variables:${expected} .env:1`]);
});

it('leaves a URL with empty variables in it to be filled in', async () => {
  const env = 'DB_USER=\nPOSTGRES_URL=postgresql://${DB_USER}:x@localhost:5432/shop\n';
  expect(await reportWith({ '.env': env })).toEqual({
    found: [],
    skipped: ['.env:2 POSTGRES_URL refers to DB_USER, which the .env files leave empty'],
  });
});

it('takes no data source of another engine than the one that the variables choose', async () => {
  const dsn = 'DB_DSN=u:p@tcp(localhost)/shop\n';
  expect(await foundIn(`${dsn}DB_DRIVER=sqlite\n`)).toEqual([]);
  project.remove();
  expect(await foundIn(`${dsn}DB_DRIVER=mysql\n`)).toEqual(['variables:DB_DSN mysql2 u:p@localhost:3306/shop .env:1']);
});

it.each([
  'MAILER=u:p@tcp(localhost)/shop',
  'DB_OPTIONS=timeout=5',
  'DB_OPTIONS="user=shop application_name=x"',
  'DATABASE_URL=postgres://u:p@localhost/shop',
  'REDIS_URL=redis://localhost:6379/0',
  'SITE=https://example.org/postgres://',
  'ASSET=file:./logo.svg',
  'NOTE="see mysql docs"',
])('does not take %s for one', async (line) => {
  expect(await foundIn(line)).toEqual([]);
});

it("takes what Cargo's configuration sets before a .env file, as a program started by Cargo does", async () => {
  const config = '[env]\nSHOP_DB_URL = "postgres://u:p@localhost/shop"\nSHOP_PORT = { value = "80", force = true }\n';
  expect(await foundIn('SHOP_DB_URL=postgres://u:p@localhost/other\n', { '.cargo/config.toml': config })).toEqual([
    'variables:SHOP_DB_URL postgres u:p@localhost:5432/shop .cargo/config.toml:2',
  ]);
});

it("takes no other setting of Cargo's configuration for a variable", async () => {
  const config = '[source.shop]\nregistry = "mysql://u@localhost/registry"\n[env\n';
  expect(await reportWith({ '.cargo/config.toml': config })).toEqual({ found: [], skipped: [] });
});

it('takes a file only where the name speaks of a database', async () => {
  expect(await foundIn('DB_FILE_NAME=file:local.db\n')).toEqual(['variables:DB_FILE_NAME sqlite local.db .env:1']);
});

it.each([
  ['DB_URL=./data/shop.db', 'variables:DB_URL sqlite data/shop.db .env:1'],
  ['DATABASE_URI=data/shop.sqlite', 'variables:DATABASE_URI sqlite data/shop.sqlite .env:1'],
  ['DB_DRIVER=better-sqlite3\nDB_URL=shop.sqlite3', 'variables:DB_URL sqlite shop.sqlite3 .env:2'],
  ['DATABASE_PATH=./data/shop.db', 'variables:database sqlite data/shop.db .env:1'],
  ['DB_FILE_PATH=shop.sqlite', 'variables:db_file sqlite shop.sqlite .env:1'],
])('takes the path to a SQLite file for a database: %j', async (env, found) => {
  expect(await foundIn(`${env}\n`)).toEqual([found]);
});

it.each([
  'GEO_DB_PATH=./geo.db',
  'API_URL=shop.db',
  'DB_URL=PATH_TO_YOUR_DATABASE',
  'DB_PATH=/var/lib/mysql',
  'DATABASE_PATH=./shop.db\nDB_HOST=localhost',
  'DATABASE_PATH=/path/to/shop.db',
  'DB_CLIENT=pg\nDB_PATH=./shop.db',
])('takes no path for a database that may be something else: %j', async (env) => {
  expect(await foundIn(`${env}\n`)).toEqual([]);
});

it('takes no variables for a database that still has the name of an example', async () => {
  const env = (name: string): string => `DB_HOST=localhost\nDB_PORT=5432\nDB_USER=your_user\nDB_NAME=${name}\n`;
  expect(await foundIn(env('your_db_name'))).toEqual([]);
  project.remove();
  expect(await foundIn(env('shop'))).toHaveLength(1);
});

it('takes no variables whose values are only the words for the things', async () => {
  const env = (user: string): string =>
    `DB_TYPE=postgres\nDB_HOST=localhost\nDB_USERNAME=${user}\nDB_PASSWORD=password\nDB_NAME=database\n`;
  expect(await reportWith({ '.env': env('username') })).toEqual({
    found: [],
    skipped: ['.env:2 db: still has placeholders that a person has to fill in'],
  });
  project.remove();
  expect(await foundIn(env('postgres'))).toEqual([
    'variables:db postgres postgres:password@localhost:5432/database .env:2',
  ]);
});

it('takes the name of a file engine for no database of a server', async () => {
  expect(await foundIn('DB_HOST=127.0.0.1\nDB_PORT=3306\nDB_USER=shop\nDB_DATABASE=sqlite\n')).toEqual([]);
  project.remove();
  expect(await foundIn('DB_HOST=127.0.0.1\nDB_PORT=3306\nDB_USER=shop\nDB_DATABASE=mysql\n')).toHaveLength(1);
});

it.each(['data-example/.env', 'example-data/.env', 'templates/.env', '.env.example-windows'])(
  'takes no variables of the example %s',
  async (file) => {
    const { found, skipped } = await reportWith({ [file]: 'DB_URL=mysql://u@localhost/shop\n' });
    expect(found).toEqual([]);
    expect(skipped).toEqual([]);
  },
);

it('takes the variables of an application whose folder is called like an example', async () => {
  const files = {
    'apps/shop-template/package.json': '{}',
    'apps/shop-template/.env': 'DB_URL=mysql://u@localhost/shop\n',
  };
  expect((await reportWith(files)).found).toHaveLength(1);
});

it('leaves out scratch databases and references without a value', async () => {
  const { found, skipped } = await reportWith({
    '.env': 'SHADOW_DB_URL=mysql://u@localhost/a\nMYSQL_URL=mysql://u:$' + '{NOPE}@localhost/b\n',
  });
  expect(found).toEqual([]);
  expect(skipped).toEqual([
    '.env:2 MYSQL_URL refers to NOPE, which the .env files do not set',
    '.env:1 SHADOW_DB_URL is a scratch database for migrations',
  ]);
});

it.each([
  [
    'DB_HOST=localhost\nDB_PORT=5433\nDB_USER=u\nDB_PASS=p\nDB_NAME=d\nDB_CLIENT=pg',
    'variables:db postgres u:p@localhost:5433/d .env:1',
  ],
  ['PGHOST=h1.local\nPGUSER=u\nPGPASSWORD=p\nPGDATABASE=d', 'variables:pg postgres u:p@h1.local:5432/d .env:1'],
  [
    'MYSQL_HOST=127.0.0.1\nMYSQL_USER=u\nMYSQL_PASSWORD=p\nMYSQL_DATABASE=d',
    'variables:mysql mysql2 u:p@127.0.0.1:3306/d .env:1',
  ],
  [
    'POSTGRES_SERVER=localhost\nPOSTGRES_USER=u\nPOSTGRES_PASSWORD=p\nPOSTGRES_DB=d',
    'variables:postgres postgres u:p@localhost:5432/d .env:1',
  ],
  [
    'CRAFT_DB_DRIVER=mysql\nCRAFT_DB_SERVER=localhost\nCRAFT_DB_DATABASE=d\nCRAFT_DB_USER=u\nCRAFT_DB_PASSWORD=',
    'variables:craft_db mysql2 u:@localhost:3306/d .env:2',
  ],
  [
    'database.default.hostname = localhost\ndatabase.default.database = d\ndatabase.default.username = u\ndatabase.default.password = p\ndatabase.default.DBDriver = MySQLi',
    'variables:database_default mysql2 u:p@localhost:3306/d .env:1',
  ],
  [
    'DATABASE_CLIENT=sqlite\nDATABASE_FILENAME=.tmp/data.db\nDATABASE_HOST=localhost',
    'variables:database sqlite .tmp/data.db .env:3',
  ],
  [
    'DB_HOSTNAME=localhost\nDB_PORT=3306\nDB_DATABASE_NAME=d\nDB_USERNAME=u',
    'variables:db mysql2 u:@localhost:3306/d .env:1',
  ],
])('joins the group %j', async (env, found) => {
  expect(await foundIn(env)).toEqual([found]);
});

it('takes the engine of a group from the packages, and says when nothing tells it', async () => {
  const env = 'DB_HOST=localhost\nDB_NAME=d\n';
  expect(await foundIn(env, { 'package.json': '{"dependencies": {"pg": "8"}}' })).toEqual([
    'variables:db postgres :@localhost:5432/d .env:1',
  ]);
  project.remove();
  const { found, skipped } = await reportWith({
    '.env': env,
    'package.json': '{"dependencies": {"pg": "8", "mysql2": "3"}}',
  });
  expect(found).toEqual([]);
  expect(skipped).toEqual([
    '.env:1 DB_*: describes a database, but neither a variable, the port nor the packages say its engine; name it in .devdbrc',
  ]);
});

it.each(['.envrc', 'app.env', 'local.env', '.flaskenv', '.envs/.local/.postgres', 'config/.env.dev'])(
  'reads %s',
  async (file) => {
    const { found } = await reportWith({ [file]: 'export POSTGRES_URL=postgres://u:p@localhost/d\n' });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/ postgres u:p@localhost:5432\/d /);
  },
);

it('takes only literals from a file that a shell runs', async () => {
  const { found } = await reportWith({
    '.envrc': 'export PG_URL="postgres://u:$(cat secret)@localhost/d"\nexport DB_URL=postgres://u:`id`@localhost/e\n',
  });
  expect(found).toEqual([]);
});

it('puts what is for tests or production behind, by the name of the variable or the file', async () => {
  const { found } = await reportWith({
    '.env': 'TEST_DB_URL=postgres://u@localhost/a\nPROD_PG_URL=postgres://u@localhost/b\n',
    'test.env': 'DB_URL=postgres://u@localhost/c\n',
  });
  expect(found).toEqual([
    'variables:DB_URL@test postgres u:@localhost:5432/c test.env:1',
    'variables:PROD_PG_URL postgres u:@localhost:5432/b .env:2 [prod]',
    'variables:TEST_DB_URL postgres u:@localhost:5432/a .env:1',
  ]);
});

it.each([
  ['SHOP_SQLITE_PATH=data/shop.db\n', ['data/shop.db']],
  ['SHOP_DATABASE_DRIVER=sqlite\nSHOP_SQLITE_PATH=data/shop.db\n', ['data/shop.db']],
  ['SHOP_DATABASE_DRIVER=mysql\nSHOP_SQLITE_PATH=data/shop.db\n', []],
])('takes the path of a SQLite file from %j, unless another variable chooses a server', async (text, files) => {
  project = new FixtureProject();
  project.write('.env', text);
  const { found } = await environmentVariables.detect(await project.view(), AbortSignal.timeout(30_000));
  expect(found.map(({ target }) => 'file' in target && target.file)).toEqual(
    files.map((file) => `${project.root}/${file}`),
  );
});

it('ranks the group that is called like a database before those of other things, and a copy for reading last', async () => {
  const group = (prefix: string): string =>
    `${prefix}_HOST=localhost\n${prefix}_PORT=5432\n${prefix}_USER=u\n${prefix}_NAME=${prefix.toLowerCase()}\n`;
  project = new FixtureProject();
  project.write('.env', ['VECTOR_DB', 'SHOP_DB_READ', 'SHOP_DB', 'DB'].map(group).join(''));
  const found = (await environmentVariables.detect(await project.view(), AbortSignal.timeout(5_000))).found;
  const ranked = found.toSorted((a, b) => a.priority - b.priority).map(({ name }) => name);
  expect(ranked).toHaveLength(4);
  expect(ranked[0]).toBe('db');
  expect(ranked[3]).toBe('shop_db_read');
});

it.each([
  ['POSTGRES_URL', 'POSTGRES_URL_NON_POOLING', ''],
  ['PG_URL', 'PG_URL_UNPOOLED', ''],
  ['POSTGRES_URL', 'DIRECT_URL', '?pgbouncer=true'],
  ['DATABASE_POOL_URI', 'DATABASE_DIRECT_URI', ''],
])('ranks the pool %s behind the direct connection %s, and reads no scratch database', async (pool, direct, mark) => {
  project = new FixtureProject();
  const url = 'postgres://u:p@localhost';
  project.write('.env', `${pool}=${url}:6543/d${mark}\n${direct}=${url}:5432/d\nSHADOW_DB_URL=${url}/shadow\n`);
  const { found, skipped } = await environmentVariables.detect(await project.view(), AbortSignal.timeout(5_000));
  const ranked = found.toSorted((a, b) => a.priority - b.priority).map(({ id }) => id);
  expect(ranked).toEqual([`variables:${direct}`, `variables:${pool}`]);
  expect(skipped).toEqual([expect.objectContaining({ line: 3, reason: expect.stringContaining('scratch database') })]);
});

it("reads Flask's variables for the settings of its extensions, and a URL without a host", async () => {
  expect(await foundIn('FLASK_SQLALCHEMY_DATABASE_URI=postgresql+psycopg:///shop\nLOGO=file:///shop\n')).toEqual([
    'variables:FLASK_SQLALCHEMY_DATABASE_URI postgres :@localhost:5432/shop .env:1',
  ]);
});

it("reads the files that Symfony's runtime loads instead of .env by its options", async () => {
  const composer = (name: string): string => JSON.stringify({ extra: { runtime: { dotenv_path: name } } });
  const files = {
    '.env-app': 'SHOP_DB_URL=postgres://u:p@localhost/shop\n',
    '.env-app.local': 'SHOP_DB_URL=postgres://u:p@localhost:5433/own\n',
  };
  expect((await reportWith({ ...files, 'composer.json': composer('.env-app') })).found).toEqual([
    'variables:SHOP_DB_URL postgres u:p@localhost:5433/own .env-app.local:1',
  ]);
  for (const name of ['../.env-app', '.env-other']) {
    project.remove();
    expect((await reportWith({ ...files, 'composer.json': composer(name) })).found).toEqual([]);
  }
});

describe('a port that a compose file publishes under another', () => {
  const env = (host: string): string =>
    `SHOP_PORT=5656\nPOSTGRES_HOST=${host}\nPOSTGRES_PORT=5432\nPOSTGRES_DB=shop\nPOSTGRES_USER=u\n`;
  const compose = 'services:\n  pg:\n    image: postgres\n    ports:\n      - ${SHOP_PORT:?not set}:${POSTGRES_PORT}\n';
  const at = (address: string): readonly string[] => [`variables:postgres postgres u:@${address}/shop .env:2`];

  it('is reached under that one, also where compose does not read the file by default', async () => {
    expect(await foundIn(env('localhost'), { 'docker/docker-compose.shared.yml': compose })).toEqual(
      at('localhost:5656'),
    );
  });

  it.each([
    ['the host is in the network of the containers', 'pg', compose],
    ['several are published', 'localhost', `${compose}      - ${'${OTHER_PORT}:${POSTGRES_PORT}'}\n`],
    ['the other has no value', 'localhost', compose.replace('SHOP_PORT', 'NO_PORT')],
    ['it is published under itself', 'localhost', compose.replace('SHOP_PORT:?not set', 'POSTGRES_PORT')],
  ])('is its own where %s', async (_name, host, text) => {
    expect(await foundIn(env(host), { 'docker/docker-compose.shared.yml': text })).toEqual(at(`${host}:5432`));
  });
});
