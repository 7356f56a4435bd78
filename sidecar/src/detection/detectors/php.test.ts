import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { php } from './php.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>): Promise<DetectorReport> {
  project = new FixtureProject();
  for (const [file, text] of Object.entries(files)) project.write(file, `<?php\n${text}\n`);
  return await reportOf(php, project);
}

it.each([
  ['DB_HOST', 'DB_USER', 'DB_PASS', 'DB_NAME'],
  ['DATABASE_HOST', 'DATABASE_USER', 'DATABASE_PASS', 'DATABASE_NAME'],
  ['DB_SERVER', 'DB_USERNAME', 'DB_PASSWORD', 'DB_DATABASE'],
  ['DB_SERVER', 'DB_SERVER_USERNAME', 'DB_SERVER_PASSWORD', 'DB_DATABASE'],
  ['MYSQL_HOST', 'MYSQL_USER', 'MYSQL_PASSWORD', 'MYSQL_DB'],
  ['APP_DB_HOSTNAME', 'APP_DB_USER', 'APP_DB_PWD', 'APP_DB_DBNAME'],
])('reads the constants %s, %s, %s and %s', async (host, user, password, database) => {
  const text = `define('${host}', '127.0.0.1:3307');\ndefine("${user}", 'u');\nDEFINE('${password}', 'p');\ndefine('${database}', 'shop');`;
  const { found, skipped } = await reportWith({ 'includes/config.php': text });
  expect(found).toEqual(['php:includes/config mysql2 u:p@127.0.0.1:3307/shop includes/config.php:5']);
  expect(skipped).toEqual([]);
});

it.each([
  ["$conn = new mysqli('localhost', 'u', 'p', 'shop', 3308);", 'mysql2 u:p@localhost:3308/shop'],
  ["$h = 'localhost'; $d = 'shop';\n$c = mysqli_connect($h, 'u', 'p', $d);", 'mysql2 u:p@localhost:3306/shop'],
  ["$pdo = new PDO('pgsql:host=localhost;dbname=shop', 'u', 'p');", 'postgres u:p@localhost:5432/shop'],
  [
    "define('DSN_HOST', 'localhost');\n$pdo = new PDO('mysql:host=' . DSN_HOST . ';dbname=shop', 'u', 'p');",
    'mysql2 u:p@localhost:3306/shop',
  ],
  ["$pdo = new PDO('sqlite:data/shop.db');", 'sqlite data/shop.db'],
])('reads the call that connects: %s', async (text, where) => {
  const { found, skipped } = await reportWith({ 'db.php': text });
  expect(found).toEqual([expect.stringContaining(`php:db ${where} db.php:`)]);
  expect(skipped).toEqual([]);
});

it.each([
  ["define('DB_HOST', load()); define('DB_NAME', 'shop');", 'host'],
  ["define('DB_HOST', 'localhost'); if ($x) { define('DB_NAME', 'a'); }", 'database'],
])('says what only running code knows: %s', async (text, field) => {
  const { found, skipped } = await reportWith({ 'config.php': text });
  expect(found).toEqual([]);
  expect(skipped).toEqual([expect.stringContaining(`config: ${field}`)]);
});

it('leaves an installer, tests, other settings and frameworks alone', async () => {
  const constants = "define('DB_HOST', 'localhost'); define('DB_NAME', 'shop');";
  const { found, skipped } = await reportWith({
    'config.php': "define('DB_HOST', 'localhost'); define('DB_NAME', '');",
    'test/config.php': constants,
    'settings.php': "define('SPHINX_HOST', 'localhost');",
    'conf.php': '$broken = (',
  });
  expect([found, skipped]).toEqual([[], []]);
  project.remove();
  expect(await reportWith({ 'config.php': constants, artisan: '' })).toEqual({ found: [], skipped: [] });
});

it('reads past a text of several lines, and takes none for a setting', async () => {
  const mail = "$mail = <<<EOF\nDear user, it's\nEOFS\n  EOF;\n$other = <<<'NOW'\n\"{\nNOW;\n";
  const { found } = await reportWith({
    'config.php': `${mail}define('DB_HOST', 'localhost'); define('DB_NAME', 'shop');`,
  });
  expect(found).toEqual(['php:config mysql2 :@localhost:3306/shop config.php:9']);
  project.remove();
  const { skipped } = await reportWith({
    'config.php': "define('DB_HOST', 'localhost'); define('DB_NAME', <<<X\nshop\nX\n);",
  });
  expect(skipped).toEqual([expect.stringContaining('config: database')]);
});
