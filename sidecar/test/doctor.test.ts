import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { testWhere } from '../../fixtures/labs/needs.ts';
import { DETECTORS } from '../src/detection/index.ts';
import { FixtureProject } from './helpers/fixture-project.ts';
import { CLI, startSidecar } from './helpers/start-sidecar.ts';

const reportSchema = z.object({
  ok: z.boolean(),
  sidecar: z.looseObject({ state: z.string() }),
  lookedFor: z.array(z.object({ by: z.string(), files: z.array(z.string()) })),
  connections: z.array(
    z.looseObject({ id: z.string(), isDefault: z.boolean(), test: z.looseObject({ state: z.string() }) }),
  ),
  skipped: z.array(z.looseObject({ file: z.string(), reason: z.string() })),
  tools: z.object({ read: z.number(), problems: z.array(z.looseObject({ file: z.string(), reason: z.string() })) }),
  troubles: z.array(z.object({ what: z.string(), next: z.string() })),
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

let project: FixtureProject;

afterEach(() => project.remove());

/** Runs `devdb` to its end. */
async function devdb(...args: readonly string[]): Promise<Ran> {
  const env = { ...process.env, DEVDB_HOME: project.home.dir };
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}

async function report(): Promise<{ code: number | null; report: z.infer<typeof reportSchema> }> {
  const { code, out } = await devdb('doctor', '--project', project.root, '--json');
  return { code, report: reportSchema.parse(JSON.parse(out)) };
}

const WORKS = { state: 'works', product: 'SQLite', tables: 1, guard: 'enforced' };

it('tests every database and ends with 0 when the default one works', async () => {
  project = new FixtureProject('devdbrc-broken');
  project.database('first.db');
  project.write('last.db', 'not a database, but named in the settings');
  const { code, report: said } = await report();
  expect(code).toBe(0);
  expect(said.ok).toBe(true);
  expect(said.connections.map(({ id, isDefault }) => [id, isDefault])).toEqual([
    ['devdbrc:first.db', true],
    ['devdbrc:last.db', false],
  ]);
  expect(said.connections[0]?.test).toMatchObject(WORKS);
  expect(said.connections[1]?.test).toMatchObject({ state: 'failed', code: 'E_NO_CONNECTION' });
  expect(said.skipped).toContainEqual(expect.objectContaining({ file: '.devdbrc', line: 5 }));
  expect(said.troubles).toContainEqual(expect.objectContaining({ what: expect.stringContaining('devdbrc:last.db') }));
});

it('reports how many custom tools were read, and what is wrong with the others and where', async () => {
  project = new FixtureProject('own-tools');
  project.database('shop.db');
  expect((await report()).report.tools).toEqual({ read: 5, problems: [] });
  project.write('.devdb/tools/slip.meta.yaml', 'alias: order.slip\nsql: SELECT :x\nmcp: { description: x }\n');
  project.write('.devdb/tools/notes.yaml', 'a: 1\n');
  const { code, report: said } = await report();
  expect(code).toBe(0);
  const slip = { file: '.devdb/tools/slip.meta.yaml', line: 2, reason: 'sql: :x is not among the params' };
  expect(said.tools).toEqual({ read: 5, problems: expect.arrayContaining([slip]) });
  expect(said.tools.problems.map(({ file }) => file)).toContain('.devdb/tools/notes.yaml');
  expect(said.troubles).toContainEqual({
    what: '.devdb/tools/slip.meta.yaml line 2: sql: :x is not among the params.',
    next: expect.stringContaining('open the project again'),
  });
  const { out } = await devdb('doctor', '--project', project.root);
  expect(out).toMatch(
    /Own tools\n {2}5 tools were read from \.devdb\/tools\n[\s\S]*slip\.meta\.yaml:2: sql: :x is not/,
  );
});

it('reports what was looked for and what to do when there is nothing, and ends with 1', async () => {
  project = new FixtureProject('nothing');
  const { code, report: said } = await report();
  expect(code).toBe(1);
  expect(said.connections).toEqual([]);
  expect(said.lookedFor.map(({ by }) => by)).toEqual(DETECTORS.map(({ name }) => name));
  expect(said.troubles).toContainEqual({ what: 'No database was found.', next: expect.stringContaining('.devdbrc') });
  const text = await devdb('doctor', '--project', project.root);
  expect(text.code).toBe(1);
  expect(text.out).toMatch(/Looked for[\s\S]*\.devdbrc[\s\S]*No default database works\./);
});

it('is readable: default, place, test and what was left out, without colour codes', async () => {
  project = new FixtureProject('sqlite-files');
  project.database('db/shop.sqlite3');
  const { code, out } = await devdb('doctor', '--project', project.root);
  expect(code).toBe(0);
  expect(out).toMatch(
    /db\/shop\.sqlite3 \(default\)\n.*found in db\/shop\.sqlite3 by sqlite-files\n.*works: SQLite .*1 table,.*reads are enforced/,
  );
  expect(out).toContain('data/thumbs.db: is not a SQLite database');
  expect(out).not.toContain('\u001b');
});

it('lists what needs approval without opening it, until devdb trust has approved it', async () => {
  project = new FixtureProject();
  const secret = project.database(join(project.outside, 'secret.db'));
  symlinkSync(secret, join(project.root, 'app.db'));
  const before = await report();
  expect(before.code).toBe(1);
  expect(before.report.connections[0]).toMatchObject({ id: 'app.db', isDefault: false, test: { state: 'not-tried' } });
  const given = await devdb('trust', '--project', project.root);
  expect(given.out).toMatch(/Approved.*\n\s+app\.db\s+sqlite .*secret\.db.*the file is outside the project/);
  const after = await report();
  expect(after.code).toBe(0);
  expect(after.report.connections[0]).toMatchObject({ isDefault: true, test: WORKS });
  expect((await devdb('trust', '--project', project.root)).out).toContain(
    'Every database that needs an approval has one.',
  );
  expect((await devdb('trust', '--project', project.root, '--revoke')).out).toContain('No longer approved');
  expect((await report()).code).toBe(1);
});

it('a running sidecar opens an outside file only between approval and revocation', async () => {
  project = new FixtureProject();
  symlinkSync(project.database(join(project.outside, 'secret.db')), join(project.root, 'app.db'));
  const sidecar = await startSidecar({ home: project.home.dir, root: project.root });
  const tables = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${sidecar.token}` };
    return (await fetch(`http://127.0.0.1:${sidecar.port}/tables`, { headers })).status;
  };
  try {
    expect(await tables()).toBe(500);
    await devdb('trust', '--project', project.root);
    expect(await tables()).toBe(200);
    await devdb('trust', '--project', project.root, '--revoke');
    expect(await tables()).toBe(500);
  } finally {
    await sidecar.stop();
  }
  const trusting = await startSidecar({ home: project.home.dir, root: project.root, args: ['--trust'] });
  try {
    const headers = { authorization: `Bearer ${trusting.token}` };
    expect((await fetch(`http://127.0.0.1:${trusting.port}/tables`, { headers })).status).toBe(200);
    expect(readFileSync(project.home.trust, 'utf8')).not.toContain('secret.db');
  } finally {
    await trusting.stop();
  }
});

it('approves one connection by its id and refuses an unknown id', async () => {
  project = new FixtureProject();
  project.write('.devdbrc', '- {type: sqlite, path: ../outside/a.db}\n- {type: sqlite, path: ../outside/b.db}\n');
  const unknown = await devdb('trust', '--project', project.root, '--connection', 'nope');
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('No connection "nope"')]);
  expect(existsSync(project.home.trust)).toBe(false);
  await devdb('trust', '--project', project.root, '--connection', 'devdbrc:b.db');
  expect(readFileSync(project.home.trust, 'utf8')).toMatch(/b\.db/);
  expect(readFileSync(project.home.trust, 'utf8')).not.toMatch(/a\.db/);
  // By name, which every tool accepts.
  expect(await devdb('trust', '--project', project.root, '--connection', 'a.db')).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(project.home.trust, 'utf8')).toMatch(/a\.db/);
});

it("reports whether the project's window answers", async () => {
  project = new FixtureProject();
  project.database('app.db');
  expect((await report()).report.sidecar.state).toBe('not-registered');
  const sidecar = await startSidecar({ home: project.home.dir, root: project.root });
  try {
    expect((await report()).report.sidecar).toMatchObject({ state: 'alive', port: sidecar.port });
  } finally {
    await sidecar.stop('SIGKILL');
    await new Promise((resolve) =>
      sidecar.process.exitCode === null && sidecar.process.signalCode === null
        ? sidecar.process.once('exit', resolve)
        : resolve(undefined),
    );
  }
  const { code, report: said } = await report();
  expect([code, said.sidecar]).toEqual([0, expect.objectContaining({ state: 'silent', port: sidecar.port })]);
  expect(said.troubles.map(({ what }) => what).join()).toContain(`Port ${sidecar.port}`);
});

it('reports on the project even when files of the home are damaged, and names them', async () => {
  project = new FixtureProject();
  project.database('app.db');
  mkdirSync(project.home.dir);
  for (const file of [project.home.registry, project.home.token]) {
    writeFileSync(file, '{ "half', { mode: 0o600 });
    const { code, report: said } = await report();
    expect([code, said.sidecar.state, said.connections.length]).toEqual([0, 'unknown', 1]);
    expect(said.troubles.map(({ what }) => what).join()).toContain(file);
    rmSync(file);
  }
});

it('reports on the project even when the home is not a folder', async () => {
  project = new FixtureProject();
  project.database('app.db');
  writeFileSync(project.home.dir, 'a file where the folder should be');
  const { code, report: said } = await report();
  expect([code, said.connections.length]).toEqual([0, 1]);
  expect(said.troubles.map(({ what }) => what)).toContain(`${project.home.token} cannot be inspected.`);
});

const withModes = testWhere(process.platform !== 'win32', 'modes of files', 'Windows has none');

withModes('names files of the home that others may read', async () => {
  project = new FixtureProject();
  project.database('app.db');
  mkdirSync(project.home.dir);
  writeFileSync(project.home.token, 'f'.repeat(64), { mode: 0o644 });
  chmodSync(project.home.token, 0o644);
  const { report: said } = await report();
  expect(said.troubles).toContainEqual({
    what: expect.stringContaining('has mode 644'),
    next: `Run \`chmod 600 "${project.home.token}"\`.`,
  });
});

it('keeps passwords out of everything it says', async () => {
  project = new FixtureProject('env-production');
  const { out, err } = await devdb('doctor', '--project', project.root);
  const json = await devdb('doctor', '--project', project.root, '--json');
  expect(out + err + json.out + json.err).not.toContain('correct-horse');
  expect(out).toContain('db.example.com');
});
