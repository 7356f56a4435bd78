import fs, { mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { FixtureProject } from './helpers/fixture-project.ts';

const signal = AbortSignal.timeout(120_000);
const PROJECTS = join(__dirname, '../../fixtures/projects');
const MOST_MS = 3_000;
let project: FixtureProject;

afterEach(() => {
  jest.restoreAllMocks();
  project.remove();
});

/** The real paths of the files that are opened meanwhile, each as often as it is. */
async function openedBy(run: () => Promise<unknown>): Promise<readonly string[]> {
  const spy = jest.spyOn(fs, 'openSync');
  await run();
  const opened = spy.mock.calls.map(([path]) => realpathSync(String(path)));
  spy.mockRestore();
  return opened;
}

function twice(paths: readonly string[]): readonly string[] {
  return paths.filter((path, at) => paths.indexOf(path) < at);
}

it.each(readdirSync(PROJECTS))('opens no file of the project %s twice in a call', async (name) => {
  project = new FixtureProject(name);
  const opened = await openedBy(() => project.book().list(signal));
  expect(twice(opened)).toEqual([]);
});

it('opens no file twice that many settings lead to', async () => {
  project = new FixtureProject();
  const shared = 'services:\n  db: {image: postgres, env_file: ../.env, ports: ["5433:5432"]}\n';
  project.write('.env', 'DATABASE_URL=postgres://u@db/shop\nPOSTGRES_PASSWORD=x\n');
  project.write('docker/compose.yml', shared);
  project.write('manage.py', "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')\n");
  project.write('shop/settings.py', "from .base import *\nURL = 'sqlalchemy'\n");
  project.write('shop/base.py', "from .settings import *\nDATABASES = {'default': env.db()}\n");
  for (const app of ['web', 'api', 'worker']) {
    project.write(`apps/${app}/package.json`, '{"dependencies":{"pg":"8","typeorm":"1"}}');
    project.write(
      `apps/${app}/src/data-source.ts`,
      "import { url } from '../../../shared';\nnew DataSource({ url });\n",
    );
  }
  project.write('shared.ts', 'export const url = process.env.DATABASE_URL;\n');
  const opened = await openedBy(() => project.book().list(signal));
  expect(opened.length).toBeGreaterThan(5);
  expect(twice(opened)).toEqual([]);
});

describe('a project made to hold its reader up or lead it astray', () => {
  const long = 'x'.repeat(400_000);
  const many = (count: number, line: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => line(at)).join('');

  it.each<[string, Readonly<Record<string, string>>]>([
    [
      'compose files that include and extend each other',
      {
        'compose.yml': 'include: [a.yml]\nservices:\n  db: {extends: {file: a.yml, service: db}, image: postgres}\n',
        'a.yml': 'include: [compose.yml]\nservices:\n  db: {extends: {file: compose.yml, service: db}}\n',
      },
    ],
    [
      'aliases that multiply',
      {
        'compose.yml': `a0: &a0 [x, x]\n${many(40, (at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}, *a${at}, *a${at}]\n`)}services: {db: *a40}\n`,
      },
    ],
    [
      'variables that refer to each other',
      { '.env': many(2_000, (at) => `V${at}=$` + `{V${(at + 1) % 2_000}}$` + `{V${(at + 7) % 2_000}}\n`) },
    ],
    [
      'settings that import each other',
      {
        'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'a.b')\n",
        'a/b.py': "from .c import *\nX = Y\nif X == 'a':\n    X = X\nDATABASES = X\n",
        'a/c.py': 'from .b import *\nY = X\n',
      },
    ],
    [
      'a name that its own conditions set again and again',
      {
        'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'a')\n",
        'a.py': `E = 'x'\n${many(3_000, () => "if E == 'x' or E == 'y':\n    E = E + 'x'\n")}DATABASES = {'default': {'ENGINE': E}}\n`,
      },
    ],
    [
      'many packages beside a manage.py without a module',
      {
        'manage.py': 'import django\n',
        ...Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}/wsgi.py`, long.slice(0, 2_000)])),
      },
    ],
    [
      'settings that name a thousand files to parse',
      {
        'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'a')\n",
        'a.py': `${many(1_000, (at) => `config.read('deep/${at}.cfg')\n`)}DATABASES = {}\n`,
      },
    ],
    [
      'modules that import each other',
      {
        'package.json': '{"dependencies":{"typeorm":"1","pg":"1"}}',
        'src/data-source.ts': "import { b } from './b';\nexport const a = b;\nnew DataSource(b);\n",
        'src/b.ts': "import { a } from './data-source';\nexport const b = a;\n",
      },
    ],
    [
      'endless lines of code',
      { 'go.mod': 'module x\n', 'main.go': `db := "${long}"\n${'env('.repeat(50_000)}\n`, 'config.py': long },
    ],
    [
      'blanks where patterns look ahead',
      { 'go.mod': 'module x\n', 'config.go': many(200, () => `db${' '.repeat(550)}x\n`) },
    ],
    [
      'brackets without end',
      {
        'package.json': '['.repeat(200_000),
        'compose.yml': '{a: '.repeat(50_000),
        'a/config.toml': '['.repeat(200_000),
      },
    ],
  ])('ends soon: %s', async (_name, files) => {
    project = new FixtureProject();
    for (const [file, text] of Object.entries(files)) project.write(file, text);
    const began = performance.now();
    const { connections } = await project.book().list(signal);
    expect(performance.now() - began).toBeLessThan(MOST_MS);
    expect(connections.filter(({ isDefault }) => isDefault)).toEqual([]);
  });

  it('is not left through links, nor walked in circles', async () => {
    project = new FixtureProject();
    project.write('../outside/secrets.env', 'DATABASE_URL=postgres://u@localhost/outside\n');
    project.write(
      '../outside/settings.py',
      "DATABASES = {'default': {'ENGINE': 'django.db.backends.mysql', 'NAME': 'o'}}\n",
    );
    const outside = join(project.root, '../outside');
    symlinkSync(join(outside, 'secrets.env'), join(project.root, '.env'));
    symlinkSync(outside, join(project.root, 'linked'));
    mkdirSync(join(project.root, 'apps'));
    symlinkSync('..', join(project.root, 'apps/up'));
    symlinkSync('.', join(project.root, 'apps/self'));
    project.write('manage.py', "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'linked.settings')\n");
    project.write(
      'compose.yml',
      'include: [../outside/compose.yml]\nservices:\n  db: {image: postgres, env_file: ../outside/secrets.env}\n',
    );
    project.write('package.json', '{"dependencies":{"typeorm":"1","pg":"1"}}');
    project.write('src/data-source.ts', "import { url } from '../../outside/url';\nnew DataSource({ url });\n");
    const root = realpathSync(project.root);
    const opened = await openedBy(async () => {
      const { connections } = await project.book().list(signal);
      expect(connections.filter(({ isDefault }) => isDefault)).toEqual([]);
    });
    expect(
      opened.filter((path) => !path.startsWith(`${root}/`) && !path.startsWith(realpathSync(project.home.dir))),
    ).toEqual([]);
  });
});
