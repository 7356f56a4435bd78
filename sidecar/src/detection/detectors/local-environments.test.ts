import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import type { Detector } from '../detector.ts';
import { lando } from './lando.ts';
import { wpEnv } from './wp-env.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(detector: Detector, files: Readonly<Record<string, string>>): Promise<DetectorReport> {
  project = new FixtureProject();
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(detector, project);
}

describe('Lando', () => {
  it('has a database where portforward fixes its port', async () => {
    const text =
      'name: x\nservices:\n  database:\n    type: postgres:16\n    portforward: 54390\n    creds:\n      user: u\n      password: p\n      database: shop\n';
    expect(await reportWith(lando, { '.lando.yml': text })).toEqual({
      found: ['lando:database postgres u:p@127.0.0.1:54390/shop .lando.yml:3'],
      skipped: [],
    });
  });

  it('has a database where its compose settings publish the port', async () => {
    const text =
      'services:\n  database:\n    type: mysql:8.0\n    portforward: true\n    overrides:\n      ports:\n        - "33061:3306"\n    creds: {user: u, password: p, database: shop}\n';
    expect((await reportWith(lando, { '.lando.yml': text })).found).toEqual([
      'lando:database mysql2 u:p@127.0.0.1:33061/shop .lando.yml:2',
    ]);
  });

  it.each([
    'recipe: laravel\n',
    'services:\n  db:\n    type: mariadb\n    portforward: true\n',
    'services:\n  db:\n    type: mariadb\n    overrides: {ports: ["33061:80", "3306"]}\n',
  ])('names the way to its port otherwise: %j', async (text) => {
    const { found, skipped } = await reportWith(lando, { '.lando.yml': text });
    expect(found).toEqual([]);
    expect(skipped).toEqual([expect.stringContaining('`lando info --format json` shows')]);
  });
});

describe('wp-env', () => {
  it('has a database for development and one for tests where their ports are fixed', async () => {
    const text = '{ "env": { "development": { "mysqlPort": 13306 }, "tests": { "mysqlPort": 13307 } } }';
    project = new FixtureProject();
    project.write('.wp-env.json', text);
    const { found } = await wpEnv.detect(await project.view(), AbortSignal.timeout(5_000));
    expect(found.map(({ id, neverDefault }) => [id, neverDefault])).toEqual([
      ['wp-env:wordpress', undefined],
      ['wp-env:tests-wordpress', 'tests'],
    ]);
  });

  it('says how to fix the port otherwise', async () => {
    const { found, skipped } = await reportWith(wpEnv, { '.wp-env.json': '{"core": null}' });
    expect(found).toEqual([]);
    expect(skipped).toEqual([expect.stringContaining('set mysqlPort to fix it')]);
  });
});
