import type { AppFolder } from './app-folder.ts';
import { at, entriesOf, type Located, textOf } from './readers/located.ts';
import { readYaml } from './readers/yaml.ts';

export const DOCTRINE_FILES = ['config/packages/doctrine.yaml', 'config/packages/doctrine.yml'];
export const PARAMETER_FILES = [
  'config/services.yaml',
  'config/services.yml',
  'config/parameters.yaml',
  'config/parameters.yml',
];

/** The settings of Doctrine that name a database and never this variable: it is not the application's then. */
export async function doctrineWithout(app: AppFolder, variable: string): Promise<string | undefined> {
  if (!app.has('symfony.lock')) return undefined;
  let naming: string | undefined;
  for (const name of [...DOCTRINE_FILES, ...PARAMETER_FILES]) {
    const read = await app.read(name);
    if (read.state === 'refused') return undefined;
    const { value, problems } = readYaml(read.state === 'text' ? read.text : '');
    if (problems.length > 0 || textsIn(value).some((text) => text.includes(variable))) return undefined;
    if (DOCTRINE_FILES.includes(name) && namesDatabase(at(value, 'doctrine', 'dbal'))) naming ??= app.path(name);
  }
  return naming;
}

function namesDatabase(dbal: Located | undefined): boolean {
  const connections = [dbal, ...entriesOf(at(dbal, 'connections')).map(([, connection]) => connection)];
  return connections.some((connection) =>
    ['url', 'dbname', 'path'].some((field) => textOf(at(connection, field)) !== undefined),
  );
}

/** All values below a value; its names are none of them. */
function textsIn(located: Located | undefined): string[] {
  if (located?.kind === 'object') return [...located.entries.values()].flatMap(textsIn);
  return located?.kind === 'array' ? located.items.flatMap(textsIn) : [textOf(located) ?? ''];
}
