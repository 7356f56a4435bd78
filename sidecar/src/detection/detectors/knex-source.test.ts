import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { knexSource } from './knex-source.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>): Promise<DetectorReport> {
  project = new FixtureProject();
  project.write('package.json', JSON.stringify({ dependencies: { knex: '3', pg: '8' } }));
  project.write('.env', 'DB_TYPE=mysql\nDB_HOST=localhost\nDB_PORT=5433\nDB_NAME=shop\nURL=postgres://u@localhost/d\n');
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(knexSource, project);
}

const CONNECTION =
  '{ host: process.env.DB_HOST, port: process.env.DB_PORT, database: process.env.DB_NAME, user: "u", password: "p" }';
const FOUND = 'postgres u:p@localhost:5433/shop';

it.each<readonly [string, string, string]>([
  ['src/db.js', `const knex = require('knex')({ client: 'pg', connection: ${CONNECTION} });`, `default ${FOUND}`],
  [
    'config/database.ts',
    `// objection\nregisterAs('db', () => ({ connections: { main: { client: 'pg', connection: ${CONNECTION} } } }));`,
    `main ${FOUND}`,
  ],
  [
    'src/app.module.ts',
    `KnexModule.forRoot({ config: { client: 'pg', connection: process.env.URL } })`,
    'config postgres u:@localhost:5432/d',
  ],
  [
    'server/knex.js',
    `const knex = require('knex');\nmodule.exports = knex({ client: 'better-sqlite3', connection: { filename: './data/shop.db' } });`,
    'default sqlite data/shop.db',
  ],
])('reads the connection of %s', async (file, text, found) => {
  const line = text.split('\n').length;
  expect(await reportWith({ [file]: text })).toEqual({ found: [`knex-source:${found} ${file}:${line}`], skipped: [] });
});

it('takes the environment from the key of an entry', async () => {
  const text = `// knex\nmodule.exports = {\n development: { client: 'pg', connection: ${CONNECTION} },\n production: { client: 'pg', connection: process.env.URL } };`;
  expect((await reportWith({ 'src/config/database.js': text })).found).toEqual([
    `knex-source:development ${FOUND} src/config/database.js:3`,
    'knex-source:production postgres u:@localhost:5432/d src/config/database.js:4 [production]',
  ]);
});

it('lets none of several connections be the default', async () => {
  const text = `// knex\nconst a = { client: 'pg', connection: process.env.URL };\nconst b = { client: 'mysql2', connection: ${CONNECTION} };`;
  project = new FixtureProject();
  project.write('package.json', '{"dependencies":{"knex":"3"}}');
  project.write('.env', 'DB_HOST=localhost\nDB_PORT=5433\nDB_NAME=shop\nURL=postgres://u@localhost/d\n');
  project.write('src/db.js', text);
  const { found } = await knexSource.detect(await project.view(), AbortSignal.timeout(30_000));
  expect(found.map(({ neverDefault }) => neverDefault)).toEqual(['undecided', 'undecided']);
});

it.each([
  ['another library', { 'src/db.js': "const queue = { client: 'pg', connection: 'postgres://u@localhost/d' };" }],
  ['no engine', { 'src/db.js': "// knex\nconst queue = { client: redis, connection: { host: 'localhost' } };" }],
  [
    'a knexfile',
    {
      'knexfile.js': 'module.exports = {};',
      'src/db.js': "knex({ client: 'pg', connection: 'postgres://u@localhost/d' })",
    },
  ],
])('leaves alone what is of %s', async (_, files) => {
  expect(await reportWith(files)).toEqual({ found: [], skipped: [] });
});
