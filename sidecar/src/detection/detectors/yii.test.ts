import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { yii } from './yii.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(yii, project);
}

it('reads the component of one machine, and that of tests as one of tests', async () => {
  expect(await reportWith({}, 'yii')).toEqual({
    found: [
      'yii:common/config/main-local#db mysql2 shop:s3cret@127.0.0.1:33071/shop common/config/main-local.php:4',
      'yii:common/config/test-local#db mysql2 shop:@127.0.0.1:33071/shop_test common/config/test-local.php:4',
    ],
    skipped: [],
  });
  const { found } = await yii.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.map(({ priority }) => priority >= 30_000)).toEqual([false, true]);
});

it.each([
  [
    'config/db.php',
    "<?php\nreturn ['dsn' => 'pgsql:host=h;dbname=d', 'username' => 'u'];\n",
    'yii:config/db#db postgres u:@h:5432/d config/db.php:2',
  ],
  [
    'config/db.php',
    "<?php\nreturn ['dsn' => 'sqlite:' . __DIR__ . '/../data/shop.db'];\n",
    'yii:config/db#db sqlite data/shop.db config/db.php:2',
  ],
  [
    'protected/config/main.php',
    "<?php\nreturn array('components' => array('db' => array('connectionString' => 'mysql:host=h;dbname=d', 'username' => 'u')));\n",
    'yii:protected/config/main#db mysql2 u:@h:3306/d protected/config/main.php:2',
  ],
  [
    'config/web.php',
    "<?php\nreturn ['components' => ['db' => require __DIR__ . '/db.php', 'old' => ['dsn' => 'sqlsrv:Server=h,1434;Database=d', 'username' => 'sa']]];\n",
    'yii:config/web#old mssql sa:@h:1434/d config/web.php:2',
  ],
])('reads %s: %s', async (file, text, expected) => {
  expect(await reportWith({ yii: '', [file]: text })).toEqual({ found: [expected], skipped: [] });
});

it('reads variables, and says which one is not set', async () => {
  const text = "<?php\nreturn ['dsn' => getenv('DB_DSN'), 'username' => env('DB_USER')];\n";
  expect(await reportWith({ yii: '', 'config/db.php': text })).toEqual({
    found: [],
    skipped: ['config/db.php:2 config/db#db: the data source refers to DB_DSN, which the .env files do not set'],
  });
  project.write('.env', 'DB_DSN=mysql:host=h;dbname=d\nDB_USER=u\n');
  expect((await reportOf(yii, project)).found).toEqual(['yii:config/db#db mysql2 u:@h:3306/d config/db.php:2']);
});
