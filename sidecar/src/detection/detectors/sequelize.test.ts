// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { sequelize } from './sequelize.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(sequelize, project);
}

it('reads the environments of config/config.json', async () => {
  expect(await reportWith({}, 'sequelize')).toEqual({
    found: [
      'sequelize:development mysql2 root:@127.0.0.1:3306/database_development config/config.json:2',
      'sequelize:test sqlite data/test.sqlite config/config.json:9',
    ],
    skipped: ['config/config.json:10 production: refers to PROD_DATABASE_URL, which the .env files do not set'],
  });
});

it('follows .sequelizerc, and a variable that holds the URL', async () => {
  const rc =
    "const path = require('path');\nmodule.exports = { 'config': path.resolve('db', 'settings.js'), 'models-path': 'x' };";
  const config = `module.exports = {
  development: { use_env_variable: 'DEV_URL', dialect: 'postgres' },
  production: { username: 'u', password: process.env.PW, database: 'd', host: 'db.example.com', dialect: 'mariadb' },
};`;
  const files = { '.sequelizerc': rc, 'db/settings.js': config, '.env': 'DEV_URL=postgres://u:p@127.0.0.1/d\nPW=x' };
  expect(await reportWith(files)).toEqual({
    found: [
      'sequelize:development postgres u:p@127.0.0.1:5432/d db/settings.js:2',
      'sequelize:production mysql2 u:x@db.example.com:3306/d db/settings.js:3 [production]',
    ],
    skipped: [],
  });
});

it.each([
  ['{"development":{"dialect":"mysql","host":"h"}}', 'development: names no database'],
  ['{"development":{"dialect":"db2","database":"d"}}', 'development: DevDB does not support its dialect'],
  ['{"development":{"use_env_variable":"X"}}', 'development: refers to X, which the .env files do not set'],
  [
    '{"development":{"dialect":"sqlite","storage":":memory:"}}',
    'development: is an in-memory database, which only its own program can see',
  ],
  ['{"development":{"dialect":"mysql",}', 'not valid JSON: it ends where "," or "}" is missing'],
])('leaves %s out with a reason', async (text, reason) => {
  const { found, skipped } = await reportWith({ 'package.json': '{}', 'config/config.json': text });
  expect(found).toEqual([]);
  expect(skipped).toEqual([`config/config.json:1 ${reason}`]);
});

it.each(['config/db.json', 'src/config/database.json', 'db/config.json'])(
  'reads %s, which programs load themselves',
  async (file) => {
    const text = '{"development":{"dialect":"sqlite","storage":"./dev.sqlite"}}';
    const { found, skipped } = await reportWith({ 'package.json': '{}', [file]: text });
    expect({ found, skipped }).toEqual({ found: [`sequelize:development sqlite dev.sqlite ${file}:1`], skipped: [] });
  },
);

it.each([
  'export const databases: Databases = { development: { database: process.env.DB, dialect: process.env.DIALECT } };',
  "export default { development: { database: process.env.DB, dialect: 'postgres' } };",
])('reads a typed configuration, also where .sequelizerc names what a compiler writes: %s', async (text) => {
  const files = {
    'package.json': '{}',
    '.env': 'DB=shop\nDIALECT=postgres\n',
    '.sequelizerc': "module.exports = { config: 'dist/config/database.js' };",
    'src/database/database.config.ts': text,
  };
  expect(await reportWith(files)).toEqual({
    found: ['sequelize:development postgres :@localhost:5432/shop src/database/database.config.ts:1'],
    skipped: [],
  });
});

it('reads the section of development with NODE_ENV=development, whatever the file takes without it', async () => {
  const text =
    "const suffix = { development: '_dev', test: '_test' };\nconst options = { dialect: 'mysql', database: `shop${suffix[process.env.NODE_ENV || 'test']}` };\nmodule.exports = { development: { ...options } };";
  const { found } = await reportWith({ 'package.json': '{}', 'config/config.js': text });
  expect(found).toEqual(['sequelize:development mysql2 :@localhost:3306/shop_dev config/config.js:3']);
});

it('does not mistake other files of that name for its own', async () => {
  const files = { 'package.json': '{}', 'config/config.json': '{"development":{"port":3000}}' };
  expect(await reportWith(files)).toEqual({ found: [], skipped: [] });
});
