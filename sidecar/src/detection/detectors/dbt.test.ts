import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { dbt } from './dbt.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(dbt, project);
}

const project1 = { 'dbt_project.yml': 'profile: shop\n' };

it("reads the profile's target, and other outputs as other environments", async () => {
  expect(await reportWith({ '.env': 'PROD_PASSWORD=x\n' }, 'dbt')).toEqual({
    found: [
      'dbt:prod postgres reader:x@db.example.com:5432/warehouse profiles.yml:4 [prod]',
      'dbt:dev postgres shop:s3cret@127.0.0.1:54348/warehouse profiles.yml:11',
    ],
    skipped: [],
  });
});

it.each([
  ['{type: duckdb, path: a.db}', 'profiles.yml:1 dev: DevDB does not support its type'],
  [
    '{type: postgres, host: h, pass: "{{ env_var(\'NOPE\') }}", dbname: d}',
    'profiles.yml:1 dev: refers to NOPE, which the .env files do not set',
  ],
])('leaves %s out with a reason', async (output, reason) => {
  const files = { ...project1, 'profiles.yml': `shop: {target: dev, outputs: {dev: ${output}}}\n` };
  expect(await reportWith(files)).toEqual({ found: [], skipped: [reason] });
});

it('says where a profile outside the project is, without reading it', async () => {
  expect(await reportWith(project1)).toEqual({
    found: [],
    skipped: [
      'dbt_project.yml: has its profile in your home folder (~/.dbt), which is not read; name the database in .devdbrc',
    ],
  });
  project.write('profiles.yml', 'other: {}\n');
  expect((await reportOf(dbt, project)).skipped).toEqual([
    'profiles.yml: has no profile shop, which dbt_project.yml names',
  ]);
});

it('reads a profile in a folder around the project, with the variables of the container it runs in', async () => {
  const output = '{type: postgres, host: db, user: "{{ env_var(\'DBT_USER\') }}", port: 5432, dbname: d}';
  const found = await reportWith({
    'demo/dbt_project.yml': 'profile: shop\n',
    'profiles.yml': `shop: {target: dev, outputs: {dev: ${output}}}\n`,
    '.docker/compose.yml': 'services: {dbt: {image: dbt, environment: {DBT_USER: u}}}\n',
  });
  expect(found).toEqual({ found: ['dbt:demo/dev postgres u:@db:5432/d profiles.yml:1'], skipped: [] });
});

it('does not take the profiles around the project for its own where they are of another', async () => {
  const files = { 'demo/dbt_project.yml': 'profile: shop\n', 'profiles.yml': 'other: {}\n' };
  expect((await reportWith(files)).skipped).toEqual([
    'demo/dbt_project.yml: has its profile in your home folder (~/.dbt), which is not read; name the database in .devdbrc',
  ]);
});
