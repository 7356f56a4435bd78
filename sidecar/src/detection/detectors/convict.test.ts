import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { convict } from './convict.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(schema: string, files: Readonly<Record<string, string>> = {}): Promise<DetectorReport> {
  project = new FixtureProject();
  project.write('package.json', '{"dependencies": {"convict": "6", "pg": "8"}}');
  project.write('src/config/index.ts', `import convict from 'convict';\nexport default convict({ ${schema} });\n`);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(convict, project);
}

const field = (value: string, env = ''): string => `{ doc: 'x', default: ${value}${env && `, env: '${env}'`} }`;
const connection = (database: string): string =>
  `{ host: ${field("'127.0.0.1'")}, port: ${field('5433', 'PG_PORT')}, user: ${field("'u'")}, password: ${field("''")}, ${database}: ${field("'shop'", 'PG_NAME')} }`;

it('takes the defaults of a schema, and the variables over them', async () => {
  const schema = `port: ${field('80', 'PORT')}, pg: { connection: ${connection('database')} }`;
  expect(await reportWith(schema)).toEqual({
    found: ['convict:connection postgres u:@127.0.0.1:5433/shop src/config/index.ts:2'],
    skipped: [],
  });
  project.remove();
  expect((await reportWith(schema, { '.env': 'PG_NAME=other\n' })).found).toEqual([
    'convict:connection postgres u:@127.0.0.1:5433/other src/config/index.ts:2',
  ]);
});

it("takes a group's name for a database's only where the group is one", async () => {
  expect((await reportWith(`db: ${connection('name')}`)).found).toHaveLength(1);
  project.remove();
  expect(await reportWith(`server: ${connection('name')}`)).toEqual({ found: [], skipped: [] });
});

it.each([
  ['no account', `db: { host: ${field("'h'")}, port: ${field('1')}, database: ${field("'d'")} }`],
  ['no default', `db: ${connection('database').replace("default: 'shop', ", '')}`],
  ['values instead of rules', "db: { host: 'h', user: 'u', database: 'd' }"],
])('is silent about %s', async (_, schema) => {
  expect((await reportWith(schema)).found).toEqual([]);
});
