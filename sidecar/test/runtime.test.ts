import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rest } from './helpers/clients.ts';
import { oldestNode } from './helpers/oldest-node.ts';
import { CLI, DIST, type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

let project: TempProject;
let running: RunningSidecar[];

beforeEach(() => {
  running = [];
  project = tempProject();
  project.database('app.db', 'CREATE TABLE t (x)');
});

afterEach(async () => {
  await Promise.all(running.map((sidecar) => sidecar.stop()));
  project.remove();
});

async function serve(cli = CLI, env: Readonly<Record<string, string>> = {}): Promise<RunningSidecar> {
  const sidecar = await startSidecar({ home: project.home, root: project.root, cli, env });
  running.push(sidecar);
  return sidecar;
}

const copies = () => readdirSync(join(project.home, 'versions')).filter((name) => /-[0-9a-f]{12}$/.test(name));

test.each([
  ['serve', '--project', '.'],
  ['doctor', '--project', '.'],
  ['status'],
  ['setup', 'claude'],
  ['trust', '--project', '.'],
  ['role', '--print'],
  ['--version'],
])('devdb %s says in one sentence that its Node is too old, and ends with 1', async (...words) => {
  const env = { ...process.env, DEVDB_HOME: project.home };
  const { status, stdout, stderr } = spawnSync(await oldestNode(), [CLI, ...words], { env, encoding: 'utf8' });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^DevDB needs Node 22 or newer, and this is Node v18\..*\n$/);
});

test("Node options in the environment do not reach a sidecar's own processes", async () => {
  const marks = join(project.home, '..', 'marks');
  const preload = join(project.home, '..', 'preload.cjs');
  writeFileSync(preload, `require('node:fs').appendFileSync(${JSON.stringify(marks)}, process.pid + '\\n');`);
  const sidecar = await serve(CLI, { NODE_OPTIONS: `--require=${preload}` });
  expect((await rest(sidecar, 'GET', '/tables')).body).toEqual({ tables: ['t'] });
  expect(readFileSync(marks, 'utf8')).toBe(`${sidecar.pid}\n`);
});

test("another build's copy stays while a process runs from it, and is removed at the next start after that", async () => {
  const other = join(project.home, '..', 'other build');
  cpSync(DIST, other, { recursive: true });
  writeFileSync(join(other, 'of-another-build'), '');
  const first = await serve(join(other, 'cli.js'));
  const [old] = copies();
  const second = await serve();
  expect(copies()).toHaveLength(2);
  expect((await rest(first, 'GET', '/tables')).status).toBe(200);
  await first.stop();
  await second.stop();
  await serve();
  expect(copies()).toHaveLength(1);
  expect(copies()).not.toContain(old);
});
