// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { symfony } from './symfony.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(symfony, project);
}

function doctrine(dbal: string): Record<string, string> {
  return { 'composer.json': '{}', 'config/packages/doctrine.yaml': `doctrine:\n  dbal: ${dbal}\n` };
}

it('reads the connections of Doctrine', async () => {
  expect(await reportWith({}, 'symfony')).toEqual({
    found: [
      'symfony:main postgres app:!ChangeMe!@127.0.0.1:5432/app{"serverVersion":"16","charset":"utf8"} config/packages/doctrine.yaml:5',
      'symfony:legacy mysql2 legacy:legacy@127.0.0.1:33062/legacy config/packages/doctrine.yaml:7',
      'symfony:files sqlite var/files.db config/packages/doctrine.yaml:15',
    ],
    skipped: ['config/packages/doctrine.yaml:18 vault: url is computed in a way that DevDB does not follow'],
  });
});

it('names a section after its environment', async () => {
  const text = "when@prod:\n  doctrine:\n    dbal:\n      url: '%env(PROD_URL)%'\n";
  const files = { 'composer.json': '{}', 'config/packages/doctrine.yaml': text, '.env': 'PROD_URL=mysql://u:p@h/d' };
  expect((await reportWith(files)).found).toEqual([
    'symfony:default mysql2 u:p@h:3306/d config/packages/doctrine.yaml:3 [prod]',
  ]);
});

it.each([
  ["{url: '%env(NOPE)%'}", 'default: url refers to NOPE, which the .env files do not set'],
  ["{url: '%env(file:NAME)%'}", 'default: url is computed in a way that DevDB does not follow'],
  ['{driver: oci8, host: h, dbname: d}', 'default: has neither a url nor a driver that DevDB supports'],
  ['{driver: pdo_pgsql, host: h}', 'default: names no database'],
  ["{url: 'mongodb://h/d'}", 'default: the URL names the scheme mongodb:, which DevDB does not support'],
])('leaves %s out with a reason', async (dbal, reason) => {
  expect(await reportWith(doctrine(dbal))).toEqual({
    found: [],
    skipped: [`config/packages/doctrine.yaml:2 ${reason}`],
  });
});

it('fills in the parameters of the kernel and of services.yaml, and their defaults for variables', async () => {
  const report = await reportWith({
    ...doctrine("{url: 'sqlite:///%kernel.project_dir%/var/%app.name%_%kernel.environment%.db'}"),
    'config/services.yaml': "parameters:\n  app.name: '%app.base%'\n  app.base: shop\n  loop: '%loop%'\n",
  });
  expect(report.found).toEqual(['symfony:default sqlite var/shop_dev.db config/packages/doctrine.yaml:2']);
  project.remove();
  const other = await reportWith({
    ...doctrine("{url: '%env(resolve:DATABASE_URL)%'}"),
    'config/services.yaml': "parameters:\n  env(DATABASE_URL): 'mysql://u:p@localhost/d'\n",
  });
  expect(other.found).toEqual(['symfony:default mysql2 u:p@localhost:3306/d config/packages/doctrine.yaml:2']);
});

describe('a value of a JSON file whose path a variable holds', () => {
  const files = {
    ...doctrine("{url: '%env(resolve:DATABASE_URL)%'}"),
    '.env': 'SECRETS=./secrets/shop.json\n',
    'config/services.yaml': "parameters:\n  env(DATABASE_URL): '%env(string:key:DATABASE_URL:json:file:SECRETS)%'\n",
  };
  const secrets = '{"DATABASE_URL": "mysql://u:p@localhost:33060/shop"}';
  const found = ['symfony:default mysql2 u:p@localhost:33060/shop config/packages/doctrine.yaml:2'];

  it('is the default of another variable', async () => {
    expect((await reportWith({ ...files, 'secrets/shop.json': secrets })).found).toEqual(found);
  });

  it("is Doctrine's own", async () => {
    const own = doctrine("{url: '%env(key:DATABASE_URL:json:file:SECRETS)%'}");
    expect((await reportWith({ ...files, ...own, 'secrets/shop.json': secrets })).found).toEqual(found);
  });

  it.each([{}, { '.env': 'SECRETS=../shop.json\n' }, { 'secrets/shop.json': '{}' }])(
    'is a sentence where it is not there: %j',
    async (others) => {
      expect(await reportWith({ ...files, ...others })).toEqual({
        found: [],
        skipped: ['config/packages/doctrine.yaml:2 default: url is computed in a way that DevDB does not follow'],
      });
    },
  );
});
