import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { rust } from './rust.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(rust, project);
}

it('reads the settings files of each environment', async () => {
  expect(await reportWith({}, 'rust')).toEqual({
    found: [
      'rust:configuration/base.yaml#database postgres shop:s3cret@127.0.0.1:54349/shop configuration/base.yaml:3',
      'rust:configuration/production.yaml#database postgres :@db.example.com:5432/shop configuration/production.yaml:3 [production]',
    ],
    skipped: [],
  });
});

it('reads a settings file that is called like the program', async () => {
  const text = '[Database]\ntype = "postgresql"\nhost = "127.0.0.1"\nport = 5432\nusername = "u"\ndatabase = "shop"\n';
  const files = { 'Cargo.toml': '[package]\nname = "shop-server"\n', 'shop-server.toml': text, 'other.toml': text };
  expect(await reportWith(files)).toEqual({
    found: ['rust:shop-server.toml#database postgres u:@127.0.0.1:5432/shop shop-server.toml:2'],
    skipped: [],
  });
});

it('reads no settings of a program in another language', async () => {
  expect(await reportWith({ 'config.toml': '[database]\nurl = "postgres://h/d"\n' })).toEqual({
    found: [],
    skipped: [],
  });
});
