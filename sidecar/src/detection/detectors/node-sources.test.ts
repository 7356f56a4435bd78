import { reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import type { Detector } from '../detector.ts';
import { sequelizeSource } from './sequelize-source.ts';
import { typeorm } from './typeorm.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function foundIn(
  detector: Detector,
  files: Readonly<Record<string, string>>,
  scripts: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  project = new FixtureProject();
  const dependencies = { typeorm: '1', sequelize: '6' };
  project.write('package.json', JSON.stringify({ scripts, dependencies }, undefined, 1));
  project.write(
    '.env',
    'DB_HOST=localhost\nDB_PORT=5433\nDB_USER=u\nDB_PASS=p\nDB_NAME=d\nURL=postgres://u:p@localhost:5433/d\n',
  );
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return (await reportOf(detector, project)).found;
}

const FIELDS =
  "host: config.get('DB_HOST'), port: +config.get<number>('DB_PORT'), username: config.getOrThrow('DB_USER', { infer: true }), password: config.get('DB_PASS'), database: config.get('DB_NAME', 'x')";

describe('TypeORM', () => {
  it.each([
    `TypeOrmModule.forRootAsync({ inject: [ConfigService], useFactory: (config: ConfigService) => ({ type: 'postgres', ${FIELDS} }) })`,
    `TypeOrmModule.forRootAsync({ imports: [ConfigModule], useFactory: async (config) => { const x = 1; return { type: 'postgres', ${FIELDS} }; } })`,
    `class Options implements TypeOrmOptionsFactory { createTypeOrmOptions() { return { type: 'postgres', ${FIELDS.replaceAll('config.', 'this.configService.')} }; } }`,
    `new DataSource({ type: 'postgres', ${FIELDS} })`,
  ])('is read where a factory reads the config service: %s', async (text) => {
    expect(
      await foundIn(typeorm, { 'src/app.module.ts': `@Module({ imports: [${text}] }) class AppModule {}` }),
    ).toEqual(['typeorm:default postgres u:p@localhost:5433/d src/app.module.ts:1']);
  });

  it.each([
    ["parseInt(process.env.DB_PORT ?? '5432', 10)", 5433],
    ['Number(process.env.DB_PORT)', 5433],
    ['+process.env.DB_PORT!', 5433],
    ['process.env.DB_PORT ? parseInt(process.env.DB_PORT, 10) : 5432', 5433],
    ['process.env.NOPE ? parseInt(process.env.NOPE, 10) : 5434', 5434],
    ['parseInt(process.env.NOPE as string, 10) || 5435', 5435],
    ["process.env.NODE_ENV === 'production' ? 1 : 5436", 5436],
  ])('has the port of %s', async (port, expected) => {
    const text = `export const AppDataSource = new DataSource({ type: 'postgres', host: 'localhost', port: ${port}, database: 'd' });`;
    expect(await foundIn(typeorm, { 'src/data-source.ts': text })).toEqual([
      `typeorm:default postgres :@localhost:${expected}/d src/data-source.ts:1`,
    ]);
  });

  it('is read from whatever file the scripts of the package name, and once', async () => {
    const text =
      "import { DataSource } from 'typeorm';\nexport default new DataSource({ type: 'mysql', host: 'localhost', database: 'd' });";
    const scripts = {
      migrate: 'typeorm-ts-node-commonjs migration:run -d ./tools/orm/conn.ts',
      again: 'node tools/orm/conn.ts',
    };
    expect(await foundIn(typeorm, { 'tools/orm/conn.ts': text }, scripts)).toEqual([
      'typeorm:default mysql2 :@localhost:3306/d tools/orm/conn.ts:2',
    ]);
  });

  it('is not seen in other objects with a type, nor in tests', async () => {
    const other =
      "// TypeOrm\nexport const schema = { type: 'mysql', title: 'x' }; export const column = { type: String, nullable: true, port: 1 };";
    const text = "new DataSource({ type: 'mysql', host: 'localhost', database: 'd' });";
    expect(await foundIn(typeorm, { 'src/config/app.config.ts': other, 'src/app.module.spec.ts': text })).toEqual([]);
  });
});

describe('Sequelize', () => {
  it.each([
    [
      "new Sequelize('d', process.env.DB_USER, process.env.DB_PASS, { host: 'localhost', port: 5433, dialect: 'postgres' })",
    ],
    ['new Sequelize(process.env.URL, { logging: false })'],
    [
      "new Sequelize({ dialect: 'postgres', host: 'localhost', port: 5433, database: 'd', username: 'u', password: 'p' })",
    ],
    [
      "SequelizeModule.forRoot({ dialect: 'postgres', host: 'localhost', port: 5433, database: 'd', username: 'u', password: 'p' })",
    ],
    [`SequelizeModule.forRootAsync({ useFactory: (config) => ({ dialect: 'postgres', ${FIELDS} }) })`],
  ])('is read from %s', async (text) => {
    expect(await foundIn(sequelizeSource, { 'src/database.ts': `export const db = ${text};` })).toEqual([
      'sequelize-source:default postgres u:p@localhost:5433/d src/database.ts:1',
    ]);
  });

  it('takes a file of SQLite from the application folder', async () => {
    const text = "const sequelize = new Sequelize({ dialect: 'sqlite', storage: './data/app.sqlite' });";
    expect(await foundIn(sequelizeSource, { 'config/database.js': text })).toEqual([
      'sequelize-source:default sqlite data/app.sqlite config/database.js:1',
    ]);
  });
});

describe("Nest's config service", () => {
  const FROM_CONFIG =
    "host: service.get('database.host', { infer: true }), port: config.get('database.port'), username: config.get('database.user'), password: config.get('database.pass'), database: config.getOrThrow('database.name')".replaceAll(
      'service.',
      'this.configService.',
    );
  const VALUES =
    "{ type: 'postgres', host: process.env.DB_HOST, port: process.env.DB_PORT ? parseInt(process.env.DB_PORT, 10) : 5432, user: process.env.DB_USER, pass: process.env.DB_PASS, name: process.env.DB_NAME }";

  it.each([
    `export default registerAs('database', () => (${VALUES}));`,
    `export default registerAs<DatabaseConfig>('database', (): DatabaseConfig => { validate(process.env); return ${VALUES}; });`,
    `export const database = registerAs('database', async () => { const x = 1; return ${VALUES}; });`,
  ])('knows the names of %s', async (config) => {
    const files = (text: string) => ({
      'src/config/database.config.ts': config,
      'src/database/database.module.ts': text,
    });
    const typeormModule = `TypeOrmModule.forRootAsync({ useFactory: (config) => ({ type: config.get('database.type'), ${FROM_CONFIG} }) })`;
    expect(await foundIn(typeorm, files(typeormModule))).toEqual([
      'typeorm:default postgres u:p@localhost:5433/d src/database/database.module.ts:1',
    ]);
    project.remove();
    const sequelizeModule = `SequelizeModule.forRootAsync({ useFactory: (config) => ({ dialect: 'postgres', ${FROM_CONFIG} }) })`;
    expect(await foundIn(sequelizeSource, files(sequelizeModule))).toEqual([
      'sequelize-source:default postgres u:p@localhost:5433/d src/database/database.module.ts:1',
    ]);
  });

  it('finds nothing by a name that no function registers, or that code computes', async () => {
    const config =
      "export default registerAs('database', () => { if (x) return { name: 'a' }; return { name: compute() }; });";
    const module =
      "TypeOrmModule.forRootAsync({ useFactory: (config) => ({ type: 'postgres', host: 'localhost', database: config.get('database.name'), port: 1 }) })";
    expect(await foundIn(typeorm, { 'src/config/database.config.ts': config, 'src/app.module.ts': module })).toEqual(
      [],
    );
    project.remove();
    expect(await foundIn(typeorm, { 'src/app.module.ts': module })).toEqual([]);
  });
});

it('finds the connection of Sequelize in a folder of its name', async () => {
  const text = "module.exports = new Sequelize({ dialect: 'sqlite', storage: 'data/shop.sqlite' });";
  expect(await foundIn(sequelizeSource, { 'sequelize/index.js': text })).toEqual([
    'sequelize-source:default sqlite data/shop.sqlite sequelize/index.js:1',
  ]);
});

describe('Values of another file of the project', () => {
  const OPTIONS = '{ host: dbConfig.HOST, port: dbConfig.port, dialect: dbConfig.dialect }';
  const CALL = `const db = new Sequelize(dbConfig.DB, dbConfig.USER, dbConfig.PASSWORD, ${OPTIONS});`;
  const CONFIG =
    "{ HOST: 'localhost', port: 5433, USER: process.env.DB_USER, PASSWORD: 'p', DB: name, dialect: 'postgres' }";

  it.each([
    [
      "const dbConfig = require('../config/db.config.js');",
      'app/config/db.config.js',
      `const name = 'd';\nmodule.exports = ${CONFIG};`,
    ],
    [
      "const dbConfig = require('../config/db.config');",
      'app/config/db.config.js',
      `const name = 'd';\nmodule.exports = ${CONFIG};`,
    ],
    [
      "const { dbConfig } = require('../config');",
      'app/config/index.js',
      `const name = 'd';\nmodule.exports = { dbConfig: ${CONFIG} };`,
    ],
    ["import dbConfig from '../config/db.js';", 'app/config/db.ts', `const name = 'd';\nexport default ${CONFIG};`],
    [
      "import { dbConfig } from '../config/db';",
      'app/config/db.ts',
      `const name = 'd';\nexport const dbConfig = ${CONFIG};`,
    ],
    [
      "import { db as dbConfig } from '../config/db';",
      'app/config/db.ts',
      `const name = 'd';\nexport const db = ${CONFIG};`,
    ],
  ])('are read through %s', async (line, file, config) => {
    const files = { 'app/models/index.js': `${line}\nconst name = 'never';\n${CALL}\n`, [file]: config };
    expect(await foundIn(sequelizeSource, files)).toEqual([
      'sequelize-source:default postgres u:p@localhost:5433/d app/models/index.js:3',
    ]);
  });

  it.each([
    ["const dbConfig = require('../../../config');", 'config.js'],
    ["const dbConfig = require('./none');", 'app/models/other.js'],
    ["const dbConfig = require('dbconfig');", 'app/models/dbconfig.js'],
  ])('are not known through %s', async (line, file) => {
    const files = {
      'app/models/index.js': `${line}\n${CALL}\n`,
      [file]: `const name = 'd';\nmodule.exports = ${CONFIG};`,
    };
    expect(await foundIn(sequelizeSource, files)).toEqual([]);
  });

  it.each([
    "export { default as mail } from './mail';\nexport { default as database } from './db.config';\n",
    "export { settings as database } from './db.config';\n",
  ])('are read through an index that passes them on: %s', async (index) => {
    const files = {
      'app/models/index.js': `import { database as dbConfig } from '../configs';\nconst name = 'never';\n${CALL}\n`,
      'app/configs/index.js': index,
      'app/configs/mail.js': "export default { HOST: 'smtp' };\n",
      'app/configs/db.config.js': `const name = 'd';\nexport const settings = ${CONFIG};\nexport default settings;\n`,
    };
    expect(await foundIn(sequelizeSource, files)).toEqual([
      'sequelize-source:default postgres u:p@localhost:5433/d app/models/index.js:3',
    ]);
  });

  it('are not known where code computes them', async () => {
    const config = "module.exports = load({ HOST: 'localhost', dialect: 'postgres' });";
    const files = { 'app/models/index.js': `const dbConfig = require('./db');\n${CALL}\n`, 'app/models/db.js': config };
    expect(await foundIn(sequelizeSource, files)).toEqual([]);
  });
});
