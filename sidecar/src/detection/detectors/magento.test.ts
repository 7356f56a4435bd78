import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { magento } from './magento.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(magento, project);
}

it("reads version 2's connection, whose host may name the port", async () => {
  expect(await reportWith({}, 'magento')).toEqual({
    found: ['magento:default mysql2 magento:s3cret@127.0.0.1:33074/magento app/etc/env.php:7'],
    skipped: [],
  });
});

it("reads version 1's XML", async () => {
  const text = `<config>
  <global><resources><default_setup><connection>
    <host><![CDATA[127.0.0.1:3307]]></host>
    <username><![CDATA[shop]]></username>
    <password><![CDATA[a<b]]></password>
    <dbname><![CDATA[shop]]></dbname>
  </connection></default_setup></resources></global>
</config>`;
  expect(await reportWith({ 'app/etc/local.xml': text })).toEqual({
    found: ['magento:default mysql2 shop:a<b@127.0.0.1:3307/shop app/etc/local.xml:6'],
    skipped: [],
  });
});

it.each([
  [
    'app/etc/env.php',
    "<?php return ['db' => ['connection' => ['default' => ['host' => env('NOPE'), 'dbname' => 'd']]]];",
    'default: host refers to NOPE, which the .env files do not set',
  ],
  ['app/etc/local.xml', '<config><host>h</host></config>', 'default: names no database'],
])('leaves %s out with a reason', async (file, text, reason) => {
  expect(await reportWith({ [file]: text })).toEqual({ found: [], skipped: [`${file}:1 ${reason}`] });
});
