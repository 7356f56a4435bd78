import { FixtureProject } from '../../test/helpers/fixture-project.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function appsIn(files: readonly string[]): Promise<readonly string[]> {
  project = new FixtureProject();
  for (const file of files) project.write(file, '');
  const apps = await (await project.view()).apps(AbortSignal.timeout(30_000));
  return apps.map(({ folder }) => folder);
}

it('lists the folders below a folder that only sorts, where the root has nothing but folders', async () => {
  expect(await appsIn(['aspnet-core/src/Shop.Web/appsettings.json', 'vue/package.json'])).toEqual([
    '',
    'aspnet-core',
    'vue',
    'aspnet-core/src',
    'aspnet-core/src/Shop.Web',
  ]);
});

it('lists none of them where the root is an application, nor below documents and tests', async () => {
  expect(await appsIn(['package.json', 'backend/shop/manage.py'])).toEqual(['', 'backend']);
  project.remove();
  expect(await appsIn(['tests/shop/manage.py', 'docs/shop/package.json'])).toEqual(['', 'docs', 'tests']);
});

it('lists the project of Django below a backend that has the list of its packages', async () => {
  const files = ['package.json', 'backend/requirements.txt', 'backend/shop/manage.py', 'backend/assets/package.json'];
  expect(await appsIn(files)).toEqual(['', 'backend', 'backend/shop']);
});

it('lists the folders below a folder of developer tools that only sorts, also a hidden one', async () => {
  const files = ['composer.json', 'dev/shop/compose.yml', '.dev/compose.yml', 'docker/package.json', 'docker/php/.env'];
  expect(await appsIn([...files, 'lib/shop/compose.yml'])).toEqual(['', '.dev', 'dev', 'docker', 'lib', 'dev/shop']);
});

it('lists the modules of a Maven project below the root, and no folders of a module', async () => {
  const files = ['shop/pom.xml', 'shop/web/pom.xml', 'shop/web/src/main/resources/application.yml'];
  expect(await appsIn([...files, 'README.md'])).toEqual(['', 'shop', 'shop/web']);
});

it('lists the members of a Cargo workspace below the root, and no folders of a member', async () => {
  const files = ['server/Cargo.toml', 'server/shop/Cargo.toml', 'server/shop/src/main.rs', 'README.md'];
  expect(await appsIn(files)).toEqual(['', 'server', 'server/shop']);
});

it('lists the applications below a folder of a group that holds only what all of them share', async () => {
  const files = ['package.json', 'src/Shop/compose.yml', 'src/Shop/.env', 'src/Shop/Shop.Api/appsettings.json'];
  expect(await appsIn(files)).toEqual(['', 'src', 'src/Shop', 'src/Shop/Shop.Api']);
});

it('lists the programs below the services of a group, as .NET lays them out', async () => {
  const files = [
    'shop.sln',
    'src/Services/Stock/Stock.Api/Stock.Api.csproj',
    'src/Pages/Shop/Shop.Web/Shop.Web.csproj',
  ];
  expect(await appsIn(files)).toEqual([
    '',
    'src',
    'src/Pages',
    'src/Services',
    'src/Services/Stock',
    'src/Pages/Shop',
    'src/Services/Stock/Stock.Api',
  ]);
});

it.each([
  ['dev/.env', true],
  ['docker/development/.env', true],
  ['dev/package.json', false],
  ['server/.env', false],
])('knows a folder of developer tools without an application: %s', async (file, isTooling) => {
  project = new FixtureProject();
  project.write(file, '');
  const apps = await (await project.view()).apps(AbortSignal.timeout(30_000));
  expect(apps.at(-1)?.isTooling).toBe(isTooling);
});

it('lists the packages of a workspace below the root', async () => {
  const files = ['go.mod', 'web/package.json', 'web/apps/shop/.env', 'web/src/pages/index.ts', 'server/apps/shop/.env'];
  expect(await appsIn(files)).toEqual(['', 'server', 'web', 'web/apps', 'web/apps/shop']);
});
