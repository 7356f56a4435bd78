// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { compose } from './compose.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(compose, project);
}

function service(yaml: string): Record<string, string> {
  return { 'compose.yaml': `services:\n  db:\n${yaml.replace(/^/gm, '    ')}` };
}

it('reads images, environment, env files, ports and overrides', async () => {
  expect(await reportWith({}, 'compose')).toEqual({
    found: [
      'compose:db postgres shop:pg-pass@127.0.0.1:54329/shop_dev compose.yaml:6',
      'compose:reports mysql2 reporter:rep$1@127.0.0.1:33071/reports compose.yaml:17',
      'compose:warehouse mssql sa:Str0ng!Pass@127.0.0.1:14330/master compose.yaml:27',
    ],
    skipped: [],
  });
});

it.each([
  [
    'image: postgis/postgis:16\nports: ["5432:5432"]\nenvironment: {POSTGRES_HOST_AUTH_METHOD: trust}',
    'postgres postgres:@127.0.0.1:5432/postgres',
  ],
  [
    'image: pgvector/pgvector:pg17\nports: ["[::1]:5433:5432/tcp"]\nenvironment: [POSTGRES_PASSWORD=x]',
    'postgres postgres:x@::1:5433/postgres',
  ],
  [
    'image: registry.example.com:5000/library/mysql@sha256:00\nports: ["0.0.0.0:3307:3306"]\nenvironment: {MYSQL_ROOT_PASSWORD: r, MYSQL_DATABASE: d}',
    'mysql2 root:r@127.0.0.1:3307/d',
  ],
  [
    'image: mariadb\nports: [{target: 3306, published: 3308}]\nenvironment: {MARIADB_ALLOW_EMPTY_ROOT_PASSWORD: "1", MARIADB_DATABASE: d}',
    'mysql2 root:@127.0.0.1:3308/d',
  ],
])('reads the service %j', async (yaml, found) => {
  const report = await reportWith(service(yaml));
  expect(report).toEqual({ found: [`compose:db ${found} compose.yaml:2`], skipped: [] });
});

it('takes a database for real that the container makes, whatever it is called', async () => {
  const yaml =
    'image: postgres\nports: ["5432:5432"]\nenvironment: {POSTGRES_PASSWORD: x, POSTGRES_DB: your_database_name}';
  expect((await reportWith(service(yaml))).found).toHaveLength(1);
});

it.each([
  [
    'image: postgres\nenvironment: {POSTGRES_PASSWORD: x}',
    'is the compose service db (compose.yaml line 2), which publishes no port 5432: add one under ports, e.g. "127.0.0.1:5432:5432"',
  ],
  [
    'image: postgres\nports: ["5432"]\nenvironment: {POSTGRES_PASSWORD: x}',
    'is the compose service db (compose.yaml line 2), which gets a free port only when it runs: publish a fixed one, e.g. "127.0.0.1:5432:5432"',
  ],
  [
    'image: postgres\nports: ["5432-5440:5432-5440"]\nenvironment: {POSTGRES_PASSWORD: x}',
    'is the compose service db (compose.yaml line 2), which publishes no port 5432: add one under ports, e.g. "127.0.0.1:5432:5432"',
  ],
  [
    'image: postgres\nports: ["5432:5432"]\nenvironment: {POSTGRES_PASSWORD: "${NOPE}"}',
    'db: POSTGRES_PASSWORD refers to a variable that the .env files do not set',
  ],
  [
    'image: postgres\nports: ["5432:5432"]\nenvironment: {POSTGRES_PASSWORD_FILE: /run/secrets/pw}',
    'db: POSTGRES_PASSWORD_FILE names a file inside the container',
  ],
  [
    'image: mysql\nports: ["3306:3306"]\nenvironment: {MYSQL_ROOT_PASSWORD: x}',
    'db: sets no MYSQL_DATABASE or MARIADB_DATABASE',
  ],
  ['image: mcr.microsoft.com/mssql/server\nports: ["1433:1433"]', 'db: sets no MSSQL_SA_PASSWORD'],
])('leaves %j out with a reason', async (yaml, reason) => {
  expect(await reportWith(service(yaml))).toEqual({ found: [], skipped: [`compose.yaml:2 ${reason}`] });
});

it.each([
  ['Makefile', 'up:\n\tdocker compose -f shop.yml -f postgres.yml up -d\n'],
  ['package.json', '{"scripts": {"db": "docker-compose --file postgres.yml up"}}'],
])('reads a file under another name that is started with a line of %s', async (list, text) => {
  const yaml =
    'services:\n  db:\n    image: postgres\n    ports: ["5432:5432"]\n    environment: {POSTGRES_DB: d, POSTGRES_PASSWORD: x}\n';
  const files = { 'postgres.yml': yaml, 'mysql.yml': yaml };
  expect(await reportWith({ ...files, [list]: text })).toEqual({
    found: ['compose:db postgres postgres:x@127.0.0.1:5432/d postgres.yml:2'],
    skipped: [],
  });
});

it('leaves out what compose does not read by default, e.g. the production file', async () => {
  const text = 'services: {db: {image: postgres, ports: ["5432:5432"], environment: {POSTGRES_PASSWORD: x}}}';
  expect(await reportWith({ 'compose.prod.yaml': text })).toEqual({
    found: [],
    skipped: ['compose.prod.yaml: is not a file that compose reads by default; name its database in .devdbrc'],
  });
});

it('reads no env file outside the project, and reports broken YAML by line', async () => {
  project = new FixtureProject();
  project.write('../outside/secrets.env', 'POSTGRES_PASSWORD=stolen');
  const yaml = 'image: postgres\nports: ["5432:5432"]\nenv_file: ../outside/secrets.env';
  for (const [file, text] of Object.entries(service(yaml))) project.write(file, text);
  expect((await reportOf(compose, project)).skipped).toEqual(['compose.yaml:2 db: sets no POSTGRES_PASSWORD']);
  project.remove();
  expect((await reportWith({ 'compose.yaml': 'services:\n  db: [' })).skipped[0]).toMatch(
    /^compose\.yaml:2 not valid YAML/,
  );
});

describe('files that a compose file names', () => {
  const DB = 'image: postgres\nports: ["5439:5432"]\nenv_file: db.env\nenvironment: {POSTGRES_DB: shop}';

  function serviceIn(name: string, yaml: string): string {
    return `services:\n  ${name}:\n${yaml.replace(/^/gm, '    ')}\n`;
  }

  it('are read when included, with paths relative to their own folder', async () => {
    const report = await reportWith({
      'compose.yaml':
        'include:\n  - infra/db.yaml\n  - path: [compose.cache.yml, infra/cache.override.yaml]\nservices: {web: {image: nginx}}\n',
      'infra/db.yaml': `include: [more/reports.yaml]\n${serviceIn('db', DB)}`,
      'infra/db.env': 'POSTGRES_PASSWORD=from-infra\n',
      'infra/more/reports.yaml': serviceIn(
        'reports',
        'image: mysql\nports: ["3310:3306"]\nenvironment: {MYSQL_ROOT_PASSWORD: r, MYSQL_DATABASE: d}',
      ),
      'compose.cache.yml': serviceIn('cache', 'image: postgres\nenvironment: {POSTGRES_PASSWORD: c}'),
      'infra/cache.override.yaml': serviceIn('cache', 'ports: ["5440:5432"]'),
    });
    expect(report).toEqual({
      found: [
        'compose:reports mysql2 root:r@127.0.0.1:3310/d infra/more/reports.yaml:2',
        'compose:db postgres postgres:from-infra@127.0.0.1:5439/shop infra/db.yaml:3',
        'compose:cache postgres postgres:c@127.0.0.1:5440/postgres compose.cache.yml:2',
      ],
      skipped: [
        'infra/more/reports.yaml:2 is one of several servers of different engines, and no service says which one the application uses; choose it in .devdbrc',
      ],
    });
  });

  it("are read when extended, the service's own definition last", async () => {
    const report = await reportWith({
      'compose.yaml': serviceIn(
        'db',
        'extends: {file: shared/base.yaml, service: base}\nenvironment: {POSTGRES_DB: own}',
      ),
      'shared/base.yaml': `${serviceIn('base', `extends: image\n${DB.replace('image: postgres\n', '')}`)}  image:\n    image: postgres:17\n`,
      'shared/db.env': 'POSTGRES_PASSWORD=shared-pw\n',
    });
    expect(report).toEqual({
      found: ['compose:db postgres postgres:shared-pw@127.0.0.1:5439/own compose.yaml:2'],
      skipped: [],
    });
  });

  it.each([
    ['https://example.com/compose.yaml', 'is not a local file; it is not read'],
    ['oci://registry.example.com/app:1', 'is not a local file; it is not read'],
    ['git@github.com:a/b.git', 'is not a local file; it is not read'],
    ['../outside/compose.yaml', 'is outside the project; it is not read'],
    ['/etc/compose.yaml', 'is outside the project; it is not read'],
    ['infra/../../outside/compose.yaml', 'is outside the project; it is not read'],
    ['infra/none.yaml', 'cannot be read'],
  ])('are reported when they cannot be read: %s', async (path, reason) => {
    project = new FixtureProject();
    project.write('../outside/compose.yaml', serviceIn('db', DB));
    project.write(
      'compose.yaml',
      `include:\n  - "${path}"\nservices:\n  db:\n    extends: {file: "${path}", service: db}\n`,
    );
    const { found, skipped } = await reportOf(compose, project);
    expect(found).toEqual([]);
    expect(skipped[0]).toBe(`compose.yaml:2 include: ${path} ${reason}`);
    // A missing file is reported once.
    if (!path.startsWith('infra/n')) expect(skipped[1]).toBe(`compose.yaml:5 extends: ${path} ${reason}`);
  });

  it('may form circles, name missing files, or be too many', async () => {
    const circles = await reportWith({
      'compose.yaml': `include: [a.yaml, compose.yaml]\n${serviceIn('db', `${DB}\nextends: {service: db}`)}`,
      'a.yaml': `include: [compose.yaml]\n${serviceIn('x', 'extends: {file: compose.yaml, service: gone}')}`,
      'db.env': 'POSTGRES_PASSWORD=p\n',
    });
    expect(circles).toEqual({
      found: ['compose:db postgres postgres:p@127.0.0.1:5439/shop compose.yaml:3'],
      skipped: ['a.yaml:4 extends a missing service'],
    });
    project.remove();
    const names = Array.from({ length: 30 }, (_, i) => `many/c${i}.yaml`);
    const many = await reportWith({
      'compose.yaml': `include: [${names.join(', ')}]\n`,
      ...Object.fromEntries(names.map((name) => [name, 'services: {}'])),
    });
    expect(many.skipped).toHaveLength(11);
    expect(many.skipped[0]).toMatch(/many\/c19\.yaml exceeds the number of files that are read$/);
  });
});

describe('a compose file under another name', () => {
  const text = (ports: string): string =>
    `services: {db: {image: postgres, ports: ${ports}, environment: {POSTGRES_PASSWORD: x}}}`;

  it.each([
    'docker-compose.dev.yml',
    'docker-compose-local.yml',
    'docker-compose.local.yml',
    'docker-compose.db.yml',
    'docker-compose-env.yml',
    'docker-compose.middleware.yml',
    'compose.dev.yaml',
    'docker/compose.dev.yaml',
    'deploy/docker-compose-development.yaml',
    'infra/docker-compose.yml',
  ])('is read for development: %s', async (file) => {
    const { found } = await reportWith({ [file]: text('["5544:5432"]') });
    expect(found).toEqual([expect.stringMatching(/^compose:\S+ postgres postgres:x@127\.0\.0\.1:5544\/postgres /)]);
  });

  it('publishes the port that the usual file does not, and changes nothing where that has one', async () => {
    const dev = { 'docker-compose.dev.yml': 'services: {db: {ports: ["5545:5432"]}}' };
    expect((await reportWith({ 'docker-compose.yml': text('[]'), ...dev })).found).toEqual([
      'compose:db postgres postgres:x@127.0.0.1:5545/postgres docker-compose.dev.yml:1',
    ]);
    project.remove();
    expect((await reportWith({ 'docker-compose.yml': text('["5544:5432"]'), ...dev })).found).toEqual([
      'compose:db postgres postgres:x@127.0.0.1:5544/postgres docker-compose.yml:1',
    ]);
  });

  it.each(['docker-compose.test.yml', 'compose.e2e.yaml', 'docker-compose-ci.yml', 'compose.dev.test.yml'])(
    'is a test environment: %s',
    async (file) => {
      project = new FixtureProject();
      project.write(file, text('["5544:5432"]'));
      const { found } = await compose.detect(await project.view(), AbortSignal.timeout(5_000));
      expect(found.map(({ neverDefault }) => neverDefault)).toEqual(['tests']);
    },
  );

  it.each(['docker-compose.prod.yml', 'compose.staging.yaml', 'docker-compose.dev.prod.yml', 'compose.other.yml'])(
    'is left out: %s',
    async (file) => {
      expect(await reportWith({ [file]: text('["5544:5432"]') })).toEqual({
        found: [],
        skipped: [`${file}: is not a file that compose reads by default; name its database in .devdbrc`],
      });
    },
  );
});

const POSTGRES = '  db:\n    image: postgres\n    ports: ["5433:5432"]\n    environment: {POSTGRES_PASSWORD: x}\n';
const web = (...variables: string[]): string =>
  `  web:\n    image: app\n    environment:\n${variables.map((one) => `      - ${one}\n`).join('')}`;

it.each([
  [web('DATABASE_URL=postgresql+psycopg://postgres@db/shop'), 'shop'],
  [web('DATABASE_URL=postgres://u@db/shop', 'QUEUE_URL=postgres://u@db:5432/queue'), 'shop'],
  [web('MAIN=Host=db;Database=shop;Username=u'), 'shop'],
  [web('DB_URL=postgres://u@db/shop', 'DB_TEST_URL=postgres://u@db/x', 'SHADOW_URL=postgres://u@db/y'), 'shop'],
  [web('DATABASE_URL=postgres://u@elsewhere/shop'), 'postgres'],
  [web('DATABASE_URL=mysql://u@db/shop'), 'postgres'],
  [web('DATABASE_URL=postgres://u@db/'), 'postgres'],
])('takes the database of a container that names none from the services that use it: %j', async (other, database) => {
  const report = await reportWith({ 'compose.yaml': `services:\n${POSTGRES}${other}` });
  expect(report.found).toEqual([`compose:db postgres postgres:x@127.0.0.1:5433/${database} compose.yaml:2`]);
});

it.each([
  [web('DB_HOST=db', 'DB_DATABASE=shop', 'TEST_DB_HOST=db', 'TEST_DB_DATABASE=shop_test'), 'shop'],
  [web('WORDPRESS_DB_HOST=db:3306', 'WORDPRESS_DB_NAME=blog'), 'blog'],
  [web('DB_HOST=db', 'DB_NAME=shop', 'DATABASE_URL=mysql://root:r@db/other'), 'other'],
])('takes the database that variables name beside the host of a container: %j', async (other, database) => {
  const mysql = '  db:\n    image: mysql\n    ports: ["3307:3306"]\n    environment: {MYSQL_ROOT_PASSWORD: r}\n';
  const { found } = await reportWith({ 'compose.yaml': `services:\n${mysql}${other}` });
  expect(found).toEqual([`compose:db mysql2 root:r@127.0.0.1:3307/${database} compose.yaml:2`]);
});

it.each([
  web('DB_HOST=elsewhere', 'DB_DATABASE=shop'),
  web('CACHE_HOST=db', 'DB_DATABASE=shop'),
  web('TEST_DB_HOST=db', 'TEST_DB_DATABASE=shop'),
])('takes no database that is not clearly named for the container: %j', async (other) => {
  const mysql = '  db:\n    image: mysql\n    ports: ["3307:3306"]\n    environment: {MYSQL_ROOT_PASSWORD: r}\n';
  expect(await reportWith({ 'compose.yaml': `services:\n${mysql}${other}` })).toEqual({
    found: [],
    skipped: ['compose.yaml:2 db: sets no MYSQL_DATABASE or MARIADB_DATABASE'],
  });
});

it.each([
  web('A_URL=postgres://u@db/a', 'B_URL=postgres://u@db/b'),
  web('A_DB_HOST=db', 'A_DB_NAME=a', 'B_DB_HOST=db', 'B_DB_NAME=b'),
])(
  'lists the databases that several programs name on one server, and takes none for the default: %j',
  async (other) => {
    const { found } = await reportWith({ 'compose.yaml': `services:\n${POSTGRES}${other}` });
    expect(found).toEqual([
      'compose:db#a postgres postgres:x@127.0.0.1:5433/a compose.yaml:2',
      'compose:db#b postgres postgres:x@127.0.0.1:5433/b compose.yaml:2',
    ]);
    const marks = (await compose.detect(await project.view(), AbortSignal.timeout(5_000))).found;
    expect(marks.map(({ neverDefault }) => neverDefault)).toEqual(['undecided', 'undecided']);
  },
);

it.each([
  ['a PostgreSQL that names no database', 'environment: {POSTGRES_PASSWORD: x}', true],
  ['a PostgreSQL that names its own', 'environment: {POSTGRES_PASSWORD: x, POSTGRES_DB: postgres}', undefined],
  [
    'a PostgreSQL whose user is called like the application',
    'environment: {POSTGRES_PASSWORD: x, POSTGRES_USER: shop}',
    undefined,
  ],
])('knows whether anybody named the database of %s', async (_, environment, unnamed) => {
  await reportWith({ 'compose.yaml': `services:\n  db: {image: postgres, ports: ["5433:5432"], ${environment}}\n` });
  const { found } = await compose.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.map((one) => one.unnamed)).toEqual([unnamed]);
});

it.each([
  ['dev/compose.yaml', 'undecided'],
  ['examples/compose.yaml', undefined],
])("takes a server's own database for none of the application's beside a named one in %s", async (file, mark) => {
  await reportWith({
    'compose.yaml': `services:\n${POSTGRES}`,
    [file]: `services:\n${POSTGRES.replace('5433', '5434').replace('{P', '{POSTGRES_DB: shop, P')}`,
  });
  const { found } = await compose.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.map(({ name, neverDefault }) => [name, neverDefault])).toEqual([
    ['postgres', mark],
    ['shop', undefined],
  ]);
});

it.each([
  [
    'build: docker/mariadb\nports: ["3307:3306"]\nenvironment: {MARIADB_ROOT_PASSWORD: r, MARIADB_DATABASE: d}',
    'mysql2 root:r@127.0.0.1:3307/d',
  ],
  [
    'image: example/sanitized:latest\nports: ["5433:5432"]\nenvironment: {POSTGRES_PASSWORD: x, POSTGRES_DB: d}',
    'postgres postgres:x@127.0.0.1:5433/d',
  ],
])("tells the engine of the project's own image by its variables and port: %j", async (yaml, found) => {
  expect((await reportWith(service(yaml))).found).toEqual([`compose:db ${found} compose.yaml:2`]);
});

it.each([
  'image: phpmyadmin\nports: ["8081:80"]\nenvironment: {MYSQL_ROOT_PASSWORD: r, MYSQL_DATABASE: d}',
  'image: example/proxy\nports: ["3307:3306"]\nenvironment: {MYSQL_HOST: elsewhere, MYSQL_DATABASE: d}',
])('takes no other program for a database server: %j', async (yaml) => {
  expect(await reportWith(service(yaml))).toEqual({ found: [], skipped: [] });
});

it("takes a service of the project's own image for the database that another service's URL names", async () => {
  const own = '  db:\n    build: {target: demo}\n    ports: ["13306:3306"]\n';
  const yaml = (...urls: string[]): Record<string, string> => ({ 'compose.yaml': `services:\n${own}${web(...urls)}` });
  const url = 'SHOP_URL=mysql://shop:pw@db/shop';
  expect(await reportWith(yaml(url, 'TEST_URL=mysql://shop:pw@db/shop_test', 'CACHE=redis://db'))).toEqual({
    found: ['compose:db mysql2 shop:pw@db:3306/shop compose.yaml:2'],
    skipped: [],
  });
  for (const others of [
    [],
    [url, 'B=mysql://shop:pw@db/b'],
    ['A=mysql://shop:pw@db:3307/shop'],
    ['A=mysql://shop:pw@h/shop'],
  ]) {
    project.remove();
    expect(await reportWith(yaml(...others))).toEqual({ found: [], skipped: [] });
  }
});

it("leaves DDEV's compose files to DDEV", async () => {
  expect(await reportWith({ '.ddev/docker-compose.extra.yaml': 'services: {}\n' })).toEqual({ found: [], skipped: [] });
});

it('takes the database of a MySQL or SQL Server container from a service that uses it', async () => {
  const mysql = '  db:\n    image: mysql\n    ports: ["3307:3306"]\n    environment: {MYSQL_ROOT_PASSWORD: r}\n';
  const mssql =
    '  sql:\n    image: mcr.microsoft.com/mssql/server\n    ports: ["1434:1433"]\n    environment: {MSSQL_SA_PASSWORD: r}\n';
  const other = web('A=mysql://root:r@db/shop', 'ConnectionStrings__Main=Server=sql,1433;Database=Shop;User Id=sa');
  expect((await reportWith({ 'compose.yaml': `services:\n${mysql}${mssql}${other}` })).found).toEqual([
    'compose:db mysql2 root:r@127.0.0.1:3307/shop compose.yaml:2',
    'compose:sql mssql sa:r@127.0.0.1:1434/Shop compose.yaml:6',
  ]);
});

it.each([
  'image: mariadb\ncommand: --port=4001 --character-set-server=utf8mb4\nenvironment: {MARIADB_DATABASE: d, MARIADB_USER: u, MARIADB_PASSWORD: p}',
  'image: mariadb\ncommand: ["mariadbd", "--port", "4001"]\nenvironment: {MARIADB_DATABASE: d, MARIADB_USER: u, MARIADB_PASSWORD: p}',
  'image: mysql\nenvironment: {MYSQL_TCP_PORT: 4001, MYSQL_DATABASE: d, MYSQL_USER: u, MYSQL_PASSWORD: p}',
])('takes the port that a service listens on: %s', async (yaml) => {
  const { found } = await reportWith(service(`${yaml}\nports: ["4401:4001"]`));
  expect(found).toEqual([expect.stringMatching(/^compose:db mysql2 u:p@127\.0\.0\.1:4401\/d /)]);
});

describe("JHipster's compose files", () => {
  const docker = 'src/main/docker';
  const files = {
    'pom.xml': '<project/>',
    [`${docker}/postgresql.yml`]:
      'services:\n  postgresql:\n    image: postgres:17\n    environment:\n      - POSTGRES_USER=shop\n      - POSTGRES_HOST_AUTH_METHOD=trust\n    ports:\n      - 127.0.0.1:5434:5432\n',
    [`${docker}/services.yml`]:
      'services:\n  postgresql:\n    extends:\n      file: ./postgresql.yml\n      service: postgresql\n',
    [`${docker}/app.yml`]:
      'services:\n  db: {image: mysql, ports: ["3306:3306"], environment: {MYSQL_DATABASE: other}}\n',
  };

  it('are read beside the build file, each service once', async () => {
    expect(await reportWith(files)).toEqual({
      found: ['compose:postgresql postgres shop:@127.0.0.1:5434/shop src/main/docker/postgresql.yml:2'],
      skipped: [],
    });
  });

  it('are files like any other where no Java program is', async () => {
    const { 'pom.xml': _, ...others } = files;
    expect(await reportWith(others)).toEqual({ found: [], skipped: [] });
  });
});

describe('services of several engines for one database', () => {
  const engines =
    'services:\n  pg: {image: postgres, ports: ["5432:5432"], environment: {POSTGRES_PASSWORD: x, POSTGRES_DB: shop}}\n' +
    '  maria: {image: mariadb, ports: ["3306:3306"], environment: {MARIADB_ROOT_PASSWORD: x, MARIADB_DATABASE: shop}}\n';
  const undecided = async (yaml: string): Promise<readonly (readonly [string, unknown])[]> => {
    project = new FixtureProject();
    project.write('compose.yaml', yaml);
    const { found } = await compose.detect(await project.view(), AbortSignal.timeout(5_000));
    return found.map(({ id, neverDefault }) => [id, neverDefault]);
  };

  it('are no default where nothing says which one the application uses', async () => {
    expect(await undecided(engines)).toEqual([
      ['compose:pg', 'undecided'],
      ['compose:maria', 'undecided'],
    ]);
  });

  it.each(['mysql://u:p@maria:3306/shop', 'maria'])('have the one that the application names: %s', async (value) => {
    const web = `  web: {build: ., environment: {DB: "${value}"}}\n`;
    expect(await undecided(engines + web)).toEqual([
      ['compose:pg', 'undecided'],
      ['compose:maria', undefined],
    ]);
  });

  it('are no default with databases of their own either, which a sentence says', async () => {
    const others = engines.replace('MARIADB_DATABASE: shop', 'MARIADB_DATABASE: reports');
    expect(await undecided(others)).toEqual([
      ['compose:pg', 'undecided'],
      ['compose:maria', 'undecided'],
    ]);
    expect((await reportOf(compose, project)).skipped).toEqual([
      'compose.yaml:2 is one of several servers of different engines, and no service says which one the application uses; choose it in .devdbrc',
    ]);
  });

  it('are no default where only one of them can be read', async () => {
    expect(await undecided(engines.replace('MARIADB_ROOT_PASSWORD: x', 'MARIADB_ROOT_PASSWORD: "${SECRET}"'))).toEqual([
      ['compose:pg', 'undecided'],
    ]);
  });

  it.each([
    ['build: ., environment: {DB: pg}'],
    ['build: ., depends_on: [pg]'],
    ['image: shop, depends_on: {pg: {condition: service_healthy}}'],
  ])('stand for themselves where their databases are different ones and a program names one: %s', async (web) => {
    const others = engines.replace('MARIADB_DATABASE: shop', 'MARIADB_DATABASE: reports');
    expect(await undecided(`${others}  web: {${web}}\n`)).toEqual([
      ['compose:pg', undefined],
      ['compose:maria', undefined],
    ]);
  });

  it.each([
    ['build: ., depends_on: [pg, maria]'],
    ['image: adminer, environment: {ADMINER_DEFAULT_SERVER: pg}'],
    ['image: "dpage/pgadmin4:9", depends_on: [pg]'],
  ])('have none that a program names with %s', async (web) => {
    expect(await undecided(`${engines}  web: {${web}}\n`)).toEqual([
      ['compose:pg', 'undecided'],
      ['compose:maria', 'undecided'],
    ]);
  });

  it('stand for themselves where only one publishes its port', async () => {
    const hidden = engines
      .replace('MARIADB_DATABASE: shop', 'MARIADB_DATABASE: reports')
      .replace('ports: ["3306:3306"], ', '');
    expect(await undecided(hidden)).toEqual([['compose:pg', undefined]]);
  });

  it('stand for themselves in folders of their own', async () => {
    const [head = '', pg = '', maria = ''] = engines
      .replace('MARIADB_DATABASE: shop', 'MARIADB_DATABASE: d')
      .split('\n');
    project = new FixtureProject();
    project.write('compose.yaml', `${head}\n${pg}\n`);
    project.write('api/compose.yaml', `${head}\n${maria}\n`);
    const { found } = await compose.detect(await project.view(), AbortSignal.timeout(5_000));
    expect(found.map(({ id, neverDefault }) => [id, neverDefault])).toEqual([
      ['compose:pg', undefined],
      ['compose:api/maria', undefined],
    ]);
  });
});

describe("a server that has only its own database, SQL Server's master,", () => {
  const servers =
    'services:\n  bare: {image: mcr.microsoft.com/mssql/server, ports: ["1433:1433"], environment: {SA_PASSWORD: x}}\n' +
    '  own: {image: my/sql, ports: ["1434:1433"], environment: {SA_PASSWORD: x, MSSQL_DATABASE: shop}}\n';
  const undecided = async (yaml: string): Promise<readonly unknown[]> => {
    project = new FixtureProject();
    project.write('compose.yaml', yaml);
    const { found } = await compose.detect(await project.view(), AbortSignal.timeout(5_000));
    return found.map(({ name, neverDefault }) => [name, neverDefault]);
  };

  it('is no default beside one with a database of its own', async () => {
    expect(await undecided(servers)).toEqual([
      ['master', 'undecided'],
      ['shop', undefined],
    ]);
  });

  it('is one where no other is', async () => {
    expect(await undecided(servers.slice(0, servers.indexOf('  own')))).toEqual([['master', undefined]]);
  });

  it('is no default for a program that names it without a database, and so is a server of another engine', async () => {
    const pg = '  pg: {image: postgres, ports: ["5432:5432"], environment: {POSTGRES_PASSWORD: x}}\n';
    const bare = servers.slice(0, servers.indexOf('  own'));
    expect(await undecided(`${bare}${pg}  web: {build: ., environment: {DB: bare}}\n`)).toEqual([
      ['master', 'undecided'],
      ['postgres', 'undecided'],
    ]);
    const named = '  web: {build: ., environment: {DB: "Server=bare;Database=stock"}}\n';
    expect(await undecided(`${bare}${pg}${named}`)).toEqual([
      ['stock', undefined],
      ['postgres', undefined],
    ]);
  });
});

describe('a service that is built', () => {
  const composeFile = (build: string, rest = ''): Record<string, string> => ({
    'compose.yaml': `services:\n  db:\n    build: ${build}\n    ports: ["5544:5432"]\n${rest}`,
  });
  const dockerfile = 'FROM postgres:17 AS base\nENV POSTGRES_PASSWORD=x\nFROM base\nENV POSTGRES_DB "shop"\n';

  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    [
      'a folder',
      { ...composeFile('./db'), 'db/Dockerfile': 'FROM postgres:17\nENV POSTGRES_PASSWORD=x POSTGRES_DB=shop\n' },
      'x',
    ],
    [
      'another file',
      {
        ...composeFile('{context: db, dockerfile: Dev.Dockerfile}'),
        'db/Dev.Dockerfile': dockerfile.replaceAll('"', ''),
      },
      'x',
    ],
    [
      'arguments',
      {
        ...composeFile('{context: db, args: {PASS: given}}'),
        'db/Dockerfile':
          'ARG TAG=17\nFROM --platform=linux/amd64 postgres:${TAG}\nARG PASS=x\nARG NAME=shop\n' +
          '# a comment\nENV POSTGRES_PASSWORD=$PASS \\\n# another\n  POSTGRES_DB=${NAME}\n',
      },
      'given',
    ],
    [
      'a stage',
      {
        ...composeFile('{context: ., target: store}', '    environment: {POSTGRES_DB: shop}\n'),
        Dockerfile: 'FROM postgres AS store\nENV POSTGRES_PASSWORD=x POSTGRES_DB=other\nFROM node\n',
      },
      'x',
    ],
  ])('is what its Dockerfile starts from: %s', async (_, files, password) => {
    expect(await reportWith(files)).toEqual({
      found: [`compose:db postgres postgres:${password}@127.0.0.1:5544/shop compose.yaml:2`],
      skipped: [],
    });
  });

  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ['the last stage has no engine', { ...composeFile('.'), Dockerfile: 'FROM postgres AS tools\nFROM node\n' }],
    ['a heredoc only speaks of one', { ...composeFile('.'), Dockerfile: 'FROM node\nRUN <<EOF\nFROM postgres\nEOF\n' }],
    ['the file is outside the project', composeFile('../db')],
    ['the context is a repository', composeFile('https://example.com/db.git')],
    [
      'it publishes another port than the engine',
      { 'compose.yaml': 'services:\n  backup:\n    build: .\n    ports: ["80:80"]\n', Dockerfile: 'FROM postgres\n' },
    ],
  ])('is no database where %s', async (_, files) => {
    expect(await reportWith(files)).toEqual({ found: [], skipped: [] });
  });

  it("takes the application's database in SQL Server's own image from a service beside it", async () => {
    const files = {
      'compose.yaml': [
        'services:',
        '  db: {build: ./db, ports: ["1444:1433"]}',
        '  api: {build: ., environment: ["Shop_Connection=Server=db,1433;Database=Shop;User=sa;Password=x"]}',
        '',
      ].join('\n'),
      'db/Dockerfile': 'FROM mcr.microsoft.com/mssql/server:2022-latest\nENV SA_PASSWORD=x\n',
    };
    expect(await reportWith(files)).toEqual({
      found: ['compose:db mssql sa:x@127.0.0.1:1444/Shop compose.yaml:2'],
      skipped: [],
    });
  });
});

describe('a database named after a program that runs beside the application', () => {
  const files = (image: string): Readonly<Record<string, string>> => ({
    'compose.yaml': `services:\n  sso: {${image}}\n  db:\n    image: mysql\n    ports: ["3307:3306"]\n    environment: {MYSQL_DATABASE: keycloak_dev, MYSQL_ROOT_PASSWORD: p}\n`,
  });
  const marks = async (): Promise<readonly unknown[]> =>
    (await compose.detect(await project.view(), AbortSignal.timeout(5_000))).found.map((one) => one.neverDefault);

  it.each(['image: quay.io/keycloak/keycloak:26', 'image: shop-keycloak'])('is no default beside %s', async (image) => {
    const { skipped } = await reportWith(files(image));
    expect(skipped).toEqual(['compose.yaml:3 db: is the database of keycloak']);
    expect(await marks()).toEqual(['beside']);
  });

  it("is no default beside a container that the program's makers publish under another name", async () => {
    const text = files('image: temporalio/auto-setup')['compose.yaml']?.replace('keycloak_dev', 'temporal') ?? '';
    await reportWith({ 'compose.yaml': text });
    expect(await marks()).toEqual(['beside']);
  });

  it.each(['build: .', 'image: shop', 'build: ., image: keycloak'])('is like any other beside %s', async (image) => {
    const { skipped } = await reportWith(files(image));
    expect(skipped).toEqual([]);
    expect(await marks()).toEqual([undefined]);
  });
});

it.each([
  ['sqlite', 'build: .', 'undecided'],
  ['django.db.backends.sqlite3', 'build: .', 'undecided'],
  ['postgres', 'build: .', undefined],
  ['none', 'build: .', undefined],
  ['sqlite', 'image: somebody/else', undefined],
])("knows whether a server is the application's where a program gets %s: %s", async (engine, program, mark) => {
  const app = `  app: {${program}, environment: {DB_ENGINE: ${engine}}}\n`;
  await reportWith({ 'compose.yaml': `services:\n${POSTGRES}${app}` });
  const { found } = await compose.detect(await project.view(), AbortSignal.timeout(5_000));
  expect(found.map(({ neverDefault }) => neverDefault)).toEqual([mark]);
});
