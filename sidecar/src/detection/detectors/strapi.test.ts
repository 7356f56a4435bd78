// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { strapi } from './strapi.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(strapi, project);
}

const strapi5 = { 'package.json': '{"dependencies":{"@strapi/strapi":"5"}}' };

it('reads the connection that the variables choose; a URL that is not set is none', async () => {
  expect(await reportWith({}, 'strapi')).toEqual({
    found: ['strapi:db postgres cms:s3cret@127.0.0.1:54344/cms{"ssl":false} config/database.ts:30'],
    skipped: [],
  });
});

it('takes a URL that is set, and settings of encryption where the switch is on', async () => {
  const env = 'DATABASE_CLIENT=postgres\nDATABASE_SSL=true\n';
  expect((await reportWith({ '.env': `${env}DATABASE_URL=postgres://u:p@h/d\n` }, 'strapi')).found).toEqual([
    'strapi:db postgres u:p@h:5432/d config/database.ts:30',
  ]);
  project.write('.env', env);
  expect((await reportOf(strapi, project)).found).toEqual([
    'strapi:db postgres cms:cms@127.0.0.1:5432/cms{"ssl":{"rejectUnauthorized":true}} config/database.ts:30',
  ]);
});

it('finds the file of SQLite where the built settings put it', async () => {
  expect((await reportWith({ '.env': '' }, 'strapi')).found).toEqual([
    'strapi:db sqlite .tmp/data.db config/database.ts:30',
  ]);
});

it('reads an exported object, and a function that returns one', async () => {
  const object = "{ connection: { client: 'better-sqlite3', connection: { filename: 'a.db' } } }";
  expect((await reportWith({ ...strapi5, 'config/database.js': `module.exports = ${object};` })).found).toEqual([
    'strapi:db sqlite a.db config/database.js:1',
  ]);
  project.write('config/database.js', `module.exports = ({ env }) => (${object});`);
  expect((await reportOf(strapi, project)).found).toEqual(['strapi:db sqlite a.db config/database.js:1']);
});

it.each([
  ["({ env }) => ({ connection: { client: 'mongo', connection: {} } })", 'DevDB does not support its client'],
  ['({ env }) => ({ connection: { client: pick() } })', 'the client is missing or computed'],
  ["({ env }) => ({ connection: { client: 'mysql' } })", 'has no connection for its client'],
  ['({ env }) => make(env)', 'has no connection that can be read without running code'],
  [
    "({ env }) => { if (env('X')) { return { connection: { client: 'mysql', connection: { database: 'd' } } }; } return make(); }",
    'has no connection that can be read without running code',
  ],
])('leaves %s out with a reason', async (text, reason) => {
  expect(await reportWith({ ...strapi5, 'config/database.js': `module.exports = ${text};` })).toEqual({
    found: [],
    skipped: [`config/database.js:1 ${reason}`],
  });
});

describe('an engine that is only the fallback of a variable', () => {
  const settings = `module.exports = ({ env }) => ({
  connection: { client: env('DB_CLIENT', 'sqlite'), connection: { filename: env('DB_FILE', 'a.db') } },
});`;
  const open = async (services: string, env = ''): Promise<unknown> => {
    project = new FixtureProject();
    const files = { ...strapi5, 'config/database.js': settings, '.env': env, 'compose.yaml': `services:\n${services}` };
    for (const [file, text] of Object.entries(files)) project.write(file, text);
    const { found } = await strapi.detect(await project.view(), AbortSignal.timeout(5_000));
    return found.map(({ kind, neverDefault }) => [kind, neverDefault]);
  };

  it.each([
    ['sets the variable from one that is unset', '  web: {build: ., environment: {DB_CLIENT: "${DB_CLIENT}"}}\n'],
    ['passes the unset variable on', '  web: {build: ., environment: [DB_CLIENT]}\n'],
    [
      'starts a server whose variables are unset',
      '  db: {image: postgres, ports: ["5432:5432"], environment: {POSTGRES_PASSWORD: "${SECRET}"}}\n',
    ],
  ])('is no default where compose %s', async (_name, services) => {
    expect(await open(services)).toEqual([['sqlite', 'undecided']]);
  });

  it.each([
    ['compose has the same fallback', '  web: {build: ., environment: {DB_CLIENT: "${DB_CLIENT:-sqlite}"}}\n', ''],
    ['only other variables are unset', '  web: {build: ., environment: {SECRET: "${SECRET}"}}\n', ''],
    ['the variable is set', '  web: {build: ., environment: {DB_CLIENT: "${CLIENT}"}}\n', 'DB_CLIENT=sqlite\n'],
    ["the server's variables are set", '  db: {image: postgres, environment: {POSTGRES_PASSWORD: x}}\n', ''],
  ])('counts where %s', async (_name, services, env) => {
    expect(await open(services, env)).toEqual([['sqlite', undefined]]);
  });
});

it("reads the default connection of Strapi 3's settings", async () => {
  const text = `module.exports = ({ env }) => ({
  defaultConnection: 'main',
  connections: {
    main: { connector: 'bookshelf', settings: { client: 'mysql', host: env('DB_HOST', '127.0.0.1'), port: env.int('DB_PORT', 3306), database: env('DB_NAME', 'cms'), username: 'u' } },
    other: { connector: 'mongoose', settings: { client: 'mongo', host: 'h' } },
  },
});`;
  const files = { 'package.json': '{"dependencies":{"strapi":"3.5.3"}}', '.env': 'DB_NAME=shop\n' };
  expect(await reportWith({ ...files, 'config/database.js': text })).toEqual({
    found: ['strapi:db mysql2 u:@127.0.0.1:3306/shop config/database.js:4'],
    skipped: [],
  });
});

it('reads the settings that Strapi puts over the common ones for development, and none of other environments', async () => {
  const settings = (client: string): string =>
    `module.exports = ({ env }) => ({ connection: { client: '${client}', connection: { filename: env('F', '.tmp/a.db'), database: 'd' } } });`;
  const files = { ...strapi5, 'config/database.js': settings('postgres') };
  const others = { 'config/env/production/database.js': settings('mysql') };
  expect((await reportWith({ ...files, ...others })).found).toEqual([
    expect.stringContaining('/d config/database.js:1'),
  ]);
  project.write('config/env/development/database.js', settings('sqlite'));
  expect(await reportOf(strapi, project)).toEqual({
    found: ['strapi:db sqlite .tmp/a.db config/env/development/database.js:1'],
    skipped: [],
  });
});
