// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the scripts that are read
import { type DetectorReport, reportOf } from '../../../test/helpers/detector-report.ts';
import { FixtureProject } from '../../../test/helpers/fixture-project.ts';
import { dockerRun } from './docker-run.ts';

let project: FixtureProject;

afterEach(() => project.remove());

async function reportWith(files: Readonly<Record<string, string>>): Promise<DetectorReport> {
  project = new FixtureProject();
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  return await reportOf(dockerRun, project);
}

async function foundIn(text: string, file = 'scripts/db.sh'): Promise<readonly string[]> {
  return (await reportWith({ [file]: text })).found;
}

it.each([
  [
    'docker run -d --name shop-db -e POSTGRES_PASSWORD=p -e POSTGRES_DB=shop -p 5433:5432 postgres:17',
    'docker-run:shop-db postgres postgres:p@127.0.0.1:5433/shop scripts/db.sh:1',
  ],
  [
    'if ! docker start shop-db; then\n  sudo podman run --rm -it \\\n    --network=shop --name shop-db \\\n    -eMYSQL_ROOT_PASSWORD="p q" \\\n    --env=MYSQL_DATABASE=shop \\\n    -p127.0.0.1:3307:3306 \\\n    docker.io/library/mariadb --skip-log-bin | tee log\nfi',
    'docker-run:shop-db mysql2 root:p q@127.0.0.1:3307/shop scripts/db.sh:2',
  ],
  [
    'USER_NAME="${SHOP_USER:=shop}"\nexport PORT=5440 # free\ndocker run -e POSTGRES_USER=${USER_NAME} -e POSTGRES_PASSWORD=p -p "$PORT":5432 postgres -N 1000',
    'docker-run:scripts/db postgres shop:p@127.0.0.1:5440/shop scripts/db.sh:3',
  ],
])('reads the database that a script starts: %s', async (text, found) => {
  expect(await foundIn(text)).toEqual([found]);
});

it.each([
  ['Makefile', 'PORT ?= 5441\ndb:\n\t@docker run -e POSTGRES_PASSWORD=p -p $(PORT):5432 postgres\n'],
  ['justfile', 'port := "5441"\ndb:\n    docker run -e POSTGRES_PASSWORD=p -p {{ port }}:5432 postgres\n'],
])('reads the variables of a %s', async (file, text) => {
  expect(await foundIn(text, file)).toEqual([
    `docker-run:${file} postgres postgres:p@127.0.0.1:5441/postgres ${file}:3`,
  ]);
});

it('takes what a script does not set from the .env files, and says what neither sets', async () => {
  const run = 'docker run --name db -e POSTGRES_PASSWORD=$SHOP_PASSWORD -p 5432:5432 postgres\n';
  expect(await reportWith({ 'db.sh': run, '.env': 'SHOP_PASSWORD=p\n' })).toEqual({
    found: ['docker-run:db postgres postgres:p@127.0.0.1:5432/postgres db.sh:1'],
    skipped: [],
  });
  project.remove();
  expect(await reportWith({ 'db.sh': run })).toEqual({
    found: [],
    skipped: ['db.sh:1 db: POSTGRES_PASSWORD refers to a variable that the .env files do not set'],
  });
});

it.each([
  ['the server publishes no port', 'docker run -e POSTGRES_PASSWORD=p postgres'],
  ['it gets a free port', 'docker run -e POSTGRES_PASSWORD=p -p 5432 postgres'],
  ['it is no database', 'docker run --name postgres -p 5432:5432 shop/api'],
  ['the script only tells of it', 'echo docker run -e POSTGRES_PASSWORD=p -p 5432:5432 postgres'],
  ['it is a comment', '# docker run -e POSTGRES_PASSWORD=p -p 5432:5432 postgres'],
  ['the image is computed', 'docker run -e POSTGRES_PASSWORD=p -p 5432:5432 "$IMAGE"'],
  ['only another command has the port', 'docker run -e POSTGRES_PASSWORD=p postgres; nc -p 5432:5432 postgres'],
])('finds nothing where %s', async (_why, text) => {
  expect(await reportWith({ 'scripts/db.sh': `${text}\n` })).toEqual({ found: [], skipped: [] });
});

it('lists a container once that several scripts start', async () => {
  const run = 'docker run --name db -e POSTGRES_PASSWORD=p -p 5432:5432 postgres\n';
  const { found } = await reportWith({ 'scripts/up.sh': run, 'scripts/reset.sh': run });
  expect(found).toEqual(['docker-run:db postgres postgres:p@127.0.0.1:5432/postgres scripts/reset.sh:1']);
});

it('marks what is for tests, and of several servers none as the one that the application uses', async () => {
  project = new FixtureProject();
  const run = (port: number): string => `\tdocker run -e POSTGRES_PASSWORD=p -p ${port}:5432 postgres\n`;
  project.write('Makefile', `test-db:\n${run(1)}`);
  project.write('scripts/one.sh', run(2));
  const kinds = async (): Promise<readonly unknown[]> => {
    const { found } = await dockerRun.detect(await project.view(), AbortSignal.timeout(5_000));
    return found.map(({ id, neverDefault }) => [id, neverDefault]);
  };
  expect(await kinds()).toEqual([
    ['docker-run:Makefile', 'tests'],
    ['docker-run:scripts/one', undefined],
  ]);
  project.write('scripts/two.sh', run(3));
  expect(await kinds()).toEqual([
    ['docker-run:Makefile', 'tests'],
    ['docker-run:scripts/one', 'undecided'],
    ['docker-run:scripts/two', 'undecided'],
  ]);
});
