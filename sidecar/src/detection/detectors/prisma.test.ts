// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { prisma } from './prisma.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(prisma, project);
}

function schema(url: string, provider = 'postgresql'): string {
  return `datasource db {\n  provider = "${provider}"\n  url = ${url}\n}\n`;
}

it("reads the datasource with the variables of the schema's folder", async () => {
  expect(await reportWith({}, 'prisma')).toEqual({
    found: ['prisma:db postgres app:p@ss@localhost:5434/shop{"schema":"public"} prisma/schema.prisma:8'],
    skipped: [],
  });
});

it("resolves a file from the schema's folder, unless it is elsewhere", async () => {
  const { found } = await reportWith({ 'prisma/schema.prisma': schema('"file:./dev.db"', 'sqlite') });
  expect(found).toEqual(['prisma:db sqlite prisma/dev.db prisma/schema.prisma:3']);
  project.database('dev.db');
  expect((await reportOf(prisma, project)).found).toEqual(['prisma:db sqlite dev.db prisma/schema.prisma:3']);
});

it.each([
  [
    'a schema in several files',
    { 'prisma/schema/user.prisma': 'model U { id Int @id }', 'prisma/schema/db.prisma': schema('env("U")') },
    'prisma/schema/db.prisma:3',
  ],
  [
    'a folder that package.json names',
    { 'package.json': '{"prisma":{"schema":"db/main.prisma"}}', 'db/main.prisma': schema('env("U")') },
    'db/main.prisma:3',
  ],
  [
    'a folder that prisma.config.ts names',
    {
      'prisma.config.ts': "export default defineConfig({ schema: path.join('db', 'main.prisma') })",
      'db/main.prisma': schema('env("U")'),
    },
    'db/main.prisma:3',
  ],
  [
    'a URL in prisma.config.ts',
    {
      'prisma.config.ts': "export default defineConfig({\n  datasource: { url: env('U') },\n})",
      'prisma/schema.prisma': 'datasource db {\n  provider = "postgresql"\n}',
    },
    'prisma.config.ts:2',
  ],
  [
    'prisma.config.ts alone',
    { 'prisma.config.ts': "export default { datasource: { url: process.env.U ?? '' } }" },
    'prisma.config.ts:1',
  ],
])('reads %s', async (_what, files, place) => {
  const { found } = await reportWith({ ...files, '.env': 'U=postgres://u:p@localhost/d' });
  expect(found).toEqual([`prisma:db postgres u:p@localhost:5432/d ${place}`]);
});

it.each([
  [schema('env("NOPE")'), '3 db: url refers to NOPE, which the .env files do not set'],
  [schema('env("A" + "B")'), '3 db: url refers to AB, which the .env files do not set'],
  [schema('pick()'), '3 db: url is computed and cannot be determined without running code'],
  [schema('"mongodb://h/d"', 'mongodb'), '1 db: DevDB does not support its provider'],
  [
    schema('"prisma+postgres://accelerate.example.com/?api_key=x"'),
    "3 db: the URL points to Prisma's proxy, not to a database",
  ],
  ['datasource db {\n  provider = "mysql"\n}', '1 db: has no url here, nor in prisma.config.ts'],
])('leaves %j out with a reason', async (text, reason) => {
  expect(await reportWith({ 'prisma/schema.prisma': text })).toEqual({
    found: [],
    skipped: [`prisma/schema.prisma:${reason}`],
  });
});

it("resolves a file that Prisma 7's configuration names from the configuration's own folder", async () => {
  const files = {
    'package.json': '{"prisma":{}}',
    'prisma.config.ts':
      "export default defineConfig({ schema: 'prisma/schema.prisma', datasource: { url: 'file:./dev.db' } })",
    'prisma/schema.prisma': 'datasource db {\n  provider = "sqlite"\n}',
  };
  expect((await reportWith(files)).found).toEqual(['prisma:db sqlite dev.db prisma.config.ts:1']);
});

it("takes variables from the .env file in the schema's folder, also of an application below the root", async () => {
  const sqlite = schema('env("U")', 'sqlite');
  const files = { 'backend/package.json': '{}', 'backend/prisma/schema.prisma': sqlite };
  expect(await reportWith({ ...files, 'backend/prisma/.env': 'U="file:../data/shop.db"' })).toEqual({
    found: ['prisma:backend/db sqlite backend/data/shop.db backend/prisma/schema.prisma:3'],
    skipped: [],
  });
  project.write('backend/.env', 'U=file:own.db\n');
  expect((await reportOf(prisma, project)).found).toEqual([
    'prisma:backend/db sqlite backend/prisma/own.db backend/prisma/schema.prisma:3',
  ]);
});

it('reads the only schema that scripts name, where none is in the usual places', async () => {
  const scripts = { generate: 'prisma generate --schema=./prisma/shop/main.prisma' };
  const files = { 'package.json': JSON.stringify({ scripts }), 'prisma/shop/main.prisma': schema('env("U")') };
  expect(await reportWith(files)).toEqual({
    found: [],
    skipped: ['prisma/shop/main.prisma:3 db: url refers to U, which the .env files do not set'],
  });
  const both = { ...scripts, other: 'prisma generate --schema prisma/other/main.prisma' };
  project.write('package.json', JSON.stringify({ scripts: both }));
  expect(await reportOf(prisma, project)).toEqual({ found: [], skipped: [] });
});
