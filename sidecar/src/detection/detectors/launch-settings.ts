import type { AppFolder } from '../app-folder.ts';
import type { Collector } from '../collector.ts';
import { environmentOf } from '../environment-names.ts';
import { readConnectionString } from '../readers/ado-net.ts';
import { readJsonc } from '../readers/jsonc.ts';
import { at, entriesOf, textOf } from '../readers/located.ts';

const FILE = 'Properties/launchSettings.json';
const STANDARD = /^ConnectionStrings(?:__|:)(.+)$/i;
/** A variable called like a database and nothing else is the application's own. */
const PLAIN = /(?:^|_)(?:db|database|postgres(?:ql)?|mysql|mssql|sqlserver|sqlite|connection(?:_?string)?)$/i;

export interface LaunchString {
  readonly name: string;
  readonly text: string;
  readonly file: string;
  readonly line: number;
  readonly environment: string;
}

/** The connection strings among the variables of the profile that `dotnet run` takes: the first that starts the project. */
export async function launchStrings(app: AppFolder, collector: Collector): Promise<readonly LaunchString[]> {
  const file = app.path(FILE);
  const text = app.has('Properties') ? await collector.textOf(app, file) : undefined;
  if (text === undefined) return [];
  const { value, problems } = readJsonc(text);
  for (const { line, reason } of problems) collector.skip(file, line, reason, true);
  const profiles = entriesOf(at(value, 'profiles')).map(([, one]) => one);
  const profile = profiles.find((one) => textOf(at(one, 'commandName')) === 'Project');
  const variables = entriesOf(at(profile, 'environmentVariables')).map(([key, located]) => ({ key, located }));
  const said = variables.find(({ key }) => /^(ASPNETCORE|DOTNET)_ENVIRONMENT$/i.test(key));
  const environment = environmentOf(textOf(said?.located) ?? '').toLowerCase();
  const strings = variables.flatMap(({ key, located }): LaunchString[] => {
    const [, standard] = STANDARD.exec(key) ?? [];
    const value = textOf(located) ?? '';
    if (standard === undefined ? !namesDatabase(value) : value === '') return [];
    return [{ name: standard ?? key, text: value, file, line: located.line, environment }];
  });
  return strings.toSorted((a, b) => Number(PLAIN.test(b.name)) - Number(PLAIN.test(a.name)));
}

function namesDatabase(text: string): boolean {
  const pairs = readConnectionString(text);
  const has = (...names: readonly string[]): boolean => names.some((name) => pairs?.has(name));
  return has('server', 'host', 'datasource') && has('database', 'initialcatalog');
}
