import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { nodeSettings } from './node-settings.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>): Promise<DetectorReport> {
  project = new FixtureProject();
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(nodeSettings, project);
}

const PACKAGE = '{"dependencies": {"pg": "8", "js-yaml": "4"}}';

it('reads a settings file of the program itself', async () => {
  const text = 'port: 3000\ndb:\n  type: postgres\n  host: localhost\n  user: u\n  pass: p\n  db: shop\n';
  expect((await reportWith({ 'package.json': PACKAGE, 'config.yml': text })).found).toEqual([
    'node-settings:config.yml#db postgres u:p@localhost:5432/shop config.yml:2',
  ]);
});

it('reads the files of each environment, with the engine of the only driver', async () => {
  const text = (name: string): string => JSON.stringify({ database: { host: 'localhost', name } });
  const files = { 'config/default.json': text('shop'), 'config/production.json': text('sold') };
  expect((await reportWith({ 'package.json': PACKAGE, ...files })).found).toEqual([
    'node-settings:config/default.json#database postgres :@localhost:5432/shop config/default.json:1',
    'node-settings:config/production.json#database postgres :@localhost:5432/sold config/production.json:1 [production]',
  ]);
});

it('reads a database file, and nothing of a program without a driver', async () => {
  const text = '{"development": {"db": {"dialect": "sqlite", "storage": "./shop.sqlite"}}}';
  const driver = '{"dependencies": {"sqlite3": "5"}}';
  expect((await reportWith({ 'package.json': driver, 'config.json': text })).found).toEqual([
    'node-settings:config.json#development.db sqlite shop.sqlite config.json:1',
  ]);
  project.remove();
  expect(await reportWith({ 'package.json': '{}', 'config.json': text })).toEqual({ found: [], skipped: [] });
});

it('says where a server is named and its database is not', async () => {
  const text = 'database:\n  hostname: 127.0.0.1\n  port: 5432\n  suffix: _dev\n  username: u\n  password: p\n';
  project = new FixtureProject();
  project.write('package.json', PACKAGE);
  project.write('config/default.yaml', text);
  project.write('config/local.yaml', 'database:\n  hostname: 127.0.0.1\n');
  const { found, skipped } = await nodeSettings.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found).toEqual([]);
  expect(skipped).toEqual([
    {
      file: 'config/default.yaml',
      line: 1,
      reason: 'config/default.yaml#database: names no database; name it in .devdbrc',
      suggests: { kind: 'postgres', host: '127.0.0.1', port: 5432, user: 'u' },
    },
  ]);
});

it('takes a file of the database, named without an engine, for one of SQLite', async () => {
  const text = (file: string): string => `database:\n  file: "${file}"\n  botData: bots.json\n`;
  const driver = '{"dependencies": {"sqlite3": "5"}}';
  const files = { 'package.json': driver, 'config/development.yaml': text('shop.db') };
  expect((await reportWith(files)).found).toEqual([
    'node-settings:config/development.yaml#database sqlite shop.db config/development.yaml:1',
  ]);
  project.remove();
  expect((await reportWith({ ...files, 'config/development.yaml': text('shop.json') })).found).toEqual([]);
  project.remove();
  const server = `${text('shop.db')}  host: localhost\n  name: shop\n  user: u\n  port: 5432\n`;
  expect((await reportWith({ ...files, 'config/development.yaml': server })).found).toEqual([
    'node-settings:config/development.yaml#database postgres u:@localhost:5432/shop config/development.yaml:1',
  ]);
});

describe('a program without a driver of its own', () => {
  const database = (client: string): string =>
    JSON.stringify({ database: { client, connection: { host: 'pg', database: 'shop', user: 'u', password: '' } } });
  const compose = 'services:\n  pg:\n    image: postgres\n    ports: ["5433:5432"]\n';
  const files = { 'package.json': '{"dependencies": {"shop-data": "1"}}', 'compose.yaml': compose };

  it("uses the compose service that its settings name with that server's engine", async () => {
    expect((await reportWith({ ...files, 'config/config.json': database('pg') })).found).toEqual([
      'node-settings:config/config.json#database postgres u:@pg:5432/shop config/config.json:1',
    ]);
  });

  it.each([
    ['another engine', { 'config/config.json': database('mysql') }],
    ['no service of that name', { 'config/config.json': database('pg').replace('"pg","database"', '"x","database"') }],
    ['no compose file', { 'compose.yaml': '', 'config/config.json': database('pg') }],
  ])('is left alone where there is %s', async (_what, more) => {
    expect(await reportWith({ ...files, ...more })).toEqual({ found: [], skipped: [] });
  });
});
