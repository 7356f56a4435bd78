import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { spring } from './spring.ts';

const SOURCE = 'quarkus.datasource';
let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(lines: readonly string[], file = 'application.properties'): Promise<DetectorReport> {
  project = new FixtureProject();
  project.write('pom.xml', '');
  project.write(`src/main/resources/${file}`, `${lines.join('\n')}\n`);
  return await reportOf(spring, project);
}

const FIXED = [`${SOURCE}.db-kind=postgresql`, `${SOURCE}.devservices.port=35432`];

it('finds the container that Quarkus starts on a fixed port in development', async () => {
  const account = ['db-name=shop', 'username=u', 'password=p'].map((one) => `${SOURCE}.devservices.${one}`);
  expect((await reportWith([...FIXED, ...account])).found).toEqual([
    'spring:quarkus.datasource.devservices postgres u:p@localhost:35432/shop src/main/resources/application.properties:2',
  ]);
});

it('knows what Quarkus calls an account and a database that nothing names', async () => {
  expect((await reportWith(FIXED, 'application-dev.properties')).found).toEqual([
    'spring:quarkus.datasource.devservices postgres quarkus:quarkus@localhost:35432/quarkus src/main/resources/application-dev.properties:2',
  ]);
  project.remove();
  const named = FIXED.map((line) => line.replace(SOURCE, `%dev.${SOURCE}.stock`));
  expect((await reportWith(named)).found).toEqual([
    'spring:%dev.quarkus.datasource.stock.devservices postgres quarkus:quarkus@localhost:35432/stock src/main/resources/application.properties:2',
  ]);
});

it.each([
  ['a URL of its own', 'reactive.url=postgresql://db.example.com/shop'],
  ['dev services switched off', 'devservices.enabled=false'],
])('starts none with %s', async (_, line) => {
  expect(await reportWith([...FIXED, `${SOURCE}.${line}`])).toEqual({ found: [], skipped: [] });
});

it.each([
  ['a free port', [`${SOURCE}.db-kind=postgresql`, `${SOURCE}.devservices.port=0`]],
  ['an engine of its own', [`${SOURCE}.db-kind=h2`, `${SOURCE}.devservices.port=35432`]],
  ['an unknown engine', [`${SOURCE}.devservices.port=35432`]],
])('cannot find the container with %s', async (_, lines) => {
  expect(await reportWith(lines)).toEqual({ found: [], skipped: [] });
});
