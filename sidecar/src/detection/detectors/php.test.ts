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
  [
    "$_S = array();\n$_S[ 'db_server' ] = getenv('SHOP_DB') ?: '127.0.0.1';\n$_S['db_database'] = 'shop';\n$_S['db_user'] = 'u';",
    'mysql2 u:@127.0.0.1:3306/shop config/config.php:4',
  ],
  [
    "$db['host'] = 'localhost';\n$db['user'] = 'u';\n$db['name'] = 'shop';\n$db['port'] = 3307;",
    'mysql2 u:@localhost:3307/shop config/config.php:4',
  ],
  [
    "$c['app']['database']['type'] = 'pgsql';\n$c['app']['database']['hostspec'] = 'localhost';\n$c['app']['database']['name'] = 'shop';",
    'postgres :@localhost:5432/shop config/config.php:4',
  ],
  [
    "$dbConfig = ['server' => 'localhost', 'database' => 'shop', 'username' => 'u'];",
    'mysql2 u:@localhost:3306/shop config/config.php:2',
  ],
  [
    "$CFG->dbtype = 'pgsql';\n$CFG->dbhost = 'localhost';\n$CFG->dbname = 'shop';",
    'postgres :@localhost:5432/shop config/config.php:4',
  ],
  [
    "return ['db' => ['driver' => 'sqlite', 'path' => __DIR__ . '/../var/shop.db']];",
    'sqlite var/shop.db config/config.php:2',
  ],
])('reads the entries of an array: %s', async (text, where) => {
  expect(await reportWith({ 'config/config.php': text })).toEqual({
    found: [`php:config/config ${where}`],
    skipped: [],
  });
});

it.each([
  "$mail['host'] = 'localhost'; $mail['name'] = 'shop';",
  "$db['host'] = 'localhost'; $db['name'] = '';",
  "$db['host'] = $_POST['host']; $db['name'] = 'shop';",
  "$db['host'] = 'localhost'; $db['name'] = 'shop'; if ($live) { $db['host'] = 'far'; }",
])('takes no other array for a connection: %s', async (text) => {
  expect(await reportWith({ 'config.php': text })).toEqual({ found: [], skipped: [] });
});

it("takes a constant's first definition in the settings files, and the file of SQLite where one names it", async () => {
  const config =
    "define('DATA_DIR', __DIR__.DIRECTORY_SEPARATOR.'data');\ndefine('DB_DRIVER', 'sqlite');\ndefine('DB_HOST', 'localhost'); define('DB_NAME', 'shop');";
  const defaults =
    "define('ROOT', __DIR__ . '/..');\ndefined('DATA_DIR') or define('DATA_DIR', ROOT . '/else');\ndefined('DB_DRIVER') || define('DB_DRIVER', getenv('DB_DRIVER') ?: 'mysql');\ndefined('DB_FILENAME') or define('DB_FILENAME', getenv('SHOP_FILE') ?: DATA_DIR.DIRECTORY_SEPARATOR.'shop.sqlite');";
  expect(await reportWith({ 'config.php': config, 'app/constants.php': defaults })).toEqual({
    found: ['php:app/constants sqlite data/shop.sqlite app/constants.php:5'],
    skipped: [],
  });
  project.remove();
  const alone = defaults.replace("'mysql'", "'sqlite'");
  expect((await reportWith({ 'app/constants.php': alone })).found).toEqual([
    'php:app/constants sqlite else/shop.sqlite app/constants.php:5',
  ]);
  project.remove();
  expect((await reportWith({ 'config.php': config })).skipped).toEqual(['config.php:4 config: names no database file']);
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

it("leaves the settings of a framework's application below to the framework", async () => {
  const laravel = "return ['connections' => ['mysql' => ['host' => 'localhost', 'database' => 'forge']]];";
  const files = { 'backend/config/database.php': laravel, 'backend/artisan': '', 'backend/composer.json': '{}' };
  expect(await reportWith(files)).toEqual({ found: [], skipped: [] });
  project.remove();
  expect((await reportWith({ 'backend/config/database.php': laravel })).found).toHaveLength(1);
});

it.each([
  [
    "$host = 'localhost'; $name = 'shop';\n$db = new mysqli($host, 'u', '', $name);",
    'mysql2 u:@localhost:3306/shop auth.php:3',
  ],
  ["$db = new PDO('sqlite:' . __DIR__ . '/shop.sqlite');", 'sqlite shop.sqlite auth.php:2'],
])('reads the call that connects in any page of a small program: %s', async (text, where) => {
  const pages = { 'about.php': "echo 'PDO';", 'auth.php': text, 'create.php': "include 'auth.php';" };
  expect(await reportWith(pages)).toEqual({ found: [`php:auth ${where}`], skipped: [] });
});

it.each([
  ['what it connects to is computed', { 'auth.php': "new mysqli(ask('host'), 'u', '', 'shop');" }],
  ['it is only there to install or test the program', { 'install.php': "new mysqli('localhost', 'u', '', 'shop');" }],
  ['the page is below the program', { 'pages/auth.php': "new mysqli('localhost', 'u', '', 'shop');" }],
])('takes no such call where %s', async (_, files) => {
  expect(await reportWith(files)).toEqual({ found: [], skipped: [] });
});

it.each(['$username', '$dbuser', '$db_user'])(
  'reads a data source of PDO that only pages use, with %s',
  async (user) => {
    const text = `$host = "localhost";\n${user} = "u";\n$password = "";\n$dbname = "shop";\n$dsn = "mysql:host=$host;dbname=$dbname";`;
    const page = 'require "../config.php";\n$connection = new PDO($dsn, $username, $password);';
    expect(await reportWith({ 'config.php': text, 'public/index.php': page })).toEqual({
      found: ['php:config mysql2 u:@localhost:3306/shop config.php:6'],
      skipped: [],
    });
  },
);

it('takes no other DSN for a data source', async () => {
  const text = '$db = connection();\n$dsn = "https://key@errors.example.com/1";\n$username = "u";';
  expect(await reportWith({ 'config.php': text })).toEqual({ found: [], skipped: [] });
});
