import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FixtureProject } from './helpers/fixture-project.ts';

const signal = AbortSignal.timeout(60_000);
let project: FixtureProject;

afterEach(() => project.remove());

/** What a user gets in a project of each kind: the default, and where it is. */
const DEFAULTS: Readonly<Record<string, string | undefined>> = {
  adonis: 'adonis:postgres 127.0.0.1:5432/app',
  compose: 'env:DATABASE_URL 127.0.0.1:54329/shop_dev',
  'database-url': 'env:DATABASE_URL db/local.sqlite3',
  'database-url-prisma': 'env:DATABASE_URL prisma/dev.db',
  ddev: 'ddev:db 127.0.0.1:33306/db',
  'devdbrc-broken': 'devdbrc:first.db first.db',
  'devdbrc-json': 'devdbrc:shop.db data/shop.db',
  'devdbrc-pinned': 'compose:db 127.0.0.1:54335/shop',
  'devdbrc-yaml': 'devdbrc:shop.db data/shop.db',
  django: 'django:default 127.0.0.1:54320/shop_local',
  'docker-run': 'docker-run:shop-db 127.0.0.1:54354/shop',
  dotnet: 'dotnet:src/Shop.Web/Shop localhost:14333/Shop',
  drizzle: 'env:DATABASE_URL localhost:5433/shop',
  go: 'go:conf/app.ini#database 127.0.0.1:33068/shop',
  'env-production': 'env:DATABASE_URL dev.db',
  convict: 'convict:pg 127.0.0.1:54373/shop_dev',
  'knex-source': 'knex-source:main 127.0.0.1:54371/shop',
  knexfile: 'knexfile:development 127.0.0.1:54330/shop_dev',
  laravel: 'laravel:mysql 127.0.0.1:33060/shop',
  codeigniter: 'codeigniter:default 127.0.0.1:33069/shop',
  cakephp: 'cakephp:default 127.0.0.1:33070/shop',
  yii: 'yii:common/config/main-local#db 127.0.0.1:33071/shop',
  craft: 'craft:db 127.0.0.1:54343/site',
  drupal: 'drupal:default.default 127.0.0.1:33072/site_local',
  typo3: 'typo3:Default 127.0.0.1:33073/site',
  magento: 'magento:default 127.0.0.1:33074/magento',
  directus: 'variables:db 127.0.0.1:54351/cms',
  jhipster: 'compose:postgresql 127.0.0.1:54352/shop',
  lando: 'lando:database 127.0.0.1:33077/shop',
  micronaut: 'spring:datasources.default 127.0.0.1:33076/shop',
  'wp-env': 'wp-env:wordpress 127.0.0.1:33078/wordpress',
  php: 'php:includes/config 127.0.0.1:33075/shop',
  strapi: 'strapi:db 127.0.0.1:54344/cms',
  payload: 'payload:db 127.0.0.1:54345/site',
  'mikro-orm': 'mikro-orm:db 127.0.0.1:54346/shop',
  kysely: 'kysely:src/db 127.0.0.1:54347/shop',
  dbt: 'dbt:dev 127.0.0.1:54348/warehouse',
  rust: 'rust:configuration/base.yaml#database 127.0.0.1:54349/shop',
  quarkus: 'spring:%dev.quarkus.datasource.jdbc localhost:54350/shop',
  d1: undefined,
  nothing: undefined,
  phoenix: 'phoenix:Shop.Repo localhost:54341/shop_dev',
  prisma: 'prisma:db localhost:5434/shop',
  rails: 'rails:development.primary localhost:54321/shop_development',
  sequelize: 'sequelize:development 127.0.0.1:3306/database_development',
  spring: 'spring:datasource@dev localhost:14334/shop',
  sqlalchemy: 'sqlalchemy:shop/config.DevelopmentConfig 127.0.0.1:54340/shop_dev',
  'sqlite-files': undefined,
  supabase: 'supabase:db 127.0.0.1:54329/postgres',
  symfony: 'env:DATABASE_URL 127.0.0.1:5432/app',
  typeorm: 'typeorm:cache data/cache.sqlite',
  wordpress: 'wordpress:public/db localhost:33063/wordpress',
};

it('knows the default of every sample project', () => {
  project = new FixtureProject();
  const fixtures = readdirSync(join(__dirname, '../../fixtures/projects'));
  const others = ['own-tools'];
  expect(fixtures.filter((name) => !Object.hasOwn(DEFAULTS, name) && !others.includes(name))).toEqual([]);
});

it.each(Object.entries(DEFAULTS))('finds the default of the sample project %s', async (fixture, expected) => {
  project = new FixtureProject(fixture);
  const { connections, skipped } = await project.book().list(signal);
  const chosen = connections.find(({ isDefault }) => isDefault);
  expect(chosen && `${chosen.id} ${chosen.target}`).toBe(expected);
  for (const { trusted, needsTrust } of connections) expect(trusted).toBe(needsTrust === undefined);
  const told = JSON.stringify([connections, skipped]);
  for (const secret of [
    'p#1 with blank',
    'secret@',
    'pg-pass',
    'rep$1',
    'Str0ng!Pass',
    's3cret',
    'Your;Strong',
    "it's $ecret",
  ]) {
    expect(told).not.toContain(secret);
  }
});

it('connects to nothing on another machine, nor to production, before approval', async () => {
  for (const fixture of Object.keys(DEFAULTS)) {
    project = new FixtureProject(fixture);
    for (const { trusted, target, id } of await project
      .book()
      .state(signal)
      .then(({ entries }) => entries)) {
      const remote = 'host' in target && !/^(localhost|127\.0\.0\.1|\/.*)$/.test(target.host);
      if (remote || /prod|staging/.test(id)) expect([id, trusted]).toEqual([id, false]);
    }
    project.remove();
  }
  project = new FixtureProject();
});

describe('a host of a compose network', () => {
  const compose = (ports: string): string =>
    `services:\n  db:\n    image: postgres\n    container_name: shop-db\n    ports: ${ports}\n    environment: {POSTGRES_PASSWORD: x}\n`;

  it('becomes the published port, whatever names it, and is one database with the service', async () => {
    project = new FixtureProject();
    project.write('compose.yml', compose('["5544:5432"]'));
    project.write(
      '.devdbrc',
      '[{"name":"main","type":"postgres","host":"shop-db","username":"postgres","database":"postgres"}]',
    );
    const { connections, skipped } = await project.book().list(signal);
    expect(connections.map(({ id, target, trusted }) => [id, target, trusted])).toEqual([
      ['devdbrc:main', '127.0.0.1:5544/postgres', true],
    ]);
    expect(skipped).toContainEqual({ file: 'compose.yml', line: 2, reason: 'the same database as devdbrc:main' });
  });

  it('is left out with a next step when the service publishes no port', async () => {
    project = new FixtureProject();
    project.write('backend/compose.yml', compose('[]'));
    project.write('backend/.env', 'DATABASE_URL=postgres://u:p@db/shop\n');
    const { connections, skipped } = await project.book().list(signal);
    expect(connections).toEqual([]);
    expect(skipped).toContainEqual({
      file: 'backend/.env',
      line: 1,
      reason:
        'env:backend/DATABASE_URL: the host db is the compose service db (backend/compose.yml line 2), which publishes no port 5432: add one under ports, e.g. "127.0.0.1:5432:5432"',
    });
  });

  it.each([
    ['[]', []],
    ['["5544:5432"]', ['127.0.0.1:5544/shop']],
    ['["5432:5432"]', ['localhost:5432/shop']],
  ])("is also localhost in a development container's variables, with the ports %s", async (ports, targets) => {
    project = new FixtureProject();
    const server = `{image: postgres, ports: ${ports}, env_file: .env, volumes: ["data:/var/lib/postgresql/data"]}`;
    const app = '{image: "rust:1", network_mode: "service:db"}';
    project.write('.devcontainer/docker-compose.yml', `services: {app: ${app}, db: ${server}}\n`);
    const account = 'POSTGRES_USER=u\nPOSTGRES_PASSWORD=p\nPOSTGRES_DB=shop\n';
    project.write('.devcontainer/.env', `${account}POSTGRES_HOSTNAME=localhost\nPOSTGRES_PORT=5432\n`);
    const { connections, skipped } = await project.book().list(signal);
    expect(connections.map(({ target }) => target)).toEqual(targets);
    if (targets.length === 0) {
      expect(skipped).toContainEqual(
        expect.objectContaining({
          file: '.devcontainer/.env',
          reason: expect.stringContaining('publishes no port 5432: add one under ports'),
        }),
      );
    }
  });

  it('stays unchanged inside a container, where it can be reached after approval', async () => {
    project = new FixtureProject();
    project.write('compose.yml', compose('["5544:5432"]'));
    project.write('.env', 'DATABASE_URL=postgres://u:p@db/shop\n');
    const { connections } = await project.book({ insideContainer: true }).list(signal);
    expect(connections.map(({ target, trusted }) => [target, trusted])).toContainEqual(['db:5432/shop', false]);
  });
});
