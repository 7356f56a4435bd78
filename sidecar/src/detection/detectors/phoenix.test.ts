// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { phoenix } from './phoenix.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(phoenix, project);
}

const mix = (dependency: string): Readonly<Record<string, string>> => ({
  'mix.exs': `defp deps, do: [{:ecto_sql, "~> 3"}, {:${dependency}, "~> 1"}]`,
});

it('reads the repository of each environment, over the general configuration', async () => {
  expect(await reportWith({}, 'phoenix')).toEqual({
    found: [
      'phoenix:Shop.Repo postgres shop:s3cret@localhost:54341/shop_dev config/dev.exs:3',
      'phoenix:Shop.Repo@test postgres shop:shop@localhost:5432/shop_test config/test.exs:3',
    ],
    skipped: [],
  });
});

it.each([
  [
    'a URL with its own scheme, from a name',
    'postgrex',
    'url = System.get_env("DATABASE_URL") || "ecto://u:p@localhost/d"\nconfig :shop, Shop.Repo, url: url\n',
    'phoenix:Shop.Repo postgres u:p@localhost:5432/d config/dev.exs:2',
  ],
  [
    'a file beside the script',
    'ecto_sqlite3',
    'config :shop, Shop.Repo,\n  database: Path.expand("../shop_dev.db", __DIR__),\n  pool_size: 5\n',
    'phoenix:Shop.Repo sqlite shop_dev.db config/dev.exs:1',
  ],
  [
    "a file beside the script's own name",
    'ecto_sqlite3',
    'config :shop, Shop.Repo,\n  database: Path.expand("../shop_dev.db", Path.dirname(__ENV__.file)),\n  pool_size: 5\n',
    'phoenix:Shop.Repo sqlite shop_dev.db config/dev.exs:1',
  ],
  [
    'settings that a name holds, put together with others',
    'postgrex',
    'account = [\n  username: "u",\n  password: "p",\n  database: "d"\n]\nconfig :shop, Shop.Repo, account ++ [hostname: "h", database: "other"]\n',
    'phoenix:Shop.Repo postgres u:p@h:5432/d config/dev.exs:6',
  ],
  [
    'settings in brackets that a function puts together',
    'postgrex',
    'config(:shop, Shop.Repo, Keyword.merge([hostname: "h", database: "other"], [database: "d", port: 5433]))\n',
    'phoenix:Shop.Repo postgres :@h:5433/d config/dev.exs:1',
  ],
  [
    'a call with parentheses, variables with defaults, and a pipe',
    'myxql',
    'config(:shop, Shop.Repo, username: System.get_env("U", "root"), database: "a" <> "b", hostname: "h", port: "3307" |> String.to_integer())\n',
    'phoenix:Shop.Repo mysql2 root:@h:3307/ab config/dev.exs:1',
  ],
  [
    'an adapter',
    'postgrex',
    'config :shop, Shop.Repo, adapter: Ecto.Adapters.Tds, hostname: "h", database: "d", username: "sa"\n',
    'phoenix:Shop.Repo mssql sa:@h:1433/d config/dev.exs:1',
  ],
  [
    'what is given to a function of the script for a variable that is not set',
    'postgrex',
    'port = fn name, default ->\n  case System.get_env(name) do\n    nil -> default\n    text -> String.to_integer(text)\n  end\nend\nconfig :shop, Shop.Repo, port: port.("SHOP_PORT", 5433), database: "d"\n',
    'phoenix:Shop.Repo postgres :@localhost:5433/d config/dev.exs:7',
  ],
])('reads %s', async (_what, dependency, text, expected) => {
  expect(await reportWith({ ...mix(dependency), 'config/dev.exs': text })).toEqual({ found: [expected], skipped: [] });
});

it.each(['lib/shop/repo.ex', 'apps/shop/lib/repo.ex'])(
  "takes the engine from the repository's module: %s",
  async (file) => {
    const module = 'defmodule Shop.Repo do\n  use Ecto.Repo, otp_app: :shop, adapter: Ecto.Adapters.MyXQL\nend\n';
    const config = 'config :shop, Shop.Repo, database: "d"\n';
    const files = { 'mix.exs': 'defp deps, do: Shop.Deps.all()', 'config/dev.exs': config, [file]: module };
    expect((await reportWith(files)).found).toEqual(['phoenix:Shop.Repo mysql2 :@localhost:3306/d config/dev.exs:1']);
  },
);

it.each(['apps/shop', 'backend'])('reads the scripts of an application below the root: %s', async (folder) => {
  const files = {
    [`${folder}/mix.exs`]: mix('postgrex')['mix.exs'] ?? '',
    [`${folder}/config/config.exs`]: 'import_config "#{Mix.env}.exs"\n',
    [`${folder}/config/dev.exs`]: 'config :shop, Shop.Repo, database: "shop_dev", username: "u"\n',
  };
  const root = {
    'mix.exs': '[apps_path: "apps"]',
    'config/config.exs': 'import_config "../apps/*/config/config.exs"\nimport_config "#{Mix.env}.exs"\n',
    'config/dev.exs': 'config :phoenix, :stacktrace_depth, 20\n',
  };
  expect(await reportWith({ ...root, ...files })).toEqual({
    found: [`phoenix:${folder}/Shop.Repo postgres u:@localhost:5432/shop_dev ${folder}/config/dev.exs:1`],
    skipped: [],
  });
});

it('follows a script that another imports', async () => {
  const files = {
    ...mix('postgrex'),
    'config/dev.exs': 'config :shop, Shop.Repo, database: "d"\nimport_config "dev.secret.exs"\n',
    'config/dev.secret.exs': 'config :shop, Shop.Repo, username: "me", password: "x"\n',
  };
  expect((await reportWith(files)).found).toEqual([
    'phoenix:Shop.Repo postgres me:x@localhost:5432/d config/dev.exs:1',
  ]);
});

it.each([
  [
    'if System.get_env("X") do\n  config :shop, Shop.Repo, database: "d"\nend\n',
    'config/dev.exs:2 Shop.Repo: is set inside a condition, which cannot be evaluated without running code',
  ],
  [
    'config :shop, Shop.Repo, url: System.fetch_env!("NOPE")\n',
    'config/dev.exs:1 Shop.Repo: url refers to NOPE, which the .env files do not set',
  ],
  [
    'config :shop, Shop.Repo, adapter: Mongo.Ecto, database: "d"\n',
    'config/dev.exs:1 Shop.Repo: neither its adapter nor mix.exs names one engine',
  ],
  ['config :shop, Shop.Repo, database: "d\n', 'config/dev.exs:1 cannot be parsed from here: a string is not closed'],
])('leaves %j out with a reason', async (text, reason) => {
  expect(await reportWith({ ...mix('postgrex'), 'config/dev.exs': text })).toEqual({ found: [], skipped: [reason] });
});

it('says which script is missing for development, and has no default then', async () => {
  const files = {
    ...mix('postgrex'),
    'config/config.exs': 'import Config\n',
    'config/test.exs': 'config :shop, Shop.Repo, database: "t"\n',
    'config/dev.exs.example': '',
  };
  expect(await reportWith(files)).toEqual({
    found: ['phoenix:Shop.Repo@test postgres :@localhost:5432/t config/test.exs:1'],
    skipped: [
      'config/dev.exs: is missing, so no database is set for development; copy config/dev.exs.example to begin',
    ],
  });
});

it.each([
  ['config/dev.exs', 'url: {:system, "SHOP_URL", "ecto://u:p@localhost/shop_dev"}'],
  ['config/runtime/dev.exs', 'database: name, username: "u", password: "p", url: Helper.parse_url_env_var("SHOP_URL")'],
])('reads defaults of variables that nothing sets in %s', async (file, fields) => {
  const choice = 'name = if System.get_env("SHOP_URL"), do: nil, else: "shop_dev"\n';
  const repo = `import Config\n${choice}config :shop, Shop.Repo, adapter: Ecto.Adapters.Postgres, ${fields}\n`;
  const { found } = await reportWith({ ...mix('postgrex'), [file]: repo });
  expect(found).toEqual([`phoenix:Shop.Repo postgres u:p@localhost:5432/shop_dev ${file}:3`]);
});

it("takes the engine from Ash's package over Ecto's adapter", async () => {
  const files = { ...mix('ash_postgres'), 'config/dev.exs': 'config :shop, Shop.Repo, database: "d", hostname: "h"\n' };
  expect((await reportWith(files)).found).toEqual(['phoenix:Shop.Repo postgres :@h:5432/d config/dev.exs:1']);
});

describe('a condition on the environment', () => {
  const dev = 'config :shop, Shop.Repo, hostname: "localhost", database: "shop_dev"\n';
  const other = 'config :shop, Shop.Repo, url: System.get_env("DATABASE_URL", "ecto://u:p@localhost:6432/other")';
  const inDev = 'phoenix:Shop.Repo postgres :@localhost:5432/shop_dev config/dev.exs:1';
  const inRuntime = 'phoenix:Shop.Repo postgres u:p@localhost:6432/other config/runtime.exs:2';

  it.each([
    ['if config_env() == :prod do', inDev],
    ['if config_env() in [:prod, :staging] do', inDev],
    ['unless Mix.env() == :dev do', inDev],
    ['if config_env() == :prod and System.get_env("X") do', inDev],
    ['if System.get_env("X") do', inDev],
    ['if config_env() != :test do', inRuntime],
    ['if config_env() in [:dev, :prod] do', inRuntime],
    ['unless config_env() == :test do', inRuntime],
  ])('of the script that is read last counts: %s', async (head, expected) => {
    const files = { 'config/dev.exs': dev, 'config/runtime.exs': `${head}\n  ${other}\nend\n` };
    expect((await reportWith({ ...mix('postgrex'), ...files })).found).toEqual([expected]);
  });

  it('has its other branch, and names that are bound in it', async () => {
    const branch = 'else\n  name = "d"\n  config :shop, Shop.Repo, database: name, hostname: "h"\nend\n';
    const files = {
      'config/dev.exs': dev,
      'config/runtime.exs': `if config_env() === :test do\n  ${other}\n${branch}`,
    };
    expect((await reportWith({ ...mix('postgrex'), ...files })).found).toEqual([
      'phoenix:Shop.Repo postgres :@h:5432/d config/runtime.exs:5',
    ]);
  });
});
