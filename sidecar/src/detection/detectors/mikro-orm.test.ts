import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { mikroOrm } from './mikro-orm.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(mikroOrm, project);
}

it('takes the engine from the package, and its user where none is named', async () => {
  expect(await reportWith({}, 'mikro-orm')).toEqual({
    found: ['mikro-orm:db postgres postgres:s3cret@127.0.0.1:54346/shop src/mikro-orm.config.ts:3'],
    skipped: [],
  });
});

it.each([
  [
    "export default { driver: MySqlDriver, dbName: 'd', user: 'u', host: 'h' };",
    ['mikro-orm:db mysql2 u:@h:3306/d mikro-orm.config.ts:1'],
    [],
  ],
  [
    "const options: Options<BetterSqliteDriver> = { driver: BetterSqliteDriver, dbName: 'data/shop.db' };\nexport default options;",
    ['mikro-orm:db sqlite data/shop.db mikro-orm.config.ts:1'],
    [],
  ],
  [
    "export default { type: 'postgresql', clientUrl: 'postgres://u:p@h/d' };",
    ['mikro-orm:db postgres u:p@h:5432/d mikro-orm.config.ts:1'],
    [],
  ],
  [
    "import { defineConfig } from '@mikro-orm/mongodb';\nexport default defineConfig({ dbName: 'd' });",
    [],
    ['mikro-orm.config.ts:2 DevDB does not support its driver'],
  ],
  ["export default { dbName: 'd' };", [], ['mikro-orm.config.ts:1 the driver is missing or computed']],
  ['export default make();', [], ['mikro-orm.config.ts:1 exports no object that can be read without running code']],
])('reads %s', async (text, found, skipped) => {
  const files = { 'package.json': '{"dependencies":{"@mikro-orm/core":"6"}}', 'mikro-orm.config.ts': text };
  expect(await reportWith(files)).toEqual({ found, skipped });
});

it('reads the options in a Nest module', async () => {
  const text =
    "@Module({ imports: [MikroOrmModule.forRoot({ driver: PostgreSqlDriver, dbName: 'd' })] })\nexport class AppModule {}\n";
  const files = { 'package.json': '{"dependencies":{"@mikro-orm/nestjs":"6"}}', 'src/app.module.ts': text };
  expect((await reportWith(files)).found).toEqual([
    'mikro-orm:db postgres postgres:@localhost:5432/d src/app.module.ts:1',
  ]);
});

it('reads the file that package.json names, and what a function of another file gives it', async () => {
  const manifest = {
    dependencies: { '@mikro-orm/core': '5' },
    'mikro-orm': { configPaths: ['./src/orm/settings.ts', 'dist/orm/settings.js'] },
  };
  const settings =
    "import config from '../config';\nconst database = config().database;\nconst options = { ...database, debug: true } as Options;\nexport default options;\n";
  const config =
    "export default () => ({ port: 3000, database: { type: process.env.DB_TYPE || 'sqlite', dbName: process.env.DB_NAME || 'shop.db' } });\n";
  const files = { 'package.json': JSON.stringify(manifest), 'src/orm/settings.ts': settings, 'src/config.ts': config };
  expect(await reportWith(files)).toEqual({
    found: ['mikro-orm:db sqlite shop.db src/orm/settings.ts:3'],
    skipped: [],
  });
});
