import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { payload } from './payload.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(payload, project);
}

it("reads the adapter's pool", async () => {
  expect(await reportWith({}, 'payload')).toEqual({
    found: ['payload:db postgres site:s3cret@127.0.0.1:54345/site src/payload.config.ts:6'],
    skipped: [],
  });
});

it.each([
  ["sqliteAdapter({ client: { url: 'file:./site.db' } })", ['payload:db sqlite site.db payload.config.ts:1'], []],
  ['mongooseAdapter({ url: process.env.X })', [], ['payload.config.ts:1 uses MongoDB, which DevDB does not support']],
  [
    'postgresAdapter({ pool: { connectionString: process.env.NOPE } })',
    [],
    ['payload.config.ts:1 db: connectionString refers to NOPE, which the .env files do not set'],
  ],
  ['postgresAdapter(options())', [], ['payload.config.ts:1 postgresAdapter: its pool is missing or computed']],
])('reads %s', async (adapter, found, skipped) => {
  expect(await reportWith({ 'payload.config.ts': `export default buildConfig({ db: ${adapter} });` })).toEqual({
    found,
    skipped,
  });
});
