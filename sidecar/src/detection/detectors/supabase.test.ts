// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { supabase } from './supabase.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(supabase, project);
}

it('reads the port of the local database', async () => {
  expect(await reportWith({}, 'supabase')).toEqual({
    found: ['supabase:db postgres postgres:postgres@127.0.0.1:54329/postgres supabase/config.toml:15'],
    skipped: [],
  });
});

it.each([
  ['project_id = "x"\n', '54322/postgres supabase/config.toml:1'],
  ['[db]\nport = "env(SUPABASE_PORT)"\n', '54400/postgres supabase/config.toml:2'],
])('reads %j', async (text, found) => {
  const { found: all } = await reportWith({ 'supabase/config.toml': text, '.env': 'SUPABASE_PORT=54400' });
  expect(all[0]).toContain(found);
});

it.each([
  ['[db]\nport = "env(NOPE)"', ':2 the port refers to a variable that the .env files do not set'],
  ['[db]\nport = 99999', ':2 db: the port is not a number from 1 to 65535'],
  ['[db]\nenabled = false', ':2 the local database is switched off (db.enabled)'],
  ['[db\nport = 1', ':1 has a table whose name cannot be read'],
  ['[db]\nport 1', ':2 is not valid TOML: expected a name and "=" here'],
])('leaves %j out with a reason', async (text, reason) => {
  expect(await reportWith({ 'supabase/config.toml': text })).toEqual({
    found: [],
    skipped: [`supabase/config.toml${reason}`],
  });
});
