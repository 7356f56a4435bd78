import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { codeigniter } from './codeigniter.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(codeigniter, project);
}

it("reads version 4's groups, with the variables over them", async () => {
  expect(await reportWith({}, 'codeigniter')).toEqual({
    found: [
      'codeigniter:default mysql2 shop:s3cret@127.0.0.1:33069/shop .env:2',
      'codeigniter:reports postgres reader:s3cret@127.0.0.1:54342/reports app/Config/Database.php:27',
    ],
    skipped: ['app/Config/Database.php:22 tests: is an in-memory database, which only its own program can see'],
  });
});

it.each([
  [
    "an array of version 3, with the development environment's file before the general one",
    {
      'application/config/database.php':
        "<?php\n$db['default'] = array('hostname' => 'x', 'database' => 'other', 'dbdriver' => 'mysqli');\n",
      'application/config/development/database.php':
        "<?php\n$active_group = 'live';\n$db['live'] = array('hostname' => 'h', 'username' => 'u', 'password' => 'p', 'database' => 'd', 'dbdriver' => 'mysqli');\n",
    },
    'codeigniter:live mysql2 u:p@h:3306/d application/config/development/database.php:3',
  ],
  [
    'fields set one by one',
    {
      'application/config/database.php':
        "<?php\n$db['default']['hostname'] = 'h';\n$db['default']['username'] = 'u';\n$db['default']['database'] = 'd';\n$db['default']['dbdriver'] = 'postgre';\n",
    },
    'codeigniter:default postgres u:@h:5432/d application/config/database.php:2',
  ],
  [
    "PDO's data source name",
    {
      'application/config/database.php':
        "<?php\n$db['default'] = array('dsn' => 'mysql:host=h;port=3307;dbname=d', 'username' => 'u', 'dbdriver' => 'pdo');\n",
    },
    'codeigniter:default mysql2 u:@h:3307/d application/config/database.php:2',
  ],
])('reads %s', async (_what, files, expected) => {
  expect(await reportWith(files)).toEqual({ found: [expected], skipped: [] });
});

it.each([
  [
    "$db['default'] = array('hostname' => 'localhost', 'database' => '', 'dbdriver' => 'mysqli');",
    'default: names no database yet',
  ],
  [
    "if (X) { $db['default'] = array('database' => 'd'); }",
    'default: is set in a condition or computed; it is not run',
  ],
  ["$db['default'] = array('database' => 'd', 'dbdriver' => 'oci8');", 'default: DevDB does not support its driver'],
  ["$db['default'] = array('database' => 'd');", 'default: the driver is missing or computed'],
])('leaves %s out with a reason', async (text, reason) => {
  expect(await reportWith({ 'application/config/database.php': `<?php\n${text}\n` })).toEqual({
    found: [],
    skipped: [`application/config/database.php:2 ${reason}`],
  });
});

it('takes the groups of tests for tests and of production for production', async () => {
  const group = (name: string): string =>
    `public array $${name} = ['hostname' => 'h', 'database' => '${name}', 'DBDriver' => 'MySQLi'];\n`;
  const text = `<?php class Database {\n${group('default')}${group('tests')}${group('production')}}`;
  await reportWith({ spark: '', 'app/Config/Database.php': text });
  const { found } = await codeigniter.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.map(({ name, priority, environment }) => [name, Math.floor(priority / 10_000), environment])).toEqual([
    ['default', 1, undefined],
    ['tests', 3, undefined],
    ['production', 4, 'production'],
  ]);
});
