// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { drizzle } from './drizzle.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(drizzle, project);
}

it('reads the credentials of a Drizzle configuration', async () => {
  expect(await reportWith({}, 'drizzle')).toEqual({
    found: ['drizzle:db postgres app:pw@localhost:5433/shop drizzle.config.ts:8'],
    skipped: [],
  });
});

it.each([
  ["export default { dialect: 'sqlite', dbCredentials: { url: './local.db' } };", 'drizzle:db sqlite local.db'],
  [
    "export default { dialect: 'sqlite', dbCredentials: { url: 'file:data/local.db' } };",
    'drizzle:db sqlite data/local.db',
  ],
  [
    "export default defineConfig({ driver: 'mysql2', dbCredentials: { host: '127.0.0.1', port: 33060, user: 'u', password: 'p', database: 'd', ssl: false } } as const);",
    'drizzle:db mysql2 u:p@127.0.0.1:33060/d{"ssl":false}',
  ],
])('reads %s', async (text, found) => {
  expect((await reportWith({ 'drizzle.config.ts': text })).found[0]).toContain(found);
});

it('reads a configuration in JSON, and one of another environment', async () => {
  const json = '{"dialect":"postgresql","dbCredentials":{"url":"postgres://u:p@127.0.0.1/d"}}';
  const staging = "export default { dialect: 'postgresql', dbCredentials: { url: 'postgres://u:p@h/d' } };";
  const { found } = await reportWith({ 'drizzle.config.json': json, 'drizzle.staging.config.ts': staging });
  expect(found).toEqual([
    'drizzle:db postgres u:p@127.0.0.1:5432/d drizzle.config.json:1',
    'drizzle:staging postgres u:p@h:5432/d drizzle.staging.config.ts:1 [staging]',
  ]);
});

it.each([
  [
    "export default { dialect: 'postgresql', dbCredentials: { url: process.env.NOPE! } };",
    'db: url refers to NOPE, which the .env files do not set',
  ],
  [
    "export default { dialect: 'postgresql', dbCredentials: credentials() };",
    'dbCredentials are computed and cannot be read without running code',
  ],
  [
    "export default { dialect: 'postgresql', dbCredentials: { url: `${base}/x` } };",
    'db: url is computed and cannot be determined without running code',
  ],
  ["export default { dialect: 'postgresql' };", 'has no dbCredentials'],
  ['export default { dialect: pick(), dbCredentials: {} };', 'the dialect is missing, computed, or not supported'],
  [
    "export default { dialect: 'sqlite', driver: 'd1-http', dbCredentials: { accountId: 'x' } };",
    'the driver d1-http connects to nothing that DevDB can reach',
  ],
  [
    "export default { dialect: 'sqlite', dbCredentials: { url: ':memory:' } };",
    'db: is an in-memory database, which only its own program can see',
  ],
])('leaves %j out with a reason', async (text, reason) => {
  const { found, skipped } = await reportWith({ 'drizzle.config.ts': text });
  expect(found).toEqual([]);
  expect(skipped).toEqual([`drizzle.config.ts:1 ${reason}`]);
});

it("opens the local file of Turso's library, and says that a remote one cannot be reached", async () => {
  const config = (url: string): string =>
    `export default defineConfig({ dialect: 'turso', dbCredentials: { url: '${url}' } });`;
  expect(await reportWith({ 'drizzle.config.ts': config('file:local.db') })).toEqual({
    found: ['drizzle:db sqlite local.db drizzle.config.ts:1'],
    skipped: [],
  });
  project.remove();
  expect(await reportWith({ 'drizzle.config.ts': config('libsql://x.turso.io') })).toEqual({
    found: [],
    skipped: ['drizzle.config.ts:1 the driver turso connects to nothing that DevDB can reach'],
  });
});
