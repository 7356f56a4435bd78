// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { spring } from './spring.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>, fixture?: string): Promise<DetectorReport> {
  project = new FixtureProject(fixture);
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(spring, project);
}

const pom = { 'pom.xml': '' };

function properties(text: string): Record<string, string> {
  return { ...pom, 'src/main/resources/application.properties': text };
}

it('reads YAML and properties, profiles, documents, placeholders and several data sources', async () => {
  expect(await reportWith({}, 'spring')).toEqual({
    found: [
      'spring:datasource@dev mssql sa:Pass!:=word@localhost:14334/shop{"encrypt":"true","trustservercertificate":"true"} src/main/resources/application-dev.properties:2',
      'spring:datasource postgres shop:s3cret@localhost:5432/shop{"sslmode":"disable"} src/main/resources/application.yml:5',
      'spring:app.datasource.reports mysql2 rep:re:p@localhost:33064/reports src/main/resources/application.yml:11',
      'spring:datasource@prod postgres shop:none@db.example.com:5432/shop src/main/resources/application.yml:20 [prod]',
    ],
    skipped: [],
  });
});

it.each([
  [
    'spring.datasource.url=jdbc:mysql://localhost:3307/d?useSSL=false&serverTimezone=UTC\nspring.datasource.username=u',
    'mysql2 u:@localhost:3307/d',
  ],
  ['spring.datasource.url=jdbc:sqlite:data/app.db', 'sqlite data/app.db'],
  ['spring.datasource.url=jdbc:postgresql:d', 'postgres :@localhost:5432/d'],
  [
    'db.name=x\nspring.datasource.url=jdbc:postgresql://localhost/${db.name}_${SUFFIX:${db.name}}',
    'postgres :@localhost:5432/x_x',
  ],
  ['spring.r2dbc.url=r2dbc:postgresql://localhost/d\nspring.r2dbc.password=a b', 'postgres :a b@localhost:5432/d'],
])('reads %j', async (text, found) => {
  const { found: all } = await reportWith(properties(text));
  expect(all).toHaveLength(1);
  expect(all[0]).toContain(` ${found} `);
});

it.each([
  [
    'spring.datasource.url=jdbc:postgresql://${NOPE}/d',
    'datasource: refers to NOPE, which neither the settings nor the .env files set',
  ],
  [
    'spring.datasource.url=jdbc:postgresql://h/d\nspring.datasource.password=${VAULT_PW}',
    'datasource: refers to VAULT_PW, which neither the settings nor the .env files set',
  ],
  [
    'spring.datasource.url=jdbc:h2:mem:testdb',
    "datasource: the URL is of H2, the application's own database, which DevDB does not support",
  ],
  ['spring.datasource.url=jdbc:tc:postgresql:16:///d', 'datasource: the URL is a container that only tests start'],
  [
    'spring.datasource.url=jdbc:sqlserver://localhost\\\\SQL;databaseName=d',
    'datasource: the URL names a SQL Server instance; give its port',
  ],
  ['spring.datasource.url=jdbc:postgresql://h/', 'datasource: names no database'],
])('leaves %j out with a reason', async (text, reason) => {
  expect(await reportWith(properties(text))).toEqual({
    found: [],
    skipped: [`src/main/resources/application.properties:1 ${reason}`],
  });
});

it('says that an application without a data source runs an engine in its own process', async () => {
  project = new FixtureProject();
  project.write('pom.xml', '<dependency><groupId>com.h2database</groupId></dependency>');
  expect(await reportOf(spring, project)).toEqual({
    found: [],
    skipped: [
      'pom.xml: the application has no other data source for development than H2 in its own process, which DevDB cannot reach; name a database in .devdbrc',
    ],
  });
});

it('takes the profile in front of a key of Quarkus for what it is, with the account of all profiles', async () => {
  expect((await reportWith({}, 'quarkus')).found).toEqual([
    'spring:%prod.quarkus.datasource.jdbc postgres shop:s3cret@db.example.com:5432/shop src/main/resources/application.properties:4 [prod]',
    'spring:%test.quarkus.datasource.jdbc postgres shop:s3cret@localhost:54351/shop_test src/main/resources/application.properties:5',
    'spring:%dev.quarkus.datasource.jdbc postgres shop:s3cret@localhost:54350/shop src/main/resources/application.properties:6',
  ]);
});

it('reads the data sources of Micronaut', async () => {
  const text =
    'datasources:\n  default:\n    url: jdbc:mysql://localhost:3307/shop\n    username: shop\n    password: x\n';
  expect((await reportWith({ 'build.gradle': '', 'src/main/resources/application.yml': text })).found).toEqual([
    'spring:datasources.default mysql2 shop:x@localhost:3307/shop src/main/resources/application.yml:3',
  ]);
});

it('takes the profile that the settings switch on for development, unless it is for production', async () => {
  const files = (active: string) => ({
    'pom.xml': '',
    'src/main/resources/application.yml': `spring:\n  profiles:\n    active: ${active}\n`,
    'src/main/resources/application-druid.yml':
      'spring:\n  datasource:\n    druid:\n      master:\n        url: jdbc:mysql://localhost:3306/shop\n        username: u\n',
    'src/main/resources/application-prod.yml': 'spring.datasource.url: jdbc:mysql://localhost:3306/sold\n',
  });
  const druid =
    'spring:datasource.druid.master@druid mysql2 u:@localhost:3306/shop src/main/resources/application-druid.yml:5';
  const prod = 'spring:datasource@prod mysql2 :@localhost:3306/sold src/main/resources/application-prod.yml:1 [prod]';
  expect((await reportWith(files('druid'))).found).toEqual([druid, prod]);
  project.remove();
  expect((await reportWith(files('${PROFILE:common,druid}'))).found).toEqual([druid, prod]);
  project.remove();
  expect((await reportWith(files('prod'))).found).toEqual([`${druid} [druid]`, prod]);
});

it.each(['p6spy', 'log4jdbc', 'otel', 'aws-wrapper'])(
  'reads a URL that leads through the driver %s',
  async (wrapper) => {
    const { found } = await reportWith(properties(`spring.datasource.url=jdbc:${wrapper}:mysql://localhost:3307/shop`));
    expect(found).toEqual([
      'spring:datasource mysql2 :@localhost:3307/shop src/main/resources/application.properties:1',
    ]);
  },
);

it('reads settings under another name where there are none under the usual one', async () => {
  const shop = 'server:\n  port: 1\nspring:\n  datasource:\n    url: "${URL:jdbc:postgresql://localhost:5433/shop}"\n';
  const other = {
    'pom.xml': '',
    'src/main/resources/shop.yml': shop,
    'src/main/resources/logback.yml': 'datasource: x\n',
  };
  expect((await reportWith(other)).found).toEqual([
    'spring:datasource postgres :@localhost:5433/shop src/main/resources/shop.yml:5',
  ]);
  project.remove();
  expect((await reportWith({ ...other, 'src/main/resources/application.yml': 'server: {port: 1}\n' })).found).toEqual(
    [],
  );
});

describe('the settings of a Grails application', () => {
  const application = (url: string): string =>
    `dataSource:\n  username: u\n  password: p\nenvironments:\n  development:\n    dataSource:\n      url: ${url}\n  test:\n    dataSource:\n      url: jdbc:mysql://localhost/checked\n  production:\n    dataSource:\n      username: own\n      url: jdbc:mysql://localhost/sold\n`;
  const reported = async (folder: string): Promise<readonly string[]> => {
    project = new FixtureProject();
    project.write('build.gradle', "implementation 'com.h2database:h2'\n");
    project.write(`${folder}/application.yml`, application('jdbc:mysql://localhost:3307/shop'));
    return (await reportOf(spring, project)).found;
  };

  it('name a database for each environment, with the account of all', async () => {
    expect(await reported('grails-app/conf')).toEqual([
      'spring:dataSource@development mysql2 u:p@localhost:3307/shop grails-app/conf/application.yml:7',
      'spring:dataSource@test mysql2 u:p@localhost:3306/checked grails-app/conf/application.yml:10',
      'spring:dataSource@production mysql2 own:p@localhost:3306/sold grails-app/conf/application.yml:14 [production]',
    ]);
  });

  it('have no such meaning for other applications', async () => {
    expect(await reported('src/main/resources')).not.toContainEqual(expect.stringContaining('dataSource@'));
  });
});
