import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { d1 } from './d1.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(d1, project);
}

const FOLDER = '.wrangler/state/v3/d1/miniflare-D1DatabaseObject';

it('says how the local file of a D1 database is made', async () => {
  expect(await reportWith({}, 'd1')).toEqual({
    found: [],
    skipped: [
      'wrangler.toml:4 its D1 database has no local file yet; `wrangler d1 migrations apply <name> --local` makes one',
    ],
  });
});

it('finds the only local file, but does not choose among several', async () => {
  project = new FixtureProject('d1');
  project.database(`${FOLDER}/aa00.sqlite`);
  project.database(`${FOLDER}/metadata.sqlite`);
  expect(await reportOf(d1, project)).toEqual({
    found: [`d1:db sqlite ${FOLDER}/aa00.sqlite wrangler.toml:4`],
    skipped: [],
  });
  project.database(`${FOLDER}/bb11.sqlite`);
  expect(await reportOf(d1, project)).toEqual({
    found: [],
    skipped: [`wrangler.toml:4 its D1 databases have 2 local files in ${FOLDER}; name one in .devdbrc`],
  });
});

it('says nothing about a project without one', async () => {
  expect(await reportWith({ 'wrangler.toml': 'name = "x"\n' })).toEqual({ found: [], skipped: [] });
});

it('reads the settings for one way to start a Worker, once for all of them, and no example', async () => {
  const settings = '{\n  "d1_databases": [{ "binding": "DB" }]\n}\n';
  const files = { 'wrangler.dev.jsonc': settings, 'wrangler.jsonc': settings, 'wrangler.example.toml': 'd1_databases' };
  expect((await reportWith(files)).skipped).toEqual([expect.stringContaining('wrangler.dev.jsonc:2 its D1')]);
});
