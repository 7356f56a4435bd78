// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { posix } from 'node:path';
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { dotnet } from './dotnet.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(dotnet, project);
}

function settings(text: string, packages = ''): Record<string, string> {
  return { 'App.csproj': packages, 'appsettings.json': JSON.stringify({ ConnectionStrings: { Main: text } }) };
}

it("reads every environment's connection strings, with Development's in place of the common ones", async () => {
  expect(await reportWith({}, 'dotnet')).toEqual({
    found: [
      'dotnet:src/Shop.Web/Shop mssql sa:Your;Strong@localhost:14333/Shop{"trustServerCertificate":true} src/Shop.Web/appsettings.Development.json:3',
      'dotnet:src/Shop.Web/Cache sqlite src/Shop.Web/data/cache.db src/Shop.Web/appsettings.json:6',
      'dotnet:src/Shop.Web/Reports postgres rep:a;b@localhost:54322/reports{"sslmode":"disable"} src/Shop.Web/appsettings.json:7',
      'dotnet:src/Shop.Web/Shop@production mssql app:x@prod.example.com:1433/Shop{"encrypt":true} src/Shop.Web/appsettings.Production.json:1 [production]',
    ],
    skipped: [],
  });
});

it.each([
  [
    'Server=localhost;Port=3307;Database=d;Uid=u;Pwd=p',
    '<PackageReference Include="Pomelo.EntityFrameworkCore.MySql" />',
    'mysql2 u:p@localhost:3307/d',
  ],
  [
    'Server=localhost;Database=d;User Id=u;Password=p',
    '<PackageReference Include="Microsoft.Data.SqlClient" />',
    'mssql u:p@localhost:1433/d',
  ],
  ['Server=.;Initial Catalog=d;User Id=u;Password=p', '', 'mssql u:p@localhost:1433/d'],
  ['Server=localhost\\SQL,1499;Initial Catalog=d;User Id=u;Password=p', '', 'mssql u:p@localhost:1499/d'],
  [
    'Server=localhost\\SQLEXPRESS;Initial Catalog=d;User Id=u;Password=p;Encrypt=False',
    '',
    'mssql u:p@localhost\\SQLEXPRESS:1433/d{"encrypt":false}',
  ],
  ['Server=tcp:.\\SHOP;Initial Catalog=d;User Id=u;Password=p', '', 'mssql u:p@localhost\\SHOP:1433/d'],
  ['Filename=app.sqlite', '', 'sqlite app.sqlite'],
])('reads %s', async (text, packages, found) => {
  expect(await reportWith(settings(text, packages))).toEqual({
    found: [`dotnet:Main ${found} appsettings.json:1`],
    skipped: [],
  });
});

const PLAIN = 'Server=localhost;Database=d;User Id=u;Password=p';

it('takes the engine from the packages of the projects that a program refers to', async () => {
  const refer = (path: string): string => `<ProjectReference Include="${path}" />`;
  const { found } = await reportWith({
    'src/Api/Api.csproj': refer('..\\Application\\Application.csproj'),
    'src/Api/appsettings.json': JSON.stringify({ ConnectionStrings: { Main: PLAIN } }),
    'src/Application/Application.csproj': refer('../Data/Data.csproj') + refer('../Api/Api.csproj'),
    'src/Data/Data.csproj': '<PackageReference Include="Pomelo.EntityFrameworkCore.MySql" />',
    'src/Other/Other.csproj': '<PackageReference Include="Npgsql" />',
  });
  expect(found).toEqual(['dotnet:src/Api/Main mysql2 u:p@localhost:3306/d src/Api/appsettings.json:1']);
});

it.each([
  [{ ConnectionStrings: { MySqlConnection: PLAIN } }, 'MySqlConnection mysql2 u:p@localhost:3306/d'],
  [{ UseMySql: true, UseSqlServer: false, ConnectionStrings: { Main: PLAIN } }, 'Main mysql2 u:p@localhost:3306/d'],
  [{ DbProvider: 'MySql', ConnectionStrings: { Main: PLAIN } }, 'Main mysql2 u:p@localhost:3306/d'],
  [{ DbProvider: 'MySql', ConnectionStrings: { Main: `${PLAIN};Encrypt=False` } }, 'Main mssql u:p@localhost:1433/d{'],
])('takes the engine that the settings around a connection string speak of: %j', async (tree, expected) => {
  const packages = '<PackageReference Include="Npgsql" /><PackageReference Include="MySqlConnector" />';
  const { found } = await reportWith({ 'App.csproj': packages, 'appsettings.json': JSON.stringify(tree) });
  expect(found).toEqual([expect.stringContaining(`dotnet:${expected}`)]);
});

it('leaves the engine open where several are switched on', async () => {
  const tree = { UseMySql: true, UsePostgres: true, ConnectionStrings: { Main: PLAIN } };
  expect((await reportWith({ 'appsettings.json': JSON.stringify(tree) })).found).toEqual([]);
});

it.each([
  ['', 'Main is empty; user secrets and the environment are not read'],
  [
    'Server=(localdb)\\mssqllocaldb;Database=d;Trusted_Connection=True',
    'Main: LocalDB is only reachable through a Windows pipe; name a server in .devdbrc, such as SQL Server in a container with a login and a password',
  ],
  [
    'Server=localhost;Database=d;Integrated Security=SSPI',
    'Main: uses Windows authentication, which DevDB does not support; give a user and a password: name the server in .devdbrc with a SQL Server login',
  ],
  [
    'Server=localhost;Database=d;User Id=u;Password=p',
    'Main: could be one of several engines, and the project file names none of them',
  ],
  ['Data Source=|DataDirectory|/app.db', 'Main: |DataDirectory| is only known when the program runs'],
  ['Data Source=:memory:', 'Main: is an in-memory database, which only its own program can see'],
  ['UseDevelopmentStorage', 'Main: is not a readable connection string'],
  ['Host=localhost;Username=u', 'Main: names no database'],
])('leaves %j out with a reason', async (text, reason) => {
  expect(await reportWith(settings(text))).toEqual({ found: [], skipped: [`appsettings.json:1 ${reason}`] });
});

it('reports that user secrets are not read', async () => {
  const files = { 'App.csproj': '<UserSecretsId>x</UserSecretsId>', 'appsettings.json': '{}' };
  expect((await reportWith(files)).skipped).toEqual([
    'App.csproj: keeps settings in user secrets, which are not read; name the database in .devdbrc',
  ]);
});

it('takes the last of several names for one thing, as the driver does', async () => {
  const text =
    'Server=a;Data Source=localhost,1444;Database=x;Initial Catalog=Shop;User Id=u;UID=sa;Password=p;Integrated Security=true;Trusted_Connection=false';
  expect((await reportWith(settings(text))).found).toEqual([
    'dotnet:Main mssql sa:p@localhost:1444/Shop appsettings.json:1',
  ]);
});

it.each(['Src/Shop.Web', 'src/Api/Shop.Api', 'SRC/Shop.Web'])(
  'finds an application in %s, however its group is written or sorted',
  async (name) => {
    project = new FixtureProject();
    project.write(`${name}/App.csproj`, '');
    project.write(
      `${name}/appsettings.json`,
      '{"ConnectionStrings":{"Main":"Host=localhost;Database=shop;Username=u"}}',
    );
    expect((await reportOf(dotnet, project)).found).toEqual([
      `dotnet:${name}/Main postgres u:@localhost:5432/shop ${name}/appsettings.json:1`,
    ]);
  },
);

it('takes the engine from the provider that stands beside a connection string, and the port from its host', async () => {
  const text = 'Server=localhost:5433;Database=shop;User Id=u;Password=p';
  const json = JSON.stringify({ DatabaseOptions: { Provider: 'PostgreSQL', ConnectionString: text } });
  expect(await reportWith({ 'App.csproj': '', 'appsettings.json': json })).toEqual({
    found: ['dotnet:DatabaseOptions postgres u:p@localhost:5433/shop appsettings.json:1'],
    skipped: [],
  });
});

it("reads a module's connection strings, and no other service's", async () => {
  const json = JSON.stringify({
    Modules: { Orders: { ConnectionStrings: { Primary: 'Host=localhost;Database=orders' } } },
    Queue: { ConnectionString: 'Server=localhost;Database=jobs' },
  });
  expect(await reportWith({ 'App.csproj': '', 'appsettings.json': json })).toEqual({
    found: ['dotnet:Primary postgres :@localhost:5432/orders appsettings.json:1'],
    skipped: [],
  });
});

it('keeps the databases of modules apart that use the same name', async () => {
  const module = (database: string) => ({ ConnectionStrings: { Main: `Host=localhost;Database=${database}` } });
  const json = JSON.stringify({ Modules: { Orders: module('orders'), Users: module('users') } });
  const development = JSON.stringify({ Modules: { Orders: module('orders_dev') } });
  const files = { 'App.csproj': '', 'appsettings.json': json, 'appsettings.Development.json': development };
  expect(await reportWith(files)).toEqual({
    found: [
      'dotnet:Main postgres :@localhost:5432/orders_dev appsettings.Development.json:1',
      'dotnet:Users.Main postgres :@localhost:5432/users appsettings.json:1',
    ],
    skipped: [],
  });
});

it('reads a connection string under a short name beside its provider', async () => {
  const shop = { DbProvider: 'Sqlite', ConnString: 'Data Source=data/shop.db' };
  const { found } = await reportWith({ 'App.csproj': '', 'appsettings.json': JSON.stringify({ Shop: shop }) });
  expect(found).toEqual(['dotnet:Shop sqlite data/shop.db appsettings.json:1']);
});

it('takes the engine from a type beside a connection string where it is one', async () => {
  const json = JSON.stringify({
    Database: { Type: 'Sqlite', ConnectionString: 'Data Source=shop.db' },
    Storage: { Type: 'AzureBlobStorage', ConnectionString: 'UseDevelopmentStorage=true' },
  });
  expect(await reportWith({ 'App.csproj': '', 'appsettings.json': json })).toEqual({
    found: ['dotnet:Database sqlite shop.db appsettings.json:1'],
    skipped: [],
  });
});

describe('the variables of launchSettings.json', () => {
  const launch = (...profiles: readonly Readonly<Record<string, unknown>>[]): Record<string, string> => ({
    'Properties/launchSettings.json': JSON.stringify({ profiles: { ...profiles } }, null, 1),
  });
  const project = (environmentVariables: Readonly<Record<string, string>>) => ({
    commandName: 'Project',
    environmentVariables,
  });

  it('count before the settings, in the first profile that starts the project', async () => {
    const files = {
      ...settings('Host=localhost;Database=common'),
      ...launch(
        { commandName: 'IISExpress', environmentVariables: { ConnectionStrings__Main: 'Host=localhost;Database=iis' } },
        project({ ASPNETCORE_ENVIRONMENT: 'Development', ConnectionStrings__Main: 'Host=localhost;Database=run' }),
        project({ ConnectionStrings__Main: 'Host=localhost;Database=later' }),
      ),
    };
    expect(await reportWith(files)).toEqual({
      found: ['dotnet:Main postgres :@localhost:5432/run Properties/launchSettings.json:13'],
      skipped: [],
    });
  });

  it('may hold a connection string under any name, and one called like a database comes first', async () => {
    const files = launch(
      project({
        SHOP_INDEXERPOSTGRES: 'Host=127.0.0.1;Port=5433;Database=indexer',
        SHOP_POSTGRES: 'Host=127.0.0.1;Port=5433;Database=shop',
        SHOP_SEARCH: 'server=http://127.0.0.1:9200;key=x',
      }),
    );
    expect(await reportWith(files)).toEqual({
      found: [
        'dotnet:SHOP_POSTGRES postgres :@127.0.0.1:5433/shop Properties/launchSettings.json:7',
        'dotnet:SHOP_INDEXERPOSTGRES postgres :@127.0.0.1:5433/indexer Properties/launchSettings.json:6',
      ],
      skipped: [],
    });
  });

  it("are the environment's that they name", async () => {
    const variables = { ASPNETCORE_ENVIRONMENT: 'Staging', ConnectionStrings__Main: 'Host=localhost;Database=d' };
    const { found } = await reportWith(launch(project(variables)));
    expect(found).toEqual([
      'dotnet:Main@staging postgres :@localhost:5432/d Properties/launchSettings.json:7 [staging]',
    ]);
  });
});

it('reads a connection string in a section that is called after its engine', async () => {
  const sections = {
    PostgresOptions: { ConnectionString: 'Server=localhost;Database=shop;User Id=u;Password=p' },
    MongoOptions: { ConnectionString: 'mongodb://localhost:27017' },
    Bus: { ConnectionString: 'host=localhost;username=guest' },
  };
  expect(await reportWith({ 'App.csproj': '', 'appsettings.json': JSON.stringify(sections) })).toEqual({
    found: ['dotnet:PostgresOptions postgres u:p@localhost:5432/shop appsettings.json:1'],
    skipped: [],
  });
});

it('takes the string of a part such as an outbox for no default', async () => {
  const text = 'Server=localhost;Port=5432;Database=outbox;User Id=u;Password=p';
  const settings = JSON.stringify({ OutboxOptions: { ConnectionString: text } });
  project = new FixtureProject();
  project.write('App.csproj', '');
  project.write('appsettings.json', settings);
  const { connections } = await project.book().list(AbortSignal.timeout(60_000));
  expect(connections).toEqual([expect.objectContaining({ id: 'dotnet:OutboxOptions', isDefault: false })]);
});

it.each([
  'src/Modules/Orders/Shop.Orders/orders.appsettings.json',
  'src/Services/Orders/src/Orders.Api/appsettings.json',
])('reads the settings of a module or service in %s', async (file) => {
  const { found } = await reportWith({
    [posix.join(posix.dirname(file), 'Orders.csproj')]: '',
    [file]: JSON.stringify({ ConnectionStrings: { Main: 'Host=localhost;Database=orders;Username=u' } }),
    [file.replace(/json$/, 'test.json')]: JSON.stringify({ ConnectionStrings: { Main: 'Host=localhost;Database=t' } }),
  });
  expect(found).toEqual([
    expect.stringContaining(`postgres u:@localhost:5432/orders ${file}:1`),
    expect.stringContaining('localhost:5432/t '),
  ]);
});

describe("a section of one's own in place of ConnectionStrings", () => {
  const ofData = async (data: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await reportWith({ 'App.csproj': '', 'appsettings.json': JSON.stringify({ Data: data }) })).found;

  it('is read where a single text in it says enough', async () => {
    expect(await ofData({ useSqLite: 'true', Shop: 'Data Source=shop.db' })).toEqual([
      'dotnet:Shop sqlite shop.db appsettings.json:1',
    ]);
  });

  it.each([
    ['several texts', { A: 'Data Source=a.db', B: 'Server=.;Initial Catalog=b;User Id=u;Password=p' }],
    ['a switch for a database in memory', { useInMemory: 'true', A: 'Data Source=a.db' }],
    ['a text of another service', { A: 'host=localhost;username=guest' }],
  ])('is not read with %s', async (_what, data) => {
    expect(await ofData(data)).toEqual([]);
  });
});
