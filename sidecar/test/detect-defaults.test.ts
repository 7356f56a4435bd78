import { FixtureProject } from './helpers/fixture-project.ts';

const signal = AbortSignal.timeout(60_000);
let project: FixtureProject;

afterEach(() => project.remove());

async function defaultOf(files: Readonly<Record<string, string>>): Promise<string | undefined> {
  project = new FixtureProject();
  for (const [file, text] of Object.entries(files)) {
    if (/\.(db|sqlite3)$/.test(file)) project.database(file);
    else project.write(file, text);
  }
  return (await project.book().list(signal)).connections.find(({ isDefault }) => isDefault)?.id;
}

const compose = (database: string): string =>
  `services:\n  db:\n    image: postgres\n    ports: ["5544:5432"]\n    environment: {POSTGRES_PASSWORD: x, POSTGRES_DB: ${database}}\n`;

it.each<Record<string, string>>([
  { '.env.test': 'DATABASE_URL=postgres://u@localhost/d\n' },
  { '.env': 'TEST_DATABASE_URL=postgres://u@localhost/d\n' },
  { '.env': 'DATABASE_URL_TEST=postgres://u@localhost/d\n' },
  { '.env': 'DATABASE_URL=postgres://u@localhost/shop_test\n' },
  { '.env': 'DATABASE_URL=sqlite:tests/data.db\n' },
  { '.env': 'TEST_DB_HOST=localhost\nTEST_DB_NAME=d\nTEST_DB_PORT=5432\n' },
  { 'test.sqlite3': '' },
  { 'test/compose.yml': compose('shop') },
  { 'e2e/docker-compose.yml': compose('shop') },
  { 'integration_tests/docker-compose.yml': compose('shop') },
  { 'e2e-tests/docker-compose.yml': compose('shop') },
  { 'docker-testing/docker-compose.yml': compose('shop') },
  { 'cypress/compose.yaml': compose('shop') },
  { 'Shop.Tests/docker-compose.yml': compose('shop') },
  { 'Shop.Orders.IntegrationTests/compose.yml': compose('shop') },
  { 'docker-compose.test.yml': compose('shop') },
  { 'compose.yml': compose('shop_test') },
  { 'compose.yml': compose('shop_e2e_testing') },
  { '.env.testing': 'DB_CONNECTION=sqlite\nDB_DATABASE=d.db\n', artisan: '' },
  { 'docker-compose.prod.yml': compose('shop') },
  { '.env': 'PRODUCTION_DATABASE_URL=postgres://u@localhost/d\n' },
  { '.env': 'PROD_DB_URL=postgres://u@localhost/d\n' },
  { 'production/.env': 'DATABASE_URL=postgres://u@localhost/d\n' },
  { 'storage/production.sqlite3': '' },
  { '.cache.db': '' },
])('takes no default from %j', async (files) => {
  expect(await defaultOf(files)).toBeUndefined();
});

it('still lists what is for tests, and opens it by its id', async () => {
  await defaultOf({ 'test.sqlite3': '' });
  const found = await project.book().find('test.sqlite3', signal);
  expect(found.id).toBe('test.sqlite3');
  await expect(project.book().find(undefined, signal)).rejects.toMatchObject({
    code: 'E_NO_CONNECTION',
    message: expect.stringContaining('test.sqlite3 (test.sqlite3) is not taken for it: it is for test runs'),
  });
});

it('makes a test database the default where .devdbrc pins or names it', async () => {
  expect(await defaultOf({ 'test.sqlite3': '', '.devdbrc': '[{"default":"test.sqlite3"}]' })).toBe('test.sqlite3');
  project.remove();
  expect(await defaultOf({ '.devdbrc': '[{"type":"sqlite","path":"tests/a.db"}]' })).toBe('devdbrc:a.db');
});

it('takes a file that lies about for the default, unless the settings name a database that could not be read', async () => {
  expect(await defaultOf({ 'app.db': '' })).toBe('app.db');
  project.remove();
  const settings = {
    'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'app.settings')\n",
    'app/settings.py': 'DATABASES = load()\n',
  };
  expect(await defaultOf({ 'app.db': '', ...settings })).toBeUndefined();
});

it.each<Record<string, string>>([
  { 'db/app.db': '', 'server/database.js': "const templatePath = './db/app.db';\n" },
  { 'data/app.db': '', 'src/config.py': "shutil.copy('data/app.db', target)\n" },
  { 'template.db': '' },
  { 'data/app-dist.sqlite3': '' },
  { 'db/seed.db': '' },
  { 'app.backup.db': '' },
])('takes no file for the default from which the program makes its own: %j', async (files) => {
  expect(await defaultOf(files)).toBeUndefined();
  const { connections, skipped } = await project.book().list(signal);
  expect(connections).toHaveLength(1);
  const said = files['template.db'] === undefined && Object.keys(files).length > 1;
  if (said) expect(skipped).toContainEqual(expect.objectContaining({ reason: expect.stringContaining('copies') }));
});

it.each<readonly [string, string, string | undefined]>([
  [
    'a server of its own',
    '  db: {image: mariadb, environment: {MARIADB_ROOT_PASSWORD: x, MARIADB_DATABASE: shop}}\n',
    undefined,
  ],
  [
    'the server of a tool',
    '  sso: {image: keycloak/keycloak}\n  db: {image: postgres, environment: {POSTGRES_PASSWORD: x, POSTGRES_DB: keycloak}}\n',
    'data/lessons.db',
  ],
  ['no server', '  cache: {image: redis}\n', 'data/lessons.db'],
])('knows whether a file that lies about is the default beside a compose file with %s', async (_, services, found) => {
  expect(await defaultOf({ 'data/lessons.db': '', 'compose.yaml': `services:\n${services}` })).toBe(found);
});

it('takes a file that lies about for the default where only test runs have a server', async () => {
  const services = 'services:\n  db: {image: postgres, environment: {POSTGRES_PASSWORD: x}}\n';
  expect(await defaultOf({ 'data/lessons.db': '', 'compose.test.yaml': services })).toBe('data/lessons.db');
});

it("takes a database for development's that is called like one for tests where the framework's settings name it", async () => {
  const env = 'DB_CONNECTION=mysql\nDB_HOST=127.0.0.1\nDB_DATABASE=shop_test\nDB_USERNAME=root\n';
  expect(await defaultOf({ artisan: '', '.env': env, 'database/database.sqlite3': '' })).toBe('laravel:mysql');
  project.remove();
  const testing = { artisan: '', '.env.testing': env };
  expect(await defaultOf(testing)).toBeUndefined();
});

it('takes no file that lies about for the default beside a database that only its name says is for tests', async () => {
  const env = { '.env': 'DATABASE_URL=postgres://u@localhost/shop_test\n' };
  expect(await defaultOf({ ...env, 'app.db': '' })).toBeUndefined();
  project.remove();
  expect(await defaultOf({ '.env.test': env['.env'], 'app.db': '' })).toBe('app.db');
});

it('takes the container for the default whose account the example in .env does not name', async () => {
  const env = 'DATABASE_URL=postgresql://username:password@localhost:5432/dbname\n';
  expect(await defaultOf({ 'backend/.env': env, 'docker-compose.yml': compose('shop') })).toBe('compose:db');
});

it('takes the database that a program made from its template', async () => {
  const code = "const templatePath = './db/app.db';\n";
  expect(await defaultOf({ 'db/app.db': '', 'data/app.db': '', 'server/database.js': code })).toBe('data/app.db');
});

it('takes an example file only where there is no other', async () => {
  expect(await defaultOf({ 'demo.db': '' })).toBe('demo.db');
  project.remove();
  expect(await defaultOf({ 'demo.db': '', 'storage/app.db': '' })).toBe('storage/app.db');
});

it('takes the development database where a test database stands beside it', async () => {
  expect(
    await defaultOf({
      '.env': 'DATABASE_URL=postgres://u@localhost/shop\n',
      '.env.test': 'DATABASE_URL=sqlite:a.db\n',
    }),
  ).toBe('env:DATABASE_URL');
});

it("takes the application's database in a SQL Server container, not the server's own", async () => {
  const server =
    'image: mcr.microsoft.com/mssql/server\n    ports: ["14339:1433"]\n    environment: {MSSQL_SA_PASSWORD: x}';
  await defaultOf({
    'compose.yml': `services:\n  sql:\n    ${server}\n`,
    'src/App.csproj': '',
    'appsettings.Docker.json':
      '{"ConnectionStrings": {"Main": "Server=sql;Database=Shop;User Id=sa;Password=x;TrustServerCertificate=true"}}',
  });
  const { connections } = await project.book().list(signal);
  expect(connections.map(({ target }) => target)).toContain('127.0.0.1:14339/Shop');
  expect(connections.map(({ target }) => target)).not.toContain('127.0.0.1:14339/master');
  // Also where the settings of another environment cannot be reached.
  project.write(
    'appsettings.json',
    '{"ConnectionStrings": {"Main": "Server=(localdb)\\\\mssqllocaldb;Database=Shop"}}',
  );
  const again = (await project.book().list(signal)).connections;
  expect(again.find(({ isDefault }) => isDefault)?.target).toBe('127.0.0.1:14339/Shop');
});

it.each([
  '[{"type":"sqlite","path":"C:\\\\Users\\\\me\\\\app.db"}]',
  '[{"type":"sqlite","path":"/Users/somebody-else-entirely/app.db"}]',
  '[{"type":"sqlite","path":"/home/somebody-else-entirely/x/app.db"}]',
])('takes no path of another machine from .devdbrc, and says so: %s', async (text) => {
  expect(await defaultOf({ '.devdbrc': text })).toBeUndefined();
  const { skipped } = await project.book().list(signal);
  expect(skipped).toEqual([
    expect.objectContaining({
      file: '.devdbrc',
      reason: expect.stringMatching(/^has a path .* write it relative to the project$/),
    }),
  ]);
});

it('accepts a .devdbrc with its list under "connections"', async () => {
  const text = '{"connections": [{"type":"sqlite","path":"a.db"}, {"type":"sqlite","path":"b.db"}]}';
  expect(await defaultOf({ '.devdbrc': text })).toBe('devdbrc:a.db');
});

it('takes none of several databases of a compose file where the settings could not be read', async () => {
  const service = (name: string, port: number): string =>
    `  ${name}:\n    image: postgres\n    ports: ["${port}:5432"]\n    environment: {POSTGRES_PASSWORD: x, POSTGRES_DB: ${name}}\n`;
  const both = { 'compose.yml': `services:\n${service('one', 5544)}${service('two', 5545)}` };
  const unread = { Gemfile: '', 'config/database.yml': 'development:\n  adapter: postgresql\n  url: <%= `x` %>\n' };
  expect(await defaultOf(both)).toBe('compose:one');
  project.remove();
  expect(await defaultOf({ ...both, ...unread })).toBeUndefined();
  project.remove();
  expect(await defaultOf({ 'compose.yml': compose('shop'), ...unread })).toBe('compose:db');
});

it.each([
  ['package.json', '{"dependencies": {"pg": "8"}}', 'postgres'],
  ['go.mod', 'require modernc.org/sqlite v1.30.0\n', 'sqlite'],
  ['App.csproj', '<PackageReference Include="Microsoft.EntityFrameworkCore.SqlServer" />', 'mssql'],
  ['requirements.txt', 'pymysql==1.1\n', 'mysql'],
  ['mix.exs', '{:postgrex, ">= 0.0.0"}', 'postgres'],
  ['Cargo.toml', 'sqlx = { version = "0.8", features = ["postgres"] }', 'postgres'],
  ['pom.xml', '<artifactId>sqlite-jdbc</artifactId>', 'sqlite'],
])('is not silent where %s names a driver and nothing names a database', async (file, text, engine) => {
  expect(await defaultOf({ [file]: text })).toBeUndefined();
  const { skipped } = await project.book().list(signal);
  expect(skipped.map(({ reason }) => reason)).toEqual([
    `depends on a driver for ${engine}, but no settings that DevDB reads name its database; name it in .devdbrc`,
  ]);
});

it('takes an address that servers listen on for this machine', async () => {
  await defaultOf({ '.env': 'DATABASE_URL=postgres://u@0.0.0.0/shop\n' });
  const { connections } = await project.book().list(signal);
  expect(connections).toEqual([expect.objectContaining({ isDefault: true, target: '127.0.0.1:5432/shop' })]);
});

it.each(['com.h2database', 'org.hsqldb'])(
  'takes no container for the default of an application that runs %s in its own process',
  async (group) => {
    const own = { 'pom.xml': `<dependency><groupId>${group}</groupId></dependency>` };
    expect(await defaultOf({ ...own, 'compose.yml': compose('shop') })).toBeUndefined();
    const { connections } = await project.book().list(signal);
    expect(connections.map(({ id }) => id)).toEqual(['compose:db']);
    project.remove();
    const settings = {
      'src/main/resources/application.properties': 'spring.datasource.url=jdbc:mysql://localhost/shop\n',
    };
    expect(await defaultOf({ ...own, ...settings, 'compose.yml': compose('shop') })).toBe('spring:datasource');
  },
);

it('takes the name that containers have for this machine for this machine', async () => {
  await defaultOf({ '.env': 'DATABASE_URL=postgres://u@host.docker.internal/shop\n' });
  const { connections } = await project.book().list(signal);
  expect(connections).toEqual([expect.objectContaining({ isDefault: true, target: '127.0.0.1:5432/shop' })]);
});

it.each(['db', 'shop_db', 'postgres'])(
  'takes no default from the container name %s without a service',
  async (host) => {
    expect(await defaultOf({ '.env': `DATABASE_URL=postgres://u@${host}/shop\n` })).toBeUndefined();
    const { skipped } = await project.book().list(signal);
    expect(skipped).toEqual([
      expect.objectContaining({
        file: '.env',
        reason: expect.stringContaining(`the host ${host} is a container's name`),
      }),
    ]);
    project.remove();
    await defaultOf({ '.devdbrc': `[{"type":"postgres","host":"${host}","user":"u","database":"shop"}]` });
    expect((await project.book().list(signal)).connections).toEqual([
      expect.objectContaining({ id: 'devdbrc:postgres-shop' }),
    ]);
  },
);

const goModule = { 'go.mod': 'module shop\nrequire modernc.org/sqlite v1\n' };

it.each<readonly [string, Readonly<Record<string, string>>]>([
  ['code:config/config', { ...goModule, 'config/config.go': 'Path string `default:"data/shop.db"`\n' }],
  ['code:server/settings', { 'server/settings.py': 'DB_PATH = os.environ.get("DB_PATH", "sqlite:///shop.db")\n' }],
  [
    'code:src/Shop/Program',
    { 'src/Shop/Shop.csproj': '', 'src/Shop/Program.cs': 'UseSqlite("Data Source=shop.db")\n' },
  ],
  [
    'code:Shop/Extensions/ShopServiceExtensions',
    { 'Shop/Shop.csproj': '', 'Shop/Extensions/ShopServiceExtensions.cs': 'UseSqlite("Data Source=shop.db", o => {\n' },
  ],
  [
    'code:src/Shop/Program',
    {
      'src/Shop/Shop.csproj': '<UserSecretsId>x</UserSecretsId>',
      'src/Shop/appsettings.json': '{}',
      'src/Shop/Program.cs': 'var text = config.GetConnectionString("Main") ?? "Data Source=.data/shop.db";\n',
    },
  ],
  [
    'code:Backend/db',
    {
      'Backend/package.json': '{"dependencies":{"pg":"8"}}',
      'Backend/db.js':
        "const Pool = require('pg').Pool;\nmodule.exports = new Pool({ host: 'localhost', port: 5432, user: 'me', password: 'p', database: 'todo' });\n",
    },
  ],
  [
    'code:config/pool',
    {
      'package.json': '{"dependencies":{"mysql2":"3"}}',
      'config/pool.js':
        "import mysql from 'mysql2';\nexport default mysql.createPool({ host: process.env.HOST || 'localhost', user: 'u', database: 'd' }).promise();\n",
    },
  ],
  [
    'code:conf/mysqlConf',
    {
      'package.json': '{"dependencies":{"mysql":"2"}}',
      'conf/mysqlConf.js':
        "module.exports = { mysql: { host: 'localhost', user: 'u', password: '', database: 'd', connectionLimit: 10 } };\n",
      'lib/users.js': "require('mysql').createPool(require('../conf/mysqlConf').mysql);\n",
    },
  ],
  [
    'code:src/db/config',
    {
      'package.json': '{"dependencies":{"mysql":"2"}}',
      'src/db/config.js':
        "const host = 'localhost';\nconst user = 'u';\nconst password = '';\nconst database = 'd';\nmodule.exports = { host, user, password, database };\n",
    },
  ],
  [
    'code:db',
    {
      'package.json': '{"dependencies":{"pg":"8"}}',
      'db.js':
        "const { Pool } = require('pg');\nnew Pool({ host: process.env.HOST || 'localhost', password: process.env.SHOP_PASSWORD, database: 'd' });\n",
    },
  ],
  [
    'code:server/src/main',
    {
      'server/deno.json': '{"imports":{"postgres":"https://deno.land/x/postgres@v0.17.0/mod.ts"}}',
      'server/src/env.ts':
        "const DB = Deno.env.get('SHOP_DB') || 'shop';\nconst PASSWORD = Deno.env.get('SHOP_PASSWORD');\nexport const env = { DB, PASSWORD };\n",
      'server/src/main.ts':
        "import { Pool } from 'postgres';\nimport { env } from './env.ts';\nnew Pool({ hostname: '127.0.0.1', password: env.PASSWORD, database: env.DB }, 4, true);\n",
    },
  ],
  [
    'code:main',
    {
      'deno.jsonc': '{}',
      'main.ts':
        "import { Client } from 'jsr:@db/postgres@0.19';\nnew Client({ hostname: 'localhost', database: 'shop' });\n",
    },
  ],
  [
    'code:lib/db',
    {
      'package.json': '{"dependencies":{"better-sqlite3":"9"}}',
      'lib/db.js': "const Database = require('better-sqlite3');\nnew Database(__dirname + '/shop.db');\n",
    },
  ],
  [
    'code:backend/src/db/index',
    {
      'backend/package.json': '{"type":"module","dependencies":{"better-sqlite3":"11"}}',
      'backend/src/utils/paths.ts':
        "const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../');\nexport const FILE = path.join(ROOT, 'files', 'shop.db');\n",
      'backend/src/db/index.ts':
        "import Sqlite from 'better-sqlite3';\nimport { FILE } from '../utils/paths.js';\nexport const open = () => new Sqlite(FILE);\n",
    },
  ],
  [
    'code:src/database',
    {
      'package.json': '{"dependencies":{"sqlite":"5","sqlite3":"5"}}',
      'src/database.js':
        "const { open } = require('sqlite');\nconst file = path.join(process.cwd(), 'shop.db');\nopen({ filename: file, driver: sqlite3.Database });\n",
    },
  ],
])('takes the default in program code where nothing else names a database: %s', async (id, files) => {
  expect(await defaultOf(files)).toBe(id);
});

it('starts the path of a default in program code in the folder of its program', async () => {
  await defaultOf({ 'src/Shop/Shop.csproj': '', 'src/Shop/Program.cs': 'UseSqlite("Data Source=shop.db")\n' });
  const { connections } = await project.book().list(signal);
  expect(connections).toEqual([expect.objectContaining({ target: 'src/Shop/shop.db' })]);
});

it('starts the path of a file beside a script in the folder of the script, unless it is built elsewhere', async () => {
  const script = "const Database = require('better-sqlite3');\nnew Database(path.join(__dirname, '../shop.db'));\n";
  await defaultOf({ 'package.json': '{}', 'lib/sub/db.js': script });
  const { connections } = await project.book().list(signal);
  expect(connections).toEqual([expect.objectContaining({ target: 'lib/shop.db' })]);
  project.remove();
  expect(await defaultOf({ 'package.json': '{"devDependencies":{"webpack":"5"}}', 'lib/sub/db.js': script })).toBe(
    undefined,
  );
});

const opens = (path: string): string =>
  `import { DatabaseSync } from 'node:sqlite';\nimport { join } from 'node:path';\nexport const db = new DatabaseSync(${path});\n`;

it.each<Record<string, string>>([
  { 'src/db.ts': opens("join(import.meta.dirname, 'shop.db')") },
  { 'src/db.ts': opens("join(import.meta.dirname, '..', 'shop.db')"), 'package.json': '{"dependencies":{"vite":"5"}}' },
  { 'src/db.ts': opens("join(process.cwd(), 'shop.db')"), 'src/main.ts': opens("join(process.cwd(), 'cart.db')") },
  { 'src/db.ts': opens("join(process.cwd(), 'shop.db')"), 'src/main.ts': opens('fileOf(user)') },
  { 'src/db.ts': opens("join(process.cwd(), 'tests', 'shop.db')") },
  { 'src/db.ts': opens("join(process.cwd(), '..', 'shop.db')") },
  { 'src/db.ts': opens("join(process.cwd(), 'shop.db')"), 'package.json': '{"dependencies":{"pg":"8"}}' },
])('takes no file that a program opens where another one may be the database: %j', async (files) => {
  expect(await defaultOf({ 'package.json': '{}', ...files })).toBeUndefined();
});

it('reads which file a program opens that is built to another folder, where the path leads out of its own', async () => {
  await defaultOf({ 'package.json': '{}', 'src/db.ts': opens("join(import.meta.dirname, '../shop.db')") });
  const { connections } = await project.book().list(signal);
  expect(connections).toEqual([expect.objectContaining({ target: 'shop.db', isDefault: true })]);
});

const pg = { 'package.json': '{"dependencies":{"pg":"8"}}' };

it.each([
  [
    { 'db.js': "const { Pool } = require('pg');\nnew Pool({ host: process.env.DB_HOST, database: 'shop' });\n" },
    'db: host refers to DB_HOST, which the .env files do not set',
  ],
  [
    {
      'db.js':
        "const { Pool } = require('pg');\nnew Pool({ user: 'u', password: process.env.P, database: process.env.D });\n",
    },
    'db: password refers to P, which the .env files do not set',
  ],
  [
    {
      'db.js': "const { Pool } = require('pg');\nnew Pool({ host: 'localhost', database: 'a' });\n",
      'server.js': "const { Client } = require('pg');\nnew Client({ host: 'localhost', database: 'b' });\n",
    },
    'names a database in program code',
  ],
  [
    {
      'db.js': "const { Pool } = require('pg');\nnew Pool({ host: 'localhost', database: 'a' });\n",
      'config.js': "const url = process.env.URL || 'sqlite:a.db';\n",
    },
    'names a database in program code',
  ],
  [
    {
      'db.js':
        "const { Pool } = require('pg');\nconst Database = require('better-sqlite3');\nlive ? new Pool({ host: 'localhost', database: 'a' }) : new Database('a.db');\n",
    },
    'names a database in program code',
  ],
  [
    { 'db.js': "const { Pool } = require('pg');\nnew Pool({ host: 'db.example.com', database: 'a' });\n" },
    'names a database in program code',
  ],
  [
    {
      'config.js':
        "exports.main = { host: 'localhost', user: 'u', password: 'p', database: 'a' };\nexports.other = { host: 'localhost', user: 'u', password: 'p', database: 'b' };\n",
    },
    'names a database in program code',
  ],
])('says what is missing where calls of a driver do not settle the default: %j', async (files, reason) => {
  expect(await defaultOf({ ...pg, ...files })).toBeUndefined();
  const { skipped } = await project.book().list(signal);
  expect(skipped[0]?.reason).toContain(reason);
});

it.each<Readonly<Record<string, string>>>([
  { ...goModule, 'config.go': 'path = "a.db"\ndbPath = "b.db"\ndbFile = "c.db"\n' },
  { ...goModule, 'config.go': 'dbPath := filepath.Join(dataDir, "shop.db")\n' },
  { ...goModule, 'config.go': 'dbPath = "/var/lib/shop.db"\n' },
  { ...goModule, 'config.go': 'dbPath = "shop.db"\ndbType = "mysql"\n' },
  { 'package.json': '{}', 'packages/tool/package.json': '{}', 'packages/tool/config.ts': "db = 'sqlite:shop.db'\n" },
  { 'settings.py': 'DB = "postgres://u@db.internal/shop"\n' },
  { 'settings.py': 'DB_URL = "postgres://u@localhost:5432"\n' },
  { 'settings.ts': "const db = 'postgres://u@localhost/shop';\nconst isLive = mode === 'production';\n" },
  { 'settings.py': 'class TestConfig:\n    DB = "postgres://u@localhost/shop"\n' },
])('names the place in program code that does not settle the default: %j', async (files) => {
  expect(await defaultOf(files)).toBeUndefined();
  const { skipped } = await project.book().list(signal);
  expect(skipped[0]).toMatchObject({
    line: expect.any(Number),
    reason: expect.stringContaining('names a database in program code'),
  });
});

it.each([
  [{}, 'docker-run:shop'],
  [{ '.env': 'DATABASE_URL=postgres://postgres:p@db/shop\n' }, 'docker-run:shop'],
  [{ '.env': 'DATABASE_URL=postgres://postgres:p@db/other\n' }, undefined],
  [{ '.env': 'DATABASE_URL=postgres://u@localhost/own\n' }, 'env:DATABASE_URL'],
])('takes a container that a script starts where settings name none or that one: %j', async (settings, id) => {
  const script = 'docker run --name shop -e POSTGRES_DB=shop -e POSTGRES_PASSWORD=p -p 5440:5432 postgres\n';
  expect(await defaultOf({ 'db.sh': script, ...settings })).toBe(id);
});

describe('a PostgreSQL URL that names no database', () => {
  const url = (text: string): Record<string, string> => ({
    'package.json': '{}',
    'schema.prisma': `datasource db {\n  provider = "postgresql"\n  url = "${text}"\n}\n`,
  });
  const service = (user: string, database: string, port = 5432): string =>
    `image: postgres, ports: ["${port}:5432"], environment: {POSTGRES_USER: ${user}, POSTGRES_PASSWORD: x, POSTGRES_DB: ${database}}`;
  const container = (...args: Parameters<typeof service>): Record<string, string> => ({
    'compose.yaml': `services:\n  db: {${service(...args)}}\n`,
  });
  const script = {
    'db.sh': 'docker run -e POSTGRES_USER=u -e POSTGRES_DB=shop -e POSTGRES_PASSWORD=x -p 5432:5432 postgres\n',
  };

  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    ["means the user's", {}, 'localhost:5432/u'],
    ["means the one of the server's container", container('u', 'shop'), 'localhost:5432/shop'],
    ['means the one of a container that a script starts', script, 'localhost:5432/shop'],
    ["means the user's beside another user's container", container('v', 'shop'), 'localhost:5432/u'],
    ["means the user's beside a container at another port", container('u', 'shop', 5433), 'localhost:5432/u'],
    ["means the user's where containers disagree", { ...container('u', 'other'), ...script }, 'localhost:5432/u'],
  ])('%s', async (_name, files, target) => {
    expect(await defaultOf({ ...url('postgres://u:x@localhost'), ...files })).toBe('prisma:db');
    const { connections } = await project.book().list(signal);
    expect(connections.find(({ isDefault }) => isDefault)?.target).toBe(target);
  });

  it('keeps the database that it names beside a container with another one', async () => {
    await defaultOf({ ...url('postgres://u:x@localhost/own'), ...container('u', 'shop') });
    const { connections } = await project.book().list(signal);
    expect(connections.find(({ isDefault }) => isDefault)?.target).toBe('localhost:5432/own');
  });

  it.each(['postgres://localhost', 'mysql://u:x@localhost'])('is none without a user or on MySQL: %s', async (text) => {
    expect(await defaultOf(url(text))).toBeUndefined();
    const { skipped } = await project.book().list(signal);
    expect(skipped).toContainEqual(expect.objectContaining({ reason: 'db: the URL names no database' }));
  });

  it('is none in a variable that anything may read', async () => {
    expect(await defaultOf({ '.env': 'SHOP_SERVER=postgres://u:x@localhost\n' })).toBeUndefined();
  });
});

it('takes no file that lies about where nothing says which of several engines is used', async () => {
  const services =
    '  pg: {image: postgres, ports: ["5432:5432"], environment: {POSTGRES_PASSWORD: x}}\n' +
    '  maria: {image: mariadb, ports: ["3306:3306"], environment: {MARIADB_ROOT_PASSWORD: x, MARIADB_DATABASE: d}}\n';
  expect(await defaultOf({ 'app.db': '', 'compose.yaml': `services:\n${services}` })).toBeUndefined();
  project.remove();
  const settings = { '.env': 'DATABASE_URL=mysql://root:x@localhost/d\n' };
  expect(await defaultOf({ ...settings, 'compose.yaml': `services:\n${services}` })).toBe('env:DATABASE_URL');
});

it.each([
  { '.env': 'DATABASE_URL=sqlite::memory:\n' },
  { '.env.development': 'SHOP_DATABASE_CONNECTION=file::memory:?cache=shared\n' },
])('takes no default of program code where development uses a database in memory: %j', async (settings) => {
  expect(await defaultOf({ ...settings, 'settings.py': 'DB = "sqlite:///shop.db"\n' })).toBeUndefined();
});

it('takes the default of program code where only test runs use a database in memory', async () => {
  const tests = { '.env.test': 'DATABASE_URL=sqlite::memory:\n', 'settings.py': 'DB = "sqlite:///shop.db"\n' };
  expect(await defaultOf(tests)).toBe('code:settings');
});

it('takes no default of program code where settings name a database that could not be read', async () => {
  const unread = { Gemfile: '', 'config/database.yml': 'development:\n  adapter: postgresql\n  url: <%= `x` %>\n' };
  expect(await defaultOf({ ...unread, 'settings.py': 'DB = "sqlite:///shop.db"\n' })).toBeUndefined();
});

it('is not silent about a project that names no database at all', async () => {
  expect(await defaultOf({ 'package.json': '{}' })).toBeUndefined();
  const { skipped } = await project.book().list(signal);
  expect(skipped).toEqual([
    expect.objectContaining({ file: '.', reason: expect.stringContaining('name it in .devdbrc') }),
  ]);
});

it('takes a path with three slashes for one below the project rather than right in a folder of the system', async () => {
  await defaultOf({ '.env': 'DATABASE_URL=sqlite:///var/shop.db\n' });
  const { connections } = await project.book().list(signal);
  expect(connections).toEqual([expect.objectContaining({ isDefault: true, target: 'var/shop.db' })]);
});

describe('the default of a repository with many applications', () => {
  const url = (database: string): string => `DATABASE_URL=postgres://u@localhost/${database}\n`;

  it.each([
    ['that most of them name', { alpha: 'plugins', core: 'shop', worker: 'shop' }, 'env:packages/core/DATABASE_URL'],
    [
      'of the first where none is named more often',
      { alpha: 'plugins', core: 'shop' },
      'env:packages/alpha/DATABASE_URL',
    ],
    [
      "of the server's own folder",
      { api: 'shop', beta: 'plugins', worker: 'plugins' },
      'env:packages/api/DATABASE_URL',
    ],
  ])('is the database %s', async (_name, apps, id) => {
    const files = Object.entries(apps).map(([name, database]) => [`packages/${name}/.env`, url(database)]);
    expect(await defaultOf(Object.fromEntries(files))).toBe(id);
  });

  it('is the database that most .NET projects name', async () => {
    const settings = (database: string) =>
      JSON.stringify({ ConnectionStrings: { Main: `Host=localhost;Database=${database}` } });
    const files = { 'src/Audit/Jobs': 'audit', 'src/Shop/Mvc': 'shop', 'src/Shop/Worker': 'shop' };
    const all = Object.entries(files).flatMap(([folder, database]) => [
      [`${folder}/App.csproj`, ''],
      [`${folder}/appsettings.json`, settings(database)],
    ]);
    expect(await defaultOf(Object.fromEntries(all))).toBe('dotnet:src/Shop/Mvc/Main');
  });

  it("is the program's in a folder that is called like one, before those of other folders", async () => {
    const files = { 'src/Hosts/Accounts': 'accounts', 'src/Hosts/Web': 'shop' };
    const all = Object.entries(files).flatMap(([folder, database]) => [
      [`${folder}/App.csproj`, ''],
      [`${folder}/appsettings.json`, `{"ConnectionStrings":{"Main":"Host=localhost;Database=${database}"}}`],
    ]);
    expect(await defaultOf({ 'shop.sln': '', ...Object.fromEntries(all) })).toBe('dotnet:src/Hosts/Web/Main');
  });

  it.each([
    ['none where each module of a JVM build has its own', { orders: 'orders', stock: 'stock' }, undefined],
    ['the one that its modules share', { audit: 'audit', orders: 'shop', stock: 'shop' }, 'orders'],
    ['that of its only module with one', { orders: 'orders' }, 'orders'],
    ["the server's own", { server: 'shop', stock: 'stock' }, 'server'],
  ])('is %s', async (_name, modules, module) => {
    const files = Object.entries(modules).flatMap(([name, database]) => [
      [`${name}/pom.xml`, ''],
      [
        `${name}/src/main/resources/application.properties`,
        `spring.datasource.url=jdbc:postgresql://localhost/${database}\n`,
      ],
    ]);
    const id = await defaultOf({ 'pom.xml': '', ...Object.fromEntries(files) });
    expect(id).toBe(module === undefined ? undefined : `spring:${module}/datasource`);
  });

  it("is still the root's own, whatever the others share", async () => {
    const files = { '.env': url('own'), 'packages/a/.env': url('shop'), 'packages/b/.env': url('shop') };
    expect(await defaultOf(files)).toBe('env:DATABASE_URL');
  });
});

it('takes no container for the default where development runs an engine of its own', async () => {
  const profile = 'spring:\n  datasource:\n    url: jdbc:h2:mem:shop\n';
  const files = { 'build.gradle': '', 'src/main/resources/config/application-dev.yml': profile };
  expect(await defaultOf({ ...files, 'src/main/docker/postgresql.yml': compose('shop') })).toBeUndefined();
});

it('takes none of several engines for one database, nor what stands beside them, where the settings could not be read', async () => {
  const engines = `${compose('shop')}  maria: {image: mariadb, ports: ["3306:3306"], environment: {MARIADB_ROOT_PASSWORD: x, MARIADB_DATABASE: shop}}\n`;
  const beside =
    '  own: {image: mysql, ports: ["3307:3306"], environment: {MYSQL_ROOT_PASSWORD: x, MYSQL_DATABASE: own}}\n';
  const settings = {
    'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'app.settings')\n",
    'app/settings.py': 'DATABASES = load()\n',
  };
  expect(await defaultOf({ 'compose.yml': engines })).toBeUndefined();
  project.remove();
  expect(await defaultOf({ ...settings, 'compose.yml': engines + beside })).toBeUndefined();
});

it.each<[string, string]>([
  ['.env', 'DATABASE_URL=sqlite:data/store\n'],
  ['.env', 'DATABASE_URL=file:./data/store\n'],
  ['config/database.yml', 'development:\n  adapter: sqlite3\n  database: data/store\n'],
])('takes a SQLite file without a usual ending that %s names', async (file, text) => {
  await defaultOf({ [file]: text, Gemfile: '' });
  project.database('data/store');
  const { connections } = await project.book().list(signal);
  expect(connections.filter(({ isDefault }) => isDefault).map(({ target }) => target)).toEqual(['data/store']);
});

describe('a container whose database nobody names', () => {
  const bare =
    'services:\n  db:\n    image: postgres\n    ports: ["5544:5432"]\n    environment: {POSTGRES_PASSWORD: x}\n';
  const unread = { 'knexfile.js': "module.exports = make(require('./dist/config'));\n" };

  it('is the default where nothing else says anything', async () => {
    expect(await defaultOf({ 'compose.yml': bare })).toBe('compose:db');
  });

  it('is none where the settings could not be read, unlike one that names its database', async () => {
    expect(await defaultOf({ 'compose.yml': bare, ...unread })).toBeUndefined();
    project.remove();
    expect(await defaultOf({ 'compose.yml': compose('shop'), ...unread })).toBe('compose:db');
  });

  it('is the default where the settings name its database, and only their host could not be reached', async () => {
    const settings = {
      'pyproject.toml': '',
      'config.py': "SQLALCHEMY_DATABASE_URI = 'postgresql://postgres:x@store_1/postgres'\n",
    };
    expect(await defaultOf({ 'compose.yml': bare, ...settings })).toBe('compose:db');
  });
});

it('takes no container of another engine for the default than the one that the settings name, as far as they could be read', async () => {
  const settings = (dialect: string): Record<string, string> => ({
    'package.json': '{"dependencies": {"sequelize": "6"}}',
    'models/index.js': `new Sequelize({ dialect: '${dialect}', storage: at('a.db'), host: at('h'), database: 'd' });\n`,
  });
  expect(await defaultOf({ 'compose.yml': compose('shop'), ...settings('sqlite') })).toBeUndefined();
  project.remove();
  expect(await defaultOf({ 'compose.yml': compose('shop'), ...settings('postgres') })).toBe('compose:db');
});

it("takes Spring's profile for a developer's own machine before the one for development, unless that is switched on", async () => {
  const source = (database: string): string => `spring.datasource.url=jdbc:mysql://localhost:3306/${database}\n`;
  const files = (general: string) => ({
    'pom.xml': '',
    'src/main/resources/application.properties': general,
    'src/main/resources/application-dev.properties': source('dev'),
    'src/main/resources/application-local.properties': source('local'),
  });
  expect(await defaultOf(files(source('old')))).toBe('spring:datasource@local');
  project.remove();
  expect(await defaultOf(files('spring.profiles.active=dev\n'))).toBe('spring:datasource@dev');
});

it('takes the settings of an application before variables of the tools that a developer starts beside it', async () => {
  const tools = { 'dev/.env': 'DATABASE_URL=postgres://u@localhost:5544/shop_dev\n' };
  const phoenix = {
    'mix.exs': '{:postgrex, ">= 0.0.0"}',
    'config/dev.exs': 'import Config\nconfig :shop, Shop.Repo, hostname: "localhost", database: "shop_dev"\n',
  };
  expect(await defaultOf({ ...tools, ...phoenix })).toBe('phoenix:Shop.Repo');
  project.remove();
  expect(await defaultOf(tools)).toBe('env:dev/DATABASE_URL');
});

it('suggests what is known of a container whose account a person has yet to fill in', async () => {
  const account = 'environment: {POSTGRES_USER: YOUR_USER, POSTGRES_PASSWORD: x, POSTGRES_DB: shop}';
  const text = `services: {db: {image: postgres, ports: ["5544:5432"], ${account}}}\n`;
  expect(await defaultOf({ 'compose.yaml': text })).toBeUndefined();
  const { skipped } = await project.book().state(signal);
  expect(skipped).toEqual([
    expect.objectContaining({
      reason: expect.stringContaining('placeholders'),
      suggests: { kind: 'postgres', host: '127.0.0.1', port: 5544, user: undefined, database: 'shop' },
    }),
  ]);
});

describe('a file that the settings of a Worker with D1 name', () => {
  const worker = { 'wrangler.jsonc': '{"d1_databases":[{"binding":"DB"}]}', '.env': 'DATABASE_URL=file:./node.db\n' };
  const local = '.wrangler/state/v3/d1/miniflare-D1DatabaseObject/aa00.sqlite';

  it.each([
    '{"devDependencies":{"@cloudflare/vite-plugin":"1"}}',
    '{"scripts":{"dev":"wrangler dev --port 8787"}}',
    '{"scripts":{"dev:worker":"npm run build && wrangler pages dev ./dist"}}',
  ])('is no default, since it runs with %s', async (text) => {
    expect(await defaultOf({ ...worker, 'package.json': text })).toBeUndefined();
    project.database(local);
    const { connections } = await project.book().list(signal);
    expect(connections.find(({ isDefault }) => isDefault)?.id).toBe('d1:db');
  });

  it('is the default of a program that Node runs', async () => {
    expect(await defaultOf({ ...worker, 'package.json': '{"scripts":{"dev":"next dev"}}' })).toBe('env:DATABASE_URL');
  });

  it('is the default where the Worker has no D1 database', async () => {
    const files = { ...worker, 'wrangler.jsonc': '{"name":"shop"}' };
    expect(await defaultOf({ ...files, 'package.json': '{"scripts":{"dev":"wrangler dev"}}' })).toBe(
      'env:DATABASE_URL',
    );
  });
});
