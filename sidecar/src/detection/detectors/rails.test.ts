// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { rails } from './rails.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(rails, project);
}

function yml(text: string): Record<string, string> {
  return { Gemfile: '', 'config/database.yml': text };
}

it('reads environments, several databases, merge keys and the usual ERB', async () => {
  expect(await reportWith({}, 'rails')).toEqual({
    found: [
      'rails:development.primary postgres shop:wo"rd@localhost:54321/shop_development config/database.yml:11',
      'rails:development.cache sqlite storage/cache.sqlite3 config/database.yml:16',
      'rails:test postgres shop:@localhost:54321/shop_test config/database.yml:20',
      'rails:staging postgres shop:st@staging.example.com:5432/shop config/database.yml:25 [staging]',
    ],
    skipped: ['config/database.yml:32 production: password is computed and cannot be determined without running code'],
  });
});

it.each([
  ['development:\n  adapter: mysql2\n  database: d\n  socket: /tmp/mysql.sock\n', 'mysql2 :@/tmp/mysql.sock:3306/d'],
  [
    'development:\n  adapter: trilogy\n  database: d\n  host: <%= ENV.fetch("H") { "127.0.0.1" } %>\n',
    'mysql2 :@127.0.0.1:3306/d',
  ],
  ['development:\n  adapter: postgis\n  database: <%= "x_#{ENV["S"] || \'y\'}" %>\n', 'postgres :@localhost:5432/x_y'],
  [
    'development:\n  adapter: sqlserver\n  host: localhost\n  port: <%= ENV.fetch("P", 1434).to_i %>\n  database: d\n',
    'mssql :@localhost:1434/d',
  ],
  ['development:\n  url: <%= ENV.fetch("U", "postgres://u:p@localhost/d") %>\n', 'postgres u:p@localhost:5432/d'],
  ['development:\n  <<: [{adapter: sqlite3}, {adapter: pg}]\n  database: db/a.sqlite3\n', 'sqlite db/a.sqlite3'],
])('reads %j', async (text, found) => {
  expect(await reportWith(yml(text))).toEqual({
    found: [`rails:development ${found} config/database.yml:1`],
    skipped: [],
  });
});

it.each([
  ['development:\n  adapter: postgresql\n  database: <%= ENV["NOPE"] %>\n', '1 development: names no database'],
  [
    'development:\n  adapter: postgresql\n  database: <%= `hostname` %>\n',
    '3 development: database is computed and cannot be determined without running code',
  ],
  [
    '<% if ENV["X"] %>\ndevelopment:\n  adapter: postgresql\n  database: d\n<% end %>\n',
    '1 has Ruby code that decides what the file contains; it is not run',
  ],
  ['development:\n  adapter: oracle_enhanced\n  database: d\n', '1 development: DevDB does not support its adapter'],
  ['development:\n  database: d\n', '1 development: the adapter is missing or computed'],
  ['development: x\n', '1 development: is not a section of settings'],
  ['development:\n\tadapter: pg\n', '2 not valid YAML'],
])('leaves %j out with a reason', async (text, reason) => {
  const { found, skipped } = await reportWith(yml(text));
  expect(found).toEqual([]);
  expect(skipped[0]).toContain(`config/database.yml:${reason}`);
});

it('reads Rails.env in a shared section as the environment that includes it', async () => {
  const shared = 'defaults: &defaults\n  adapter: postgresql\n  database: shop_<%= Rails.env %>\n';
  const text = `${shared}development:\n  main:\n    <<: *defaults\ntest:\n  <<: *defaults\n`;
  expect(await reportWith(yml(text))).toEqual({
    found: [
      'rails:development.main postgres :@localhost:5432/shop_development config/database.yml:5',
      'rails:test postgres :@localhost:5432/shop_test config/database.yml:7',
    ],
    skipped: [],
  });
});

it('marks production, which needs approval', async () => {
  const text = 'production:\n  adapter: postgresql\n  database: d\n  host: 127.0.0.1\n';
  expect((await reportWith(yml(text))).found).toEqual([
    'rails:production postgres :@127.0.0.1:5432/d config/database.yml:1 [production]',
  ]);
});

it('leaves a field out whose variable nothing sets, unless it is fetched', async () => {
  const text =
    'development:\n  adapter: postgresql\n  host: <%= ENV["DB_HOST"] %>\n  password: <%= (ENV["P"] || "").to_json %>\n';
  const database = '  database: <%= ENV["X"] ? "a" : "b" %>\n';
  expect((await reportWith(yml(text + database))).found).toEqual([
    'rails:development postgres :@localhost:5432/b config/database.yml:1',
  ]);
  project.remove();
  const { found, skipped } = await reportWith(yml(`${text}  database: <%= ENV.fetch("X") %>\n`));
  expect(found).toEqual([]);
  expect(skipped[0]).toContain('database refers to X, which the .env files do not set');
});

it('reads a preamble that only assigns, and knows nothing of what a block assigns', async () => {
  const preamble = '<%\n  name = "shop"\n  port = ENV.fetch("PORT") { 5433 }\n  %>\n<% if x\n  other = "a"\nend %>\n';
  const text =
    'development:\n  adapter: postgresql\n  port: <%= port %>\n  database: <%= name %>_dev\ntest:\n  adapter: postgresql\n  database: <%= other %>\n';
  const { found, skipped } = await reportWith(yml(preamble + text));
  expect(found).toEqual(['rails:development postgres :@localhost:5433/shop_dev config/database.yml:8']);
  expect(skipped).toEqual([expect.stringContaining('test: database is computed')]);
});

it('takes no template for an environment, whatever its name', async () => {
  const text =
    'pg: &pg\n  adapter: postgresql\n  database: never\nlogin:\n  username: u\ndevelopment:\n  <<: *pg\n  database: shop\n';
  const { found, skipped } = await reportWith(yml(text));
  expect(found).toEqual(['rails:development postgres :@localhost:5432/shop config/database.yml:6']);
  expect(skipped).toEqual([]);
});

it('leaves out a socket that code looks up on the machine', async () => {
  const socket = '<%= ENV["S"] || ["/run/a.sock", "/tmp/b.sock"].find { |path| File.exist? path } %>';
  const text = `development:\n  adapter: mysql2\n  database: shop\n  socket: ${socket}\n`;
  expect(await reportWith(yml(text))).toEqual({
    found: ['rails:development mysql2 :@localhost:3306/shop config/database.yml:1'],
    skipped: [],
  });
});

const SHOP = 'development:\n  adapter: sqlite3\n  database: shop_dev\n  username: u\n  socket: /tmp/s\n';

it.each([
  ['postgres://db.local', 'postgres u:@db.local:5432/shop_dev'],
  ['postgres://me:p%40ss@localhost:5433', 'postgres me:p@ss@localhost:5433/shop_dev'],
  ['mysql2://localhost/other?pool=5', 'mysql2 u:@localhost:3306/other'],
  ['trilogy:///other', 'mysql2 u:@/tmp/s:3306/other'],
])('puts DATABASE_URL %s over the entry, and keeps what it leaves out', async (url, found) => {
  expect((await reportWith({ ...yml(SHOP), '.env': `DATABASE_URL=${url}\n` })).found).toEqual([
    `rails:development ${found} config/database.yml:1`,
  ]);
});

it('puts a URL over the entry of its own name alone, and one for development over no other environment', async () => {
  const entry = (name: string) => `  ${name}:\n    adapter: postgresql\n    database: ${name}\n`;
  const text = `development:\n${entry('primary')}${entry('cache')}test:\n  adapter: postgresql\n  database: t\n`;
  const env = 'DATABASE_URL=postgres://a\nCACHE_DATABASE_URL=postgres://b\n';
  expect((await reportWith({ ...yml(text), '.env': env })).found).toEqual([
    'rails:development.primary postgres :@a:5432/primary config/database.yml:2',
    'rails:development.cache postgres :@b:5432/cache config/database.yml:5',
    'rails:test postgres :@localhost:5432/t config/database.yml:8',
  ]);
});

it('keeps the entry where DATABASE_URL is no URL that Rails can read', async () => {
  const report = await reportWith({ ...yml(SHOP), '.env': 'DATABASE_URL=postgres://u:p@host:port/database\n' });
  expect(report.found).toEqual(['rails:development sqlite shop_dev config/database.yml:1']);
});

it('reads a section that merges several others one by one', async () => {
  const text =
    'login: &login\n  adapter: postgresql\n  host: a\npool: &pool\n  pool: 5\n  host: b\ndevelopment:\n  database: shop\n  <<: *login\n  <<: *pool\n';
  expect(await reportWith(yml(text))).toEqual({
    found: ['rails:development postgres :@b:5432/shop config/database.yml:7'],
    skipped: [],
  });
});

it("completes an entry's own URL that names no database, and leaves one that does", async () => {
  const text = (path: string) =>
    `development:\n  adapter: postgresql\n  url: postgres://u:p@localhost:5433${path}\n  database: shop\n`;
  const found = (name: string) => [`rails:development postgres u:p@localhost:5433/${name} config/database.yml:1`];
  expect((await reportWith(yml(text('')))).found).toEqual(found('shop'));
  project.remove();
  expect((await reportWith(yml(text('/other')))).found).toEqual(found('other'));
});

it.each([
  ["<%= '_' + ENV['COPY'] if ENV['COPY'] %>", '', 'shop'],
  ['<%= "_#{ENV["COPY"]}" if ENV["COPY"] %>', 'COPY=b\n', 'shop_b'],
  ["<%= '_main' unless ENV['COPY'] %>", '', 'shop_main'],
  ["<%= '_main' unless ENV['COPY'] %>", 'COPY=b\n', 'shop'],
])('leaves a part out whose own condition does not hold: %s with %j', async (part, env, database) => {
  const files = { '.env': env, ...yml(`development:\n  adapter: postgresql\n  database: shop${part}\n`) };
  expect((await reportWith(files)).found).toEqual([
    `rails:development postgres :@localhost:5432/${database} config/database.yml:1`,
  ]);
});

it('knows nothing of a part whose condition is computed', async () => {
  const { found, skipped } = await reportWith(
    yml("development:\n  adapter: postgresql\n  database: shop<%= '_x' if host.local? %>\n"),
  );
  expect(found).toEqual([]);
  expect(skipped).toEqual([expect.stringContaining('database is computed')]);
});

describe('code that decides what the file contains', () => {
  const own = 'development:\n  adapter: postgresql\n  database: shop_dev\n';
  const block = (section: string): string =>
    `${section}\n<% if ENV['X'] %>\n  adapter: mysql2\n  database: other\n<% else %>\n  database: <%= ENV['Y'] %>\n<% end %>\n`;

  it.each([
    ["<% if ENV['CI'] %>", ''],
    ["<% unless ENV['SHOP'] == 'b' %>", 'SHOP=b\n'],
    ["<% if ENV['SHOP'] == 'b' %>", 'SHOP=a\n'],
  ])('is followed where the files decide it, or only servers that run tests set it: %j with %j', async (start, env) => {
    const text = `default: &default\n  adapter: postgresql\n  ${start}\n  database: other\n  <% else -%>\n  database: shop\n  <% if ENV['CI'] %>\n  port: <%= fail %>\n  <% fail.each do %>\n  x: y\n  <% end %>\n  <% end %>\n  <% end %>\ndevelopment:\n  <<: *default\n`;
    const { found, skipped } = await reportWith({ Gemfile: '', '.env': env, 'config/database.yml': text });
    expect(skipped).toEqual([]);
    expect(found).toEqual([expect.stringMatching(/^rails:development postgres :@localhost:5432\/shop /)]);
  });

  it.each([
    "<% if host.local? %>\n  x: y\n<% elsif ENV['CI'] %>\n  x: z\n<% end %>",
    "<% if ENV['CI'] %>\n  x: y\n<% elsif ENV['SHOP'] %>\n  x: z\n<% else %>\n  database: shop\n<% end %>",
    "<% if ENV['CI'] %>\n  x: y\n<% else %>\n<% list.each do %>\n  x: z\n<% end %>\n  database: shop\n<% end %>",
  ])('is reported where one of its conditions is not known: %j', async (code) => {
    const text = `development:\n  adapter: postgresql\n${code}\n`;
    const { found, skipped } = await reportWith({ Gemfile: '', 'config/database.yml': text });
    expect(found).toEqual([]);
    expect(skipped).toEqual([expect.stringContaining('has Ruby code that decides')]);
  });

  it('leaves what stands outside it as a suggestion', async () => {
    const text =
      "base: &base\n  adapter: postgresql\n<% list.each do |name| %>\n  <%= name %>: x\n<% end %>\ndevelopment:\n  <<: *base\n  database: <%= ENV['NAME'] || 'shop_dev' %>\n";
    project = new FixtureProject();
    project.write('Gemfile', '');
    project.write('config/database.yml', text);
    const { found, skipped } = await rails.detect(await project.view(), AbortSignal.timeout(5_000));
    expect(found).toEqual([]);
    expect(skipped[0]?.suggests).toMatchObject({ kind: 'postgres', database: 'shop_dev' });
  });

  it('stands in a section for production: development is read', async () => {
    const { found, skipped } = await reportWith({
      Gemfile: '',
      'config/database.yml': `${own}${block('production:')}`,
    });
    expect(found).toEqual(['rails:development postgres :@localhost:5432/shop_dev config/database.yml:1']);
    expect(skipped).toEqual([expect.stringMatching(/^config\/database\.yml:5 has Ruby code that decides/)]);
  });

  it.each(['production: &production', 'default: &default', 'development:'])(
    'stands in "%s", which development may have its parts from: nothing is read',
    async (head) => {
      const { found } = await reportWith({ Gemfile: '', 'config/database.yml': `${block(head)}${own}` });
      expect(found).toEqual([]);
    },
  );

  const setting = `  <%= "url: #{ENV['SHOP_URL']}" if ENV['SHOP_URL'].present? %>\n`;

  it('may be an expression in place of a whole setting', async () => {
    const found = ['rails:development postgres :@localhost:5432/shop_dev config/database.yml:1'];
    const skipped = [
      'config/database.yml:6 has Ruby code that decides what the file contains; it is not run',
      'config/database.yml:7 has Ruby code that decides what the file contains; it is not run',
    ];
    const production = `production:\n  adapter: postgresql\n${setting}${setting}`;
    expect(await reportWith(yml(`${own}${production}`))).toEqual({ found, skipped });
    expect(await reportWith(yml(`${own}${setting}`))).toEqual({ found: [], skipped: [expect.any(String)] });
  });
});

it('takes a variable with an empty block for one that may be unset', async () => {
  const text = 'development:\n  adapter: postgresql\n  database: d\n  host: <%= ENV.fetch("H") { } %>\n';
  expect((await reportWith(yml(text))).found).toEqual([
    'rails:development postgres :@localhost:5432/d config/database.yml:1',
  ]);
});

describe('an account that a person has yet to fill in', () => {
  const settings =
    'development:\n  adapter: postgresql\n  host: localhost\n  database: shop_dev\n  username: <username>\n';
  const composed = (build: string): Record<string, string> => ({
    'compose.yml': `services:\n  web: {${build}, environment: {DATABASE_URL: "postgres://u:p@db/"}}\n`,
  });

  it("is that of the application's own containers, with the database of the file", async () => {
    expect(await reportWith({ ...yml(settings), ...composed('build: .') })).toEqual({
      found: ['rails:development postgres u:p@db:5432/shop_dev config/database.yml:1'],
      skipped: [],
    });
  });

  it.each([
    ['another program', settings, composed('image: shop')],
    ['nobody', settings, {}],
  ])('stays open where compose gives it to %s', async (_, text, files) => {
    const { found, skipped } = await reportWith({ ...yml(text), ...files });
    expect(found).toEqual([]);
    expect(skipped).toEqual([expect.stringContaining('placeholders')]);
  });

  it('is not taken from containers where the file has one', async () => {
    const { found } = await reportWith({ ...yml(settings.replace('<username>', 'me')), ...composed('build: .') });
    expect(found).toEqual(['rails:development postgres me:@localhost:5432/shop_dev config/database.yml:1']);
  });
});

it('passes over a text in the Ruby code that stands for itself, as a comment of several lines', async () => {
  const comment = '<%\n<<-NOTE\nservers.map do |one|\n  if one\nNOTE\n%>\n';
  expect(await reportWith(yml(`${comment}development:\n  adapter: postgresql\n  database: shop\n`))).toEqual({
    found: ['rails:development postgres :@localhost:5432/shop config/database.yml:7'],
    skipped: [],
  });
});
