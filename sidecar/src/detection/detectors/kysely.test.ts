import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { kysely } from './kysely.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(kysely, project);
}

const uses = { 'package.json': '{"dependencies":{"kysely":"0.27"}}' };

it('reads the pool that a dialect is made with', async () => {
  expect(await reportWith({}, 'kysely')).toEqual({
    found: ['kysely:src/db postgres shop:s3cret@127.0.0.1:54347/shop src/db.ts:5'],
    skipped: [],
  });
});

it.each([
  [
    'src/database.ts',
    "new SqliteDialect({ database: new SQLite('shop.db') })",
    'kysely:src/database sqlite shop.db src/database.ts:1',
  ],
  [
    'db/index.ts',
    "new MysqlDialect({ pool: createPool({ uri: 'mysql://u:p@h/d' }) })",
    'kysely:db/index mysql2 u:p@h:3306/d db/index.ts:1',
  ],
  [
    '.config/kysely.config.ts',
    "import 'kysely-ctl'; export default defineConfig({ dialect: 'better-sqlite3', dialectConfig: { database: database('a.db') } })",
    'kysely:.config/kysely.config sqlite a.db .config/kysely.config.ts:1',
  ],
])('reads %s: %s', async (file, text, expected) => {
  expect(await reportWith({ ...uses, [file]: text })).toEqual({ found: [expected], skipped: [] });
});

it('says when the driver is made by code, and reads no project without Kysely', async () => {
  const files = { 'src/db.ts': 'new PostgresDialect({ pool: async () => make() })\n' };
  expect(await reportWith({ ...uses, ...files })).toEqual({
    found: [],
    skipped: ["src/db.ts:1 src/db: the dialect's driver is made by code, which is not run"],
  });
  project.write('package.json', '{}');
  expect(await reportOf(kysely, project)).toEqual({ found: [], skipped: [] });
});
