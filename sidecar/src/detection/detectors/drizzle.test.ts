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

describe("a program that opens a file of its own beside Drizzle's configuration", () => {
  const config =
    "export default { dialect: 'sqlite', schema: './src/db/schema.ts', dbCredentials: { url: 'file:./tool.db' } };";
  const client = (url: string): string =>
    `import { drizzle } from 'drizzle-orm/libsql';\nconst client = createClient({ url: ${url} });\n`;
  const opened = async (url: string, more: Readonly<Record<string, string>> = {}) => {
    project = new FixtureProject();
    const files = { 'drizzle.config.ts': config, 'src/db/index.ts': client(url), ...more };
    for (const [file, text] of Object.entries(files)) project.write(file, text);
    const { found, skipped } = await drizzle.detect(await project.view(), AbortSignal.timeout(5_000));
    return { found: found.map(({ name, neverDefault }) => [name, neverDefault]), skipped };
  };

  it('takes the file that the program opens', async () => {
    const ofClient = [
      ['app.db', undefined],
      ['tool.db', 'beside'],
    ];
    expect(await opened("'file:data/app.db'")).toEqual({ found: ofClient, skipped: [] });
    project.remove();
    const direct = "import { drizzle } from 'drizzle-orm/better-sqlite3';\nconst sqlite = new Database('app.db');\n";
    expect((await opened("''", { 'src/db/index.ts': direct })).found).toEqual(ofClient);
  });

  it('says so where that file is outside the project, as in a container', async () => {
    expect(await opened("'file:/srv/shop/app.db'")).toEqual({
      found: [['tool.db', 'beside']],
      skipped: [expect.objectContaining({ file: 'src/db/index.ts', line: 2, unread: 'settings' })],
    });
  });

  it.each([
    ['it is the same file', "'file:tool.db'", {}],
    ['a variable may name another one', "process.env.DB_FILE ?? 'file:app.db'", {}],
    ['its code computes it', 'fileFor(mode)', {}],
    ['it opens several', "'file:app.db'", { 'src/db/other.ts': client("'file:other.db'") }],
    ['only a test opens it', "'file:tool.db'", { 'src/db/index.test.ts': client("'file:test.db'") }],
  ])('takes the configured file where %s', async (_what, url, more) => {
    expect(await opened(url, more)).toEqual({ found: [['tool.db', undefined]], skipped: [] });
  });
});

describe('configurations that are called after engines', () => {
  const config = (dialect: string, credentials = ''): string =>
    `export default { dialect: '${dialect}',${credentials} };`;
  const sqlite = config('sqlite', " dbCredentials: { url: './app/shop.sqlite' }");
  const others = {
    'drizzle.postgres.config.ts': config('postgresql'),
    'drizzle.turso.config.ts': config('turso', ' dbCredentials: { url: process.env.TURSO! }'),
  };

  it('name the database of development where only one names any', async () => {
    expect((await reportWith({ ...others, 'drizzle.sqlite.config.ts': sqlite })).found).toEqual([
      'drizzle:sqlite sqlite app/shop.sqlite drizzle.sqlite.config.ts:1',
    ]);
  });

  it.each([
    ['several do', { 'drizzle.mysql.config.ts': config('mysql', " dbCredentials: { url: 'mysql://u@localhost/d' }") }],
    ['one has the usual name', { 'drizzle.config.ts': config('postgresql') }],
    ['one is for development', { 'drizzle.config.dev.ts': config('postgresql') }],
  ])('leave it open where %s', async (_what, more) => {
    const { found } = await reportWith({ ...others, 'drizzle.sqlite.config.ts': sqlite, ...more });
    expect(found).toContain('drizzle:sqlite sqlite app/shop.sqlite drizzle.sqlite.config.ts:1 [sqlite]');
  });
});
