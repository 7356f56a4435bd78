// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { typeorm } from './typeorm.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(typeorm, project);
}

it('reads data sources in code and in ormconfig.json', async () => {
  expect(await reportWith({}, 'typeorm')).toEqual({
    found: [
      'typeorm:cache sqlite data/cache.sqlite ormconfig.json:2',
      'typeorm:default mysql2 test:pa$$word@localhost:33061/shop src/data-source.ts:6',
    ],
    skipped: ['ormconfig.json:3 search: DevDB does not support its type'],
  });
});

it("reads the options in Nest's module", async () => {
  const text = `@Module({
  imports: [
    ConfigModule.forRoot(),
    TypeOrmModule.forRoot({ type: 'postgres', url: process.env.DB_URL, ssl: { rejectUnauthorized: false } }),
    TypeOrmModule.forFeature([User]),
  ],
})
export class AppModule {}
`;
  const files = { 'package.json': '{}', 'src/app.module.ts': text, '.env': 'DB_URL=postgres://u:p@127.0.0.1:5433/d' };
  expect(await reportWith(files)).toEqual({
    found: ['typeorm:default postgres u:p@127.0.0.1:5433/d src/app.module.ts:4'],
    skipped: [],
  });
});

it('suggests what is known of a source whose database a person has yet to name', async () => {
  project = new FixtureProject();
  const names = { username: 'your username', password: 'your password', database: 'your database name' };
  project.write('ormconfig.json', JSON.stringify({ type: 'mysql', host: 'localhost', port: 3307, ...names }));
  const { found, skipped } = await typeorm.detect(await project.view(), new AbortController().signal);
  expect(found).toEqual([]);
  expect(skipped).toEqual([
    expect.objectContaining({
      reason: 'default: still has placeholders that a person has to fill in',
      suggests: { kind: 'mysql2', host: 'localhost', port: 3307, user: undefined, database: undefined },
    }),
  ]);
});

it.each([
  [
    "new DataSource({ type: 'postgres', host: process.env.NOPE, database: 'd' })",
    'default: host refers to NOPE, which the .env files do not set',
  ],
  [
    "new DataSource({ type: 'postgres', database: 'd', password: readFileSync('x', 'utf8') })",
    'default: password is computed and cannot be determined without running code',
  ],
  ["new DataSource({ type: 'postgres', database: 'd', ...overrides })", 'default: the type is missing or computed'],
  ["new DataSource({ type: 'oracle', database: 'd' })", 'default: DevDB does not support its type'],
  [
    'new DataSource(makeOptions())',
    'the options of the data source are computed and cannot be read without running code',
  ],
])('leaves %j out with a reason', async (text, reason) => {
  const { found, skipped } = await reportWith({ 'data-source.ts': `export const source = ${text};` });
  expect(found).toEqual([]);
  expect(skipped).toEqual([`data-source.ts:1 ${reason}`]);
});
