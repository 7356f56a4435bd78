// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { adonis } from './adonis.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(adonis, project);
}

const rc = { '.adonisrc.json': '{}' };

it("reads Lucid's connections, the chosen one first", async () => {
  expect(await reportWith({}, 'adonis')).toEqual({
    found: [
      'adonis:sqlite sqlite tmp/db.sqlite3 config/database.ts:8',
      'adonis:postgres postgres root:root@127.0.0.1:5432/app config/database.ts:15',
    ],
    skipped: [],
  });
  const { found } = await (await import('./adonis.ts')).adonis.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.toSorted((a, b) => a.priority - b.priority)[0]?.id).toBe('adonis:postgres');
});

it('reads the form of Adonis 5', async () => {
  const text = `import Env from '@ioc:Adonis/Core/Env'
const databaseConfig: DatabaseConfig = {
  connection: Env.get('DB_CONNECTION'),
  connections: { mysql: { client: 'mysql2', connection: { host: Env.get('MYSQL_HOST'), user: 'u', password: Env.get('MYSQL_PASSWORD', ''), database: 'd' } } },
}
export default databaseConfig`;
  const files = { ...rc, 'config/database.ts': text, '.env': 'DB_CONNECTION=mysql\nMYSQL_HOST=localhost' };
  expect((await reportWith(files)).found).toEqual(['adonis:mysql mysql2 u:@localhost:3306/d config/database.ts:4']);
});

it.each([
  [
    "{ connection: 'pg', connections: { pg: { client: 'pg', connection: { host: env.get('NOPE'), database: 'd' } } } }",
    'pg: host refers to NOPE, which the .env files do not set',
  ],
  [
    "{ connections: { pg: { client: 'pg', connection: connectionOf(env) } } }",
    'pg: the connection is computed and cannot be determined without running code',
  ],
  ["{ connections: { pg: { client: 'oracledb', connection: {} } } }", 'pg: DevDB does not support its client'],
  ["{ connections: { pg: { client: 'pg' } } }", 'pg: has no connection'],
  ['makeConfig()', 'has no connections that can be read without running code'],
])('leaves %j out with a reason', async (text, reason) => {
  const { found, skipped } = await reportWith({ ...rc, 'config/database.ts': `export default defineConfig(${text})` });
  expect(found).toEqual([]);
  expect(skipped).toEqual([`config/database.ts:1 ${reason}`]);
});

it('requires a default that is one of the connections', async () => {
  const text = "export default { connection: 'x', connections: { y: { client: 'pg', connection: 'postgres://h/d' } } }";
  expect((await reportWith({ ...rc, 'config/database.ts': text })).skipped).toEqual([
    'config/database.ts:1 the default connection is not one of its connections',
  ]);
});

it('reads connections that stand beside the choice, as in older releases', async () => {
  const config = `module.exports = {
    connection: Env.get('DB_CONNECTION', 'sqlite'),
    sqlite: { client: 'sqlite3', connection: { filename: Helpers.databasePath(Env.get('DB_FILE', 'shop.sqlite')) } },
    mysql: { client: 'mysql', connection: { host: 'localhost', user: 'u', password: 'p', database: 'shop' } },
  }`;
  const { found } = await reportWith({ ace: '', 'config/database.js': config });
  expect(found).toEqual([
    'adonis:sqlite sqlite database/shop.sqlite config/database.js:3',
    'adonis:mysql mysql2 u:p@localhost:3306/shop config/database.js:4',
  ]);
});
