// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { ddev } from './ddev.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(ddev, project);
}

it('reads a fixed port', async () => {
  expect(await reportWith({}, 'ddev')).toEqual({
    found: ['ddev:db mysql2 db:db@127.0.0.1:33306/db .ddev/config.yaml:8'],
    skipped: [],
  });
});

it('lets an override win', async () => {
  const local = 'database: {type: postgres, version: "17"}\nhost_db_port: "54399"\n';
  expect((await reportWith({ '.ddev/config.local.yaml': local }, 'ddev')).found).toEqual([
    'ddev:db postgres db:db@127.0.0.1:54399/db .ddev/config.local.yaml:2',
  ]);
});

it.each([
  [
    'name: x\ndatabase: {type: mysql, version: "8.0"}',
    ':2 the DDEV database (mysql 8.0) gets its port only while DDEV runs: set host_db_port in .ddev/config.yaml to fix it',
  ],
  ['name: x', ':1 the DDEV database (mariadb) gets its port only while DDEV runs'],
  ['name: x\nomit_containers: [db]', ':2 the DDEV project has no database container (omit_containers)'],
  ['name: x\nhost_db_port: abc', ':2 db: the port is not a number from 1 to 65535'],
  ['name: [', 'not valid YAML'],
])('leaves %j out with a reason', async (text, reason) => {
  const { found, skipped } = await reportWith({ '.ddev/config.yaml': text });
  expect(found).toEqual([]);
  expect(skipped[0]).toContain(reason);
  expect(skipped[0]).toMatch(/^\.ddev\/config\.yaml:\d/);
});

it("has the project's own database service instead of DDEV's", async () => {
  const files = {
    '.ddev/config.yaml': 'name: x\nomit_containers:\n  - db\n',
    '.ddev/docker-compose.shop.yaml':
      'services:\n  cache: {image: redis, ports: ["6380:6379"]}\n  shopdb:\n    image: ${SHOP_IMAGE-example/shop}\n    ports: ["3206:3306"]\n    environment: {MYSQL_USER: u, MYSQL_PASSWORD: p, MYSQL_DATABASE: shop, MYSQL_RANDOM_ROOT_PASSWORD: 1}\n',
  };
  expect(await reportWith(files)).toEqual({
    found: ['ddev:shopdb mysql2 u:p@127.0.0.1:3206/shop .ddev/docker-compose.shop.yaml:3'],
    skipped: [],
  });
  project.write('.ddev/config.yaml', 'name: x\n');
  const { found, skipped } = await reportOf(ddev, project);
  expect(found).toEqual([]);
  expect(skipped).toEqual([expect.stringContaining('gets its port only while DDEV runs')]);
});

it("takes the port that the project's own compose files publish", async () => {
  const { found } = await reportWith({
    '.ddev/config.yaml': 'name: x\ndatabase: {type: postgres, version: "16"}\n',
    '.ddev/docker-compose.ports.yaml':
      'services:\n  db:\n    ports:\n      - "127.0.0.1:54399:5432"\n      - "${X}:5433"\n',
  });
  expect(found).toEqual(['ddev:db postgres db:db@127.0.0.1:54399/db .ddev/docker-compose.ports.yaml:2']);
});
