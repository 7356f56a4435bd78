// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { wordpress } from './wordpress.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(wordpress, project);
}

function config(lines: string): Record<string, string> {
  return { 'wp-config.php': `<?php\n${lines}\n` };
}
const REST = "define('DB_USER', 'u'); define('DB_PASSWORD', 'p');";

it('reads the constants of wp-config.php', async () => {
  expect(await reportWith({}, 'wordpress')).toEqual({
    found: ["wordpress:public/db mysql2 wp:it's $ecret@localhost:33063/wordpress public/wp-config.php:7"],
    skipped: [],
  });
});

it.each([
  ['localhost', 'localhost:3306'],
  ['127.0.0.1:3307', '127.0.0.1:3307'],
  ['localhost:/tmp/mysqld.sock', '/tmp/mysqld.sock:3306'],
  [':/tmp/mysqld.sock', '/tmp/mysqld.sock:3306'],
  ['[::1]:3308', '::1:3308'],
])('reads the host %s', async (host, place) => {
  const { found } = await reportWith(config(`define('DB_NAME', 'd'); ${REST} define('DB_HOST', '${host}');`));
  expect(found).toEqual([`wordpress:db mysql2 u:p@${place}/d wp-config.php:2`]);
});

it('reads Bedrock, whose constants come from .env', async () => {
  const text =
    "<?php\nuse Roots\\WPConfig\\Config;\nConfig::define('DB_NAME', env('DB_NAME'));\nConfig::define('DB_USER', env('DB_USER'));\nConfig::define('DB_PASSWORD', env('DB_PASSWORD'));\nConfig::define('DB_HOST', env('DB_HOST') ?: 'localhost');\n";
  const files = {
    'composer.json': '{}',
    'web/index.php': '',
    'config/application.php': text,
    '.env': 'DB_NAME=d\nDB_USER=u\nDB_PASSWORD=p',
  };
  expect((await reportWith(files)).found).toEqual([
    'wordpress:db mysql2 u:p@localhost:3306/d config/application.php:3',
  ]);
});

it.each([
  [`define('DB_NAME', getenv('NOPE')); ${REST}`, 'DB_NAME refers to NOPE, which the .env files do not set'],
  [
    `define('DB_NAME', 'd'); define('DB_USER', 'u'); define('DB_PASSWORD', trim(file_get_contents('/run/pw')));`,
    'DB_PASSWORD is computed and cannot be determined without running code',
  ],
  [
    `if (is_live()) { define('DB_NAME', 'a'); } else { define('DB_NAME', 'b'); } ${REST}`,
    'DB_NAME is defined inside a condition, which cannot be evaluated without running code',
  ],
  [
    "define('DB_NAME', 'database_name_here'); define('DB_USER', 'username_here'); define('DB_PASSWORD', 'x');",
    'DB_NAME still has its sample value',
  ],
  ["define('DB_NAME', 'd'); define('DB_PASSWORD', 'p');", 'defines no DB_USER'],
  [`define('DB_NAME', <<<X\nd\n); ${REST}`, 'cannot be parsed from here'],
])('leaves %j out with a reason', async (lines, reason) => {
  const { found, skipped } = await reportWith(config(lines));
  expect(found).toEqual([]);
  expect(skipped).toEqual([expect.stringContaining(`wp-config.php:2 ${reason}`)]);
});

it('reads the settings for development beside an application.php without a database', async () => {
  const files = {
    'composer.json': '{}',
    'web/index.php': '',
    'config/application.php': "<?php\ndefine('WP_ENV', getenv('WP_ENV') ?: 'production');\n",
    'config/environments/development.php': `<?php\ndefine('DB_NAME', 'd');\n${REST}\n`,
    'config/environments/production.php': `<?php\ndefine('DB_NAME', 'live');\n${REST}\n`,
  };
  expect((await reportWith(files)).found).toEqual([
    'wordpress:db mysql2 u:p@localhost:3306/d config/environments/development.php:2',
  ]);
});

describe('a condition around the constants', () => {
  const either = (test: string, yes = "define('DB_NAME', 'own');", no = "define('DB_NAME', 'live');"): string =>
    `if (${test}) {\n${yes}\n} else {\n${no}\n}\n${REST}`;
  const own = ['wordpress:db mysql2 u:p@localhost:3306/own wp-config.php:3'];
  const HOST = "$_SERVER['HTTP_HOST']";

  it.each([
    `${HOST} == 'localhost'`,
    `isset(${HOST}) && ${HOST} === 'shop.test:8080'`,
    `in_array($_SERVER['REMOTE_ADDR'], array('127.0.0.1', '::1'))`,
    `strpos(${HOST}, '.local') !== false`,
    `stristr($_SERVER['SERVER_NAME'], 'localhost')`,
    `${HOST} != 'www.example.com' && !isset($_ENV['PANTHEON_ENVIRONMENT'])`,
  ])("on the host is followed as on a developer's machine: %s", async (test) => {
    expect((await reportWith(config(either(test)))).found).toEqual(own);
  });

  it('takes the branch that is left over', async () => {
    const branches = `if (${HOST} == 'www.example.com') { define('DB_NAME', 'live'); }\nelseif (${HOST} == 'qa.example.com') { define('DB_NAME', 'qa'); }\nelse { define('DB_NAME', 'own'); }\n${REST}`;
    expect((await reportWith(config(branches))).found).toEqual([
      'wordpress:db mysql2 u:p@localhost:3306/own wp-config.php:4',
    ]);
  });

  it.each([
    `${HOST} == 'dev.example.com'`,
    `in_array($_SERVER['SERVER_ADDR'], ['10.0.0.5'])`,
    `getenv('SHOP_LIVE')`,
    `file_exists(__DIR__ . '/local-config.php')`,
  ])('decides nothing where it leaves open which machine is meant: %s', async (test) => {
    expect(await reportWith(config(either(test)))).toEqual({
      found: [],
      skipped: [expect.stringContaining('DB_NAME is defined inside a condition')],
    });
  });

  it.each(["dirname(__FILE__) . '/local-config.php'", "__DIR__ . '/config/wp-config-local.php'"])(
    'on a file of settings that is there is followed: %s',
    async (path) => {
      const file = path.slice(path.indexOf('/') + 1, -1);
      const site = config(either(`file_exists(${path})`, `require_once(${path});`));
      const local = { [file]: "<?php\ndefine('DB_NAME', 'own');\ndefine('DB_HOST', '127.0.0.1');\n" };
      expect((await reportWith({ ...site, ...local })).found).toEqual([
        `wordpress:db mysql2 u:p@127.0.0.1:3306/own ${file}:2`,
      ]);
    },
  );
});

it('marks a site that declares itself in production', async () => {
  const lines = `define('WP_ENVIRONMENT_TYPE', 'production'); define('DB_NAME', 'd'); ${REST}`;
  expect((await reportWith(config(lines))).found[0]).toMatch(/\[production\]$/);
});
