import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { typo3 } from './typo3.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(typo3, project);
}

it('reads the connections, with what the second file changes', async () => {
  expect(await reportWith({}, 'typo3')).toEqual({
    found: ['typo3:Default mysql2 site:s3cret@127.0.0.1:33073/site config/system/settings.php:5'],
    skipped: [],
  });
});

it('reads the file of older versions, and a database in a file', async () => {
  const text =
    "<?php return ['DB' => ['Connections' => ['Default' => ['driver' => 'pdo_sqlite', 'path' => 'var/cms.sqlite']]]];";
  expect((await reportWith({ 'public/typo3conf/LocalConfiguration.php': text })).found).toEqual([
    'typo3:Default sqlite var/cms.sqlite public/typo3conf/LocalConfiguration.php:1',
  ]);
});

it('guesses nothing that only a condition sets', async () => {
  const text = "<?php\nif (X) {\n$GLOBALS['TYPO3_CONF_VARS']['DB']['Connections']['Default']['host'] = 'h';\n}\n";
  expect(await reportWith({ 'config/system/additional.php': text }, 'typo3')).toEqual({
    found: [],
    skipped: ['config/system/settings.php:3 Default: host is computed and cannot be determined without running code'],
  });
});

it('leaves the host of a DDEV container to DDEV', async () => {
  const text =
    "<?php return ['DB' => ['Connections' => ['Default' => ['driver' => 'mysqli', 'host' => 'db', 'dbname' => 'db']]]];";
  expect(await reportWith({ '.ddev/config.yaml': '', 'config/system/settings.php': text })).toEqual({
    found: [],
    skipped: ['config/system/settings.php:1 Default: the host db is a container of DDEV; see .ddev/config.yaml'],
  });
});
