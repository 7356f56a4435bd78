import { FixtureProject } from '../../test/helpers/fixture-project.ts';
import { detect } from './detect.ts';
import { DETECTORS } from './index.ts';

let project: FixtureProject;

afterEach(() => project.remove());

type Files = Readonly<Record<string, string>>;

/** The id of the first database that may be the default. */
async function defaultOf(files: Files, databases: readonly string[] = []): Promise<string | undefined> {
  project = new FixtureProject();
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  for (const file of databases) project.database(file);
  const options = { projectRoot: project.root, detectors: DETECTORS, now: Date.now, log: () => undefined };
  const { found } = await detect(options, AbortSignal.timeout(30_000));
  return found.find(({ neverDefault, environment }) => neverDefault === undefined && environment === undefined)?.id;
}

const app = { 'package.json': '{"name": "shop", "dependencies": {"pg": "8"}}' };

function server(name: string, port: number, database: string): string {
  const variables = `{POSTGRES_USER: u, POSTGRES_PASSWORD: p, POSTGRES_DB: ${database}}`;
  return `  ${name}:\n    image: postgres\n    ports: ["${port}:5432"]\n    environment: ${variables}\n`;
}

function program(image: string, variables: string): string {
  return `  tool:\n    image: ${image}\n    environment: {${variables}}\n`;
}

function services(...texts: readonly string[]): Files {
  return { ...app, 'compose.yaml': `services:\n${texts.join('')}` };
}

it("takes the application's own data for the default where variables name its queue and cache too", async () => {
  const lines = ['MESSENGER_URL', 'CACHE_DB_URL', 'STORE_URL'].map((name, at) => `${name}=mysql://u@localhost/d${at}`);
  expect(await defaultOf({ ...app, '.env': lines.join('\n') })).toBe('variables:STORE_URL');
});

describe('the database of a program beside the application', () => {
  const own = server('db', 5432, 'shop');

  it.each([
    ['umami/umami', 'DATABASE_URL: "postgresql://u:p@a-db:5432/stats"'],
    ['n8nio/n8n', 'DB_POSTGRESDB_HOST: a-db, DB_POSTGRESDB_DATABASE: stats'],
    ['quay.io/keycloak/keycloak', 'KC_DB_URL: "jdbc:postgresql://a-db/stats"'],
  ])("is no default where only that program's container gets its address: %s", async (image, variables) => {
    const beside = server('a-db', 5433, 'stats');
    expect(await defaultOf(services(beside, program(image, variables), own))).toBe('compose:db');
    project.remove();
    expect(await defaultOf(services(beside, program(image, variables)))).toBeUndefined();
  });

  it.each([
    ['another program', 'shop/web', 'URL: "postgresql://u:p@db/shop"'],
    ['with a database of its own on the same server', 'n8nio/n8n', 'DB_HOST: db, DB_NAME: n8n'],
  ])('does not include one whose address goes to %s', async (_what, image, variables) => {
    expect(await defaultOf(services(own, program(image, variables)))).toBe('compose:db');
  });

  it.each(['UMAMI_DATABASE_URL', 'METABASE_URL', 'LEGACY_DATABASE_URL', 'MESSENGER_URL', 'QUEUE_DATABASE_URL'])(
    'is no default: %s',
    async (name) => {
      const env = `${name}=postgres://u:p@localhost:5433/stats\n`;
      expect(await defaultOf({ ...app, '.env': env })).toBeUndefined();
    },
  );

  it('is known by its name where a program has variables of its own for it', async () => {
    const env = 'MB_DB_TYPE=postgres\nMB_DB_HOST=localhost\nMB_DB_DBNAME=metabase\n';
    expect(await defaultOf({ ...app, '.env': env })).toBeUndefined();
  });

  it('is known by its folder or its service, and in its own project is the default', async () => {
    const env = 'DATABASE_URL=postgres://u:p@localhost:5433/stats\n';
    expect(await defaultOf({ ...app, 'umami/.env': env })).toBeUndefined();
    project.remove();
    expect(await defaultOf(services(server('metabase-db', 5433, 'stats')))).toBeUndefined();
    project.remove();
    // The project's folder is called "project".
    expect(await defaultOf({ ...app, 'shop/.env': env })).toBe('env:shop/DATABASE_URL');
  });
});

it.each([
  ['variables of a usual name', 'DB_HOST=localhost\nDB_NAME=shop\nDB_TYPE=postgres\n', 'variables:db'],
  ['a URL of a usual name', 'POSTGRES_URL=postgres://u:p@localhost/shop\n', 'variables:POSTGRES_URL'],
  ['no other', '', 'env:CRM_DATABASE_URL'],
])('takes a variable of an unknown name after %s', async (_what, env, expected) => {
  expect(await defaultOf({ ...app, '.env': `CRM_DATABASE_URL=postgres://u:p@localhost/crm\n${env}` })).toBe(expected);
});

describe('a folder of examples', () => {
  const env = 'DATABASE_URL=postgres://u:p@localhost/shop\n';

  it.each(['example', '_examples', 'demo', 'docs', 'packages/template', 'benchmarks', 'legacy', 'apps/shop-e2e'])(
    'names no default beside an application in the root: %s',
    async (folder) => {
      expect(await defaultOf({ ...app, [`${folder}/.env`]: env })).toBeUndefined();
    },
  );

  it('leaves the modules of a build that have databases of their own without a default', async () => {
    const source = (name: string): string => `spring.datasource.url=jdbc:postgresql://localhost/${name}\n`;
    const files = Object.fromEntries(
      ['example', 'orders'].map((name) => [`${name}/src/main/resources/application.properties`, source(name)]),
    );
    const modules = { 'pom.xml': '<project/>', 'example/pom.xml': '', 'orders/pom.xml': '' };
    expect(await defaultOf({ ...modules, ...files })).toBeUndefined();
  });

  it('may be all there is of the project', async () => {
    expect(await defaultOf({ 'demo/.env': env })).toBe('env:demo/DATABASE_URL');
  });
});

it.each(['mlflow.db', 'celerybeat-schedule.db', 'httpcache.sqlite', 'data/chroma.sqlite3'])(
  "takes no program's own records for the application's database: %s",
  async (file) => {
    expect(await defaultOf({}, [file])).toBeUndefined();
    project.remove();
    expect(await defaultOf({}, [file, 'data/shop.db'])).toBe('data/shop.db');
  },
);

it("takes .NET's strings for jobs, logs and accounts, and a scheduler's source, after the application's own", async () => {
  const text = (database: string): string => `Host=localhost;Database=${database};Username=u`;
  const strings = { Hangfire: text('jobs'), IdentityConnection: text('accounts'), Shop: text('shop') };
  const settings = JSON.stringify({ ConnectionStrings: strings });
  expect(await defaultOf({ 'shop.csproj': '<Project/>', 'appsettings.json': settings })).toBe('dotnet:Shop');
  project.remove();
  const source = (prefix: string, name: string): string => `${prefix}.url=jdbc:postgresql://localhost/${name}\n`;
  const properties = source('quartz.datasource', 'jobs') + source('spring.datasource', 'shop');
  const files = { 'pom.xml': '<project/>', 'src/main/resources/application.properties': properties };
  expect(await defaultOf(files)).toBe('spring:datasource');
});

describe('a database file that no settings name', () => {
  it.each<[string, Files]>([
    ['Node', { 'package.json': '{"dependencies": {"pg": "8"}}' }],
    ['Ruby', { Gemfile: "gem 'pg'\n" }],
    ['Go', { 'go.mod': 'module shop\nrequire github.com/lib/pq v1.10.9\n' }],
  ])('is no default where the drivers of a %s program are for a server alone', async (_language, files) => {
    expect(await defaultOf(files, ['cache.db'])).toBeUndefined();
  });

  it.each<[string, Files]>([
    ['a driver for SQLite', { 'package.json': '{"dependencies": {"pg": "8", "better-sqlite3": "12"}}' }],
    ['no driver', { 'package.json': '{"dependencies": {"express": "5"}}' }],
    ['SQLite in its language', { 'requirements.txt': 'psycopg2-binary==2.9.9\n' }],
  ])('may be the default of a program with %s', async (_what, files) => {
    expect(await defaultOf(files, ['shop.db'])).toBe('shop.db');
  });
});

describe('a database that only its name says to be for tests', () => {
  const named = (name: string): Files => services(server('db', 5432, name));
  const env = 'POSTGRES_HOST=localhost\nPOSTGRES_DB=test_db\nPOSTGRES_USER=u\nPOSTGRES_PASSWORD=p\n';

  it('is the default where variables and the compose file name it and nothing another', async () => {
    expect(await defaultOf({ ...named('test_db'), '.env': env }, ['shop.db'])).toBe('variables:postgres');
  });

  it.each<[string, Files]>([
    ['only the compose file names it', named('test_db')],
    ['only variables name it', { ...app, '.env': env }],
    ['the variables are for tests', { ...named('test_db'), '.env.test': env }],
    ['the compose file names another', { ...named('shop_test'), '.env': env }],
  ])('is none where %s', async (_what, files) => {
    expect(await defaultOf(files)).toBeUndefined();
  });

  it('is none beside another', async () => {
    const files = { ...services(server('db', 5432, 'test_db'), server('own', 5433, 'shop')), '.env': env };
    expect(await defaultOf(files)).toBe('compose:own');
  });
});

it('takes no file in the root of a Rust workspace for the default whose programs use different engines', async () => {
  const driver = (text: string): string => `[package]\nname = "x"\n[dependencies]\n${text}\n`;
  const workspace = (second: string): Files => ({
    'Cargo.toml': '[workspace]\nmembers = [\n  "files/one",\n  "two",\n]\n',
    'files/one/Cargo.toml': driver('rusqlite = "0.31"'),
    'two/Cargo.toml': driver(second),
  });
  expect(await defaultOf(workspace('tokio-postgres = "0.7"'), ['shop.db'])).toBeUndefined();
  project.remove();
  expect(await defaultOf(workspace('rusqlite = "0.31"'), ['shop.db'])).toBe('shop.db');
});
