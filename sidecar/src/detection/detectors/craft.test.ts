import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { craft } from './craft.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(craft, project);
}

it('reads the settings of all environments, and those of one over them', async () => {
  expect(await reportWith({}, 'craft')).toEqual({
    found: [
      'craft:db postgres site:s3cret@127.0.0.1:54343/site config/db.php:5',
      'craft:db@production postgres site:s3cret@db.example.com:54343/site config/db.php:14 [production]',
    ],
    skipped: [],
  });
});

it.each([
  ["['dsn' => 'mysql:host=h;port=3307;dbname=d', 'user' => 'u']", ['craft:db mysql2 u:@h:3307/d config/db.php:1'], []],
  ["['server' => 'h', 'user' => 'u', 'database' => 'd']", ['craft:db mysql2 u:@h:3306/d config/db.php:1'], []],
  [
    "['server' => App::env('NOPE'), 'database' => 'd']",
    [],
    ['config/db.php:1 db: server refers to NOPE, which the .env files do not set'],
  ],
])('reads %s', async (settings, found, skipped) => {
  expect(await reportWith({ craft: '', 'config/db.php': `<?php return ${settings};` })).toEqual({ found, skipped });
});

it('does not take a container of DDEV for a host of this machine', async () => {
  const text = "<?php return ['server' => 'db', 'user' => 'db', 'database' => 'db'];";
  expect(await reportWith({ craft: '', '.ddev/config.yaml': '', 'config/db.php': text })).toEqual({
    found: [],
    skipped: ['config/db.php:1 db: the host db is a container of DDEV; see .ddev/config.yaml'],
  });
});
