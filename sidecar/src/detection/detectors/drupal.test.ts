import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { drupal } from './drupal.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(drupal, project);
}

it("takes the settings of this machine over the site's", async () => {
  expect(await reportWith({}, 'drupal')).toEqual({
    found: [
      'drupal:default.default mysql2 site:s3cret@127.0.0.1:33072/site_local web/sites/default/settings.local.php:2',
    ],
    skipped: [],
  });
});

it.each([
  [
    "$databases['default']['default'] = ['driver' => 'sqlite', 'database' => 'sites/default/files/.ht.sqlite'];",
    ['drupal:default.default sqlite web/sites/default/files/.ht.sqlite web/sites/default/settings.php:2'],
    [],
  ],
  [
    "$databases = array('default' => array('default' => array('driver' => 'pgsql', 'database' => 'd', 'host' => 'h', 'username' => 'u')), 'old' => array('default' => array('driver' => 'mysql', 'database' => 'o')));",
    [
      'drupal:default.default postgres u:@h:5432/d web/sites/default/settings.php:2',
      'drupal:default.old mysql2 :@localhost:3306/o web/sites/default/settings.php:2',
    ],
    [],
  ],
  [
    "if (getenv('X')) {\n$databases['default']['default'] = ['driver' => 'mysql', 'database' => 'd'];\n}",
    [],
    ['web/sites/default/settings.php:3 default.default: is set in a condition or computed; it is not run'],
  ],
  [
    "$databases['default']['default'] = $shared;",
    [],
    ['web/sites/default/settings.php:2 default.default: is set in a condition or computed; it is not run'],
  ],
  [
    "$databases['default']['default'] = ['driver' => 'oracle', 'database' => 'd'];",
    [],
    ['web/sites/default/settings.php:2 default.default: DevDB does not support its driver'],
  ],
])('reads %s', async (text, found, skipped) => {
  const files = { 'composer.json': '{}', 'web/sites/default/settings.php': `<?php\n${text}\n` };
  expect(await reportWith(files)).toEqual({ found, skipped });
});

it('reads every site of one without a folder for the web server', async () => {
  const text = (name: string): string =>
    `<?php $databases['default']['default'] = ['driver' => 'mysql', 'database' => '${name}'];`;
  const { found } = await reportWith({
    'sites/a.example/settings.php': text('a'),
    'sites/b.example/settings.php': text('b'),
  });
  expect(found).toEqual([
    'drupal:a.example.default mysql2 :@localhost:3306/a sites/a.example/settings.php:1',
    'drupal:b.example.default mysql2 :@localhost:3306/b sites/b.example/settings.php:1',
  ]);
});
