import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { cakephp } from './cakephp.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(cakephp, project);
}

const app = {
  'composer.json': '{}',
  'config/bootstrap.php': "<?php\nConfigure::load('app', 'default', false);\nConfigure::load('shop');\n",
};

it('reads the data sources over all files that the bootstrap loads', async () => {
  expect(await reportWith({}, 'cakephp')).toEqual({
    found: [
      'cakephp:default mysql2 shop:s3cret@127.0.0.1:33070/shop config/app_local.php:5',
      'cakephp:test mysql2 shop:s3cret@127.0.0.1:3306/shop_test config/app_local.php:13',
    ],
    skipped: [],
  });
  const { found } = await cakephp.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.map(({ priority }) => priority >= 30_000)).toEqual([false, true]);
});

it("takes a variable's URL before the fields", async () => {
  const { found } = await reportWith({ '.env': 'DATABASE_URL=postgres://u:p@h/d\n' }, 'cakephp');
  expect(found[0]).toBe('cakephp:default postgres u:p@h:5432/d config/app_local.php:5');
});

it('follows a file of another name', async () => {
  const files = {
    ...app,
    'config/app.php': "<?php return ['Datasources' => ['default' => ['driver' => 'Cake\\Database\\Driver\\Sqlite']]];",
    'config/shop.php': "<?php return ['Datasources' => ['default' => ['database' => ROOT_FILE]]];\n",
  };
  expect(await reportWith(files)).toEqual({
    found: [],
    skipped: ['config/shop.php:1 default: database is computed and cannot be determined without running code'],
  });
  project.write(
    'config/shop.php',
    "<?php return ['Datasources' => ['default' => ['database' => 'tmp/shop.sqlite']]];\n",
  );
  expect((await reportOf(cakephp, project)).found).toEqual([
    'cakephp:default sqlite tmp/shop.sqlite config/shop.php:1',
  ]);
});

it('reads the class of connections of CakePHP 2', async () => {
  const text =
    "<?php\nclass DATABASE_CONFIG {\n  public $default = array(\n    'datasource' => 'Database/MysqlOfOurs',\n    'host' => 'localhost',\n    'login' => 'shop',\n    'password' => 'pw',\n    'database' => 'shop',\n  );\n\n  public $test = ['datasource' => 'Database/Postgres', 'host' => 'h', 'database' => 'shop_test'];\n  public $mail = ['datasource' => 'Mail'];\n}\n";
  expect(await reportWith({ 'app/Config/database.php': text })).toEqual({
    found: [
      'cakephp:app/default mysql2 shop:pw@localhost:3306/shop app/Config/database.php:3',
      'cakephp:app/test postgres :@h:5432/shop_test app/Config/database.php:11',
    ],
    skipped: [],
  });
  const { found } = await cakephp.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.map(({ neverDefault }) => neverDefault)).toEqual([undefined, 'tests']);
});

it("reads a driver's whole name and the framework's constants, and the fields where the URL's variable is not set", async () => {
  const fields =
    "'driver' => Cake\\Database\\Driver\\Sqlite::class, 'database' => ROOT . DS . 'shop.sqlite', 'url' => env('MAIN_URL')";
  const files = { ...app, 'config/app.php': `<?php return ['Datasources' => ['default' => [${fields}]]];\n` };
  expect(await reportWith(files)).toEqual({
    found: ['cakephp:default sqlite shop.sqlite config/app.php:1'],
    skipped: [],
  });
  const other = fields.replace('Cake', '\\Cake').replace('ROOT . DS', 'CONFIG');
  project.write('config/app.php', `<?php return ['Datasources' => ['default' => [${other}]]];\n`);
  expect((await reportOf(cakephp, project)).found).toEqual([
    'cakephp:default sqlite config/shop.sqlite config/app.php:1',
  ]);
});

it("takes the skeleton's own database for none where the machine's settings are missing", async () => {
  const fields =
    "'driver' => 'Cake\\Database\\Driver\\Mysql', 'username' => 'my_app', 'database' => 'my_app', 'url' => env('MAIN_URL', null)";
  const files = {
    ...app,
    'config/bootstrap.php': "<?php\nConfigure::load('app');\nif (true) {\n  Configure::load('app_local');\n}\n",
    'config/app.php': `<?php return ['Datasources' => ['default' => [${fields}]]];\n`,
  };
  expect(await reportWith(files)).toEqual({
    found: [],
    skipped: ['config/app.php:1 default: names no database yet; set it in config/app_local.php'],
  });
  project.write('.env', 'MAIN_URL=mysql://u:p@h/d\n');
  expect((await reportOf(cakephp, project)).found).toEqual(['cakephp:default mysql2 u:p@h:3306/d config/app.php:1']);
  project.write('.env', '');
  project.write('config/app_local.php', "<?php return ['debug' => true];\n");
  expect((await reportOf(cakephp, project)).found).toEqual([
    'cakephp:default mysql2 my_app:@localhost:3306/my_app config/app.php:1',
  ]);
});

it('says where the database is to be set, and reads no other application', async () => {
  const text = "<?php return ['Datasources' => ['default' => ['driver' => Mysql::class]]];\n";
  expect(await reportWith({ ...app, 'config/app.php': text })).toEqual({
    found: [],
    skipped: ['config/app.php:1 default: names no database yet; set it in config/app_local.php'],
  });
  project.write('config/bootstrap.php', '<?php');
  expect(await reportOf(cakephp, project)).toEqual({ found: [], skipped: [] });
});
