// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { idText } from '@devdb/shared/plain-text';
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { knexfile } from './knexfile.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(knexfile, project);
}

it('reads every environment of a knexfile, with variables, defaults and names from elsewhere in the file', async () => {
  expect(await reportWith({}, 'knexfile')).toEqual({
    found: [
      'knexfile:development postgres shop:p#1 with blank@127.0.0.1:54330/shop_dev knexfile.js:10',
      'knexfile:test sqlite data/test.sqlite3 knexfile.js:23',
      'knexfile:production postgres shop:secret@db.example.com:5432/shop{"sslmode":"require"} knexfile.js:28 [production]',
    ],
    skipped: [],
  });
});

it('leaves a URL whose account only empty variables give to be filled in', async () => {
  const env = 'DB_USER=\nDB_PASS=\nSHOP=postgres://${DB_USER}:${DB_PASS}@localhost/shop\n';
  const knex = "module.exports = { client: 'pg', connection: process.env.SHOP };";
  expect(await reportWith({ '.env': env, 'knexfile.js': knex })).toEqual({
    found: [],
    skipped: ['knexfile.js:1 default: the URL still has placeholders that a person has to fill in'],
  });
});

it.each([
  ['DB_PORT=5433\n', "Number.parseInt(process.env.DB_PORT ?? '', 10)", 'Number.isNaN(parsed) ? 5434 : parsed', 5433],
  ['', "Number.parseInt(process.env.DB_PORT ?? '', 10)", 'Number.isNaN(parsed) ? 5434 : parsed', 5434],
  ['', 'Number(process.env.DB_PORT)', '!isNaN(parsed) ? parsed : 5434', 5434],
  ['DB_PORT=5433\n', 'Number(process.env.DB_PORT)', 'Number.isInteger(parsed) ? parsed : 5434', 5433],
])('follows the check of a port that is parsed from a variable: %j %s %s', async (env, parsed, port, expected) => {
  const knex = `const parsed = ${parsed};
const port = ${port};
module.exports = { development: { client: 'pg', connection: { host: 'localhost', port, user: 'u', database: 'd' } } };`;
  expect((await reportWith({ '.env': env, 'knexfile.js': knex })).found).toEqual([
    `knexfile:development postgres u:@localhost:${expected}/d knexfile.js:3`,
  ]);
});

it.each([
  [
    "export default { client: 'mysql2', connection: 'mysql://u:p@127.0.0.1/d' };",
    'default mysql2 u:p@127.0.0.1:3306/d',
  ],
  ["const c = { client: 'sqlite3', connection: { filename: './a.db' } };\nexport default c;", 'default sqlite a.db'],
  [
    "const config: { [key: string]: Knex.Config } = { development: { client: 'mssql', connection: { server: 'localhost', userName: 'sa', password: 'x', database: 'd', options: { encrypt: true } } } };\nmodule.exports = config;",
    'development mssql sa:x@localhost:1433/d',
  ],
])('reads %s', async (text, found) => {
  expect((await reportWith({ 'knexfile.ts': text })).found[0]).toContain(found);
});

it.each([
  [
    "module.exports = { development: { client: 'pg', connection: process.env.MISSING } };",
    'development: the connection refers to MISSING, which the .env files do not set',
  ],
  [
    "module.exports = { development: { client: 'pg', connection: () => secrets() } };",
    'development: the connection is computed and cannot be determined without running code',
  ],
  [
    "module.exports = { development: { client: 'pg', connection: { host: 'h', database: pick() } } };",
    'development: database is computed and cannot be determined without running code',
  ],
  [
    "module.exports = { development: { client: pick(), connection: 'postgres://h/d' } };",
    'development: the client is missing or computed',
  ],
  [
    "module.exports = { development: { client: 'oracledb', connection: {} } };",
    'development: DevDB does not support its client',
  ],
  [
    "module.exports = { development: { client: 'pg', connection: { port: 'x', database: 'd' } } };",
    'development: the port is not a number from 1 to 65535',
  ],
  ["module.exports = { development: { client: 'pg', connection: { host: 'h' } } };", 'development: names no database'],
  [
    "let url = 'postgres://h/d';\nif (x) { url = other; }\nmodule.exports = { development: { client: 'pg', connection: url } };",
    'development: the connection is computed and cannot be determined without running code',
  ],
  ['module.exports = load();', 'exports no object that can be read without running code'],
  [
    "module.exports = { development: { client: 'pg', connection: 'postgres://h/d",
    'cannot be parsed from here: a string or comment is not closed',
  ],
])('leaves %j out with a reason', async (text, reason) => {
  const { found, skipped } = await reportWith({ 'knexfile.js': text });
  expect(found).toEqual([]);
  expect(skipped).toEqual([expect.stringMatching(/^knexfile\.js:\d+ /)]);
  expect(skipped[0]).toContain(reason);
});

it('follows Object.assign', async () => {
  const text =
    "const common = { client: 'pg', connection: { host: 'localhost', database: 'common' } };\n" +
    "module.exports = { development: Object.assign({}, common, { connection: { host: 'localhost', database: 'shop' } }) };";
  expect((await reportWith({ 'knexfile.js': text })).found).toEqual([
    'knexfile:development postgres :@localhost:5432/shop knexfile.js:2',
  ]);
});

describe("a module that TypeScript's paths lead to", () => {
  const knexfileText =
    "import { place } from '@server/place';\nimport knex from 'knex/types';\nexport default { client: 'sqlite3', connection: { filename: place.file } };\n";
  const module = "export const place = { file: process.env.FILE || 'data/shop.db' };\n";
  const tsconfig = (target: string): string =>
    `{ "compilerOptions": { "baseUrl": "src", "paths": { "@server/*": ["${target}"], }, }, } // ours`;

  it('is read like one beside the script', async () => {
    const files = { 'knexfile.ts': knexfileText, 'server/place.ts': module, 'tsconfig.json': tsconfig('../server/*') };
    expect((await reportWith(files)).found).toEqual(['knexfile:default sqlite data/shop.db knexfile.ts:3']);
  });

  it.each(['../../outside/*', '../server/place', 'server/*'])(
    'is not read where they lead elsewhere: %s',
    async (target) => {
      const files = { 'knexfile.ts': knexfileText, 'server/place.ts': module, 'tsconfig.json': tsconfig(target) };
      const { found, skipped } = await reportWith(files);
      expect(found).toEqual([]);
      expect(skipped).toHaveLength(1);
    },
  );
});

describe('variables that a library checks', () => {
  const knexfileText = [
    "const env = require('./server/env');",
    "const isFile = env.DB_CLIENT === 'better-sqlite3';",
    'module.exports = { client: env.DB_CLIENT, connection: { ...(isFile && { filename: env.DB_FILE }), host: env.DB_HOST, port: env.DB_PORT, database: env.DB_NAME } };',
  ].join('\n');
  const envalid = `const spec = { DB_CLIENT: str({ choices: ['pg'], default: 'better-sqlite3' }), DB_FILE: str({ default: 'db/shop' }), DB_HOST: str({ default: 'localhost' }), DB_PORT: num({ default: 5432, devDefault: 5433 }), DB_NAME: str({ default: 'shop' }) };
const env = cleanEnv(process.env, spec);
module.exports = env;`;
  const shape = `{ DB_CLIENT: z.enum(['pg', 'mysql']).default('pg'), DB_HOST: z.string().min(1).default('localhost'), DB_PORT: z.coerce.number().default(5433).optional(), DB_NAME: z.string().optional() }`;

  it.each<readonly [string, string, string, string]>([
    ['envalid', envalid, '', 'sqlite db/shop'],
    ['envalid, set otherwise', envalid, 'DB_CLIENT=pg\nDB_NAME=other', 'postgres :@localhost:5433/other'],
    [
      'zod',
      `module.exports = z.object(${shape}).strict().parse(process.env);`,
      'DB_NAME=shop',
      'postgres :@localhost:5433/shop',
    ],
    [
      'zod without throwing',
      `const schema = z.object(${shape});\nconst checked = schema.safeParse(process.env);\nmodule.exports = checked.data;`,
      'DB_CLIENT=mysql\nDB_NAME=shop\nDB_PORT=3307',
      'mysql2 :@localhost:3307/shop',
    ],
    [
      'zod for an object of variables',
      `const given = { DB_HOST: process.env.DB_HOST || '127.0.0.1', DB_NAME: process.env.NAME };\nconst checked = z.object(${shape}).safeParse(given);\nmodule.exports = checked.data;`,
      'DB_HOST=\nNAME=shop',
      'postgres :@127.0.0.1:5433/shop',
    ],
    [
      't3-env',
      `module.exports = createEnv({ server: ${shape}, runtimeEnv: process.env });`,
      'DB_NAME=shop',
      'postgres :@localhost:5433/shop',
    ],
  ])('have the defaults of %s', async (_, env, dotenv, found) => {
    const files = { 'knexfile.js': knexfileText, 'server/env.js': env, '.env': dotenv };
    expect(await reportWith(files)).toEqual({ found: [`knexfile:default ${found} knexfile.js:3`], skipped: [] });
  });

  it('are missing without a default', async () => {
    const files = {
      'knexfile.js': knexfileText,
      'server/env.js': `module.exports = z.object(${shape}).parse(process.env);`,
    };
    expect(await reportWith(files)).toEqual({
      found: [],
      skipped: ['knexfile.js:1 default: database refers to DB_NAME, which the .env files do not set'],
    });
  });

  it('are not read where something else is checked', async () => {
    const text = `module.exports = z.object(${shape}).parse(settings);`;
    const { found } = await reportWith({ 'knexfile.js': knexfileText, 'server/env.js': text, '.env': 'DB_NAME=shop' });
    expect(found).toEqual([]);
  });
});

it('marks a production section, which needs approval', async () => {
  const text = "module.exports = { production: { client: 'pg', connection: 'postgres://u:p@127.0.0.1/d' } };";
  expect((await reportWith({ 'knexfile.js': text })).found).toEqual([
    'knexfile:production postgres u:p@127.0.0.1:5432/d knexfile.js:1 [production]',
  ]);
});

it('shows names from a file without terminal control characters, and not at any length', async () => {
  const name = `a\\u001b[2J${'x'.repeat(2_000)}`;
  const { found, skipped } = await reportWith({
    'knexfile.js': `module.exports = { "${name}": { client: 'pg', connection: 'postgres://h/d' }, "${name}y": {} };`,
  });
  expect(idText(found.join())).toMatch(/^knexfile:a\[U\+001B\]\[2Jx+…/);
  expect(skipped.join()).toMatch(/a\[U\+001B\]\[2Jx+…/);
  expect(skipped.join().length).toBeLessThan(1_000);
});

it('takes the fallback of an engine for no default where compose sets its variable from one that is unset', async () => {
  project = new FixtureProject();
  project.write(
    'knexfile.js',
    "module.exports = { client: process.env.DB_CLIENT || 'sqlite3', connection: { filename: 'a.db' } };\n",
  );
  project.write('compose.yaml', 'services:\n  web: {build: ., environment: {DB_CLIENT: "${DB_CLIENT}"}}\n');
  const defaults = async () => {
    const { found } = await knexfile.detect(await project.view(), AbortSignal.timeout(5_000));
    return found.map(({ kind, neverDefault }) => [kind, neverDefault]);
  };
  expect(await defaults()).toEqual([['sqlite', 'undecided']]);
  project.write('.env', 'DB_CLIENT=sqlite3\n');
  expect(await defaults()).toEqual([['sqlite', undefined]]);
});

it('takes the database beside a URL that names none', async () => {
  project = new FixtureProject();
  project.write(
    'knexfile.js',
    "module.exports = { client: 'pg', connection: { connectionString: 'postgres://u@localhost', database: 'shop' } };\n",
  );
  expect((await reportOf(knexfile, project)).found).toEqual([
    'knexfile:default postgres u:@localhost:5432/shop knexfile.js:1',
  ]);
});
