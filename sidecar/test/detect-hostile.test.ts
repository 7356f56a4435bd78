import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { describeUnless } from '../../fixtures/labs/needs.ts';
import { FixtureProject } from './helpers/fixture-project.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';

const answerSchema = z.object({
  ok: z.boolean(),
  data: z
    .object({
      connections: z.array(z.object({ id: z.string(), isDefault: z.boolean() })).default([]),
      skipped: z.array(z.object({ file: z.string(), reason: z.string() })).default([]),
    })
    .optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

let project: FixtureProject;
let sidecar: RunningSidecar;

beforeEach(() => {
  project = new FixtureProject();
});
afterEach(async () => {
  await sidecar?.stop();
  project.remove();
});

async function start(): Promise<void> {
  sidecar = await startSidecar({ home: project.home.dir, root: project.root });
}

async function call(tool: string, input: object): Promise<z.infer<typeof answerSchema>> {
  const response = await fetch(`http://127.0.0.1:${sidecar.port}/tools/${tool}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sidecar.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  return answerSchema.parse(await response.json());
}

/** How often /health was answered while the other request was pending. */
async function healthWhile(pending: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  pending.then(over, over);
  for (let answered = 0; ; answered += 1) {
    const { status } = await fetch(`http://127.0.0.1:${sidecar.port}/health`);
    if (isOver) return answered;
    expect(status).toBe(200);
  }
}

/** Settings that are slow to read, in as many folders as are searched. */
function manyLargeFiles(): void {
  const yaml = Array.from({ length: 18_000 }, (_, at) => `k${at}: v${at}\n`).join('');
  for (let i = 0; i < 110; i += 1) project.write(`apps/a${i}/compose.yaml`, yaml);
}

it('answers /health while hostile settings are read, and lists what was found before they took too long', async () => {
  project.write('.env', 'DATABASE_URL=sqlite:app.db\n');
  project.database('app.db');
  manyLargeFiles();
  await start();
  const list = call('list-connections', {});
  expect(await healthWhile(list)).toBeGreaterThan(20);
  const { data } = await list;
  expect(data?.connections).toContainEqual({ id: 'env:DATABASE_URL', isDefault: true });
  expect(data?.skipped).toContainEqual({
    file: expect.stringMatching(/^apps\/a\d+\/compose\.yaml$/),
    reason: expect.stringContaining('took longer than 5 seconds'),
  });
  // A known result is not detected again.
  expect((await call('get-tables', {})).ok).toBe(true);
});

const notHere = process.platform === 'win32' ? 'Windows has no pipes and devices among its files' : undefined;

describeUnless(notHere, 'pipes and devices in place of settings', () => {
  const PIPES = [
    '.devdbrc',
    '.env',
    'compose.yaml',
    '.mcp.json',
    'appsettings.json',
    'app.db',
    'config/database.yml',
    'prisma/schema.prisma',
    '.devdb/tools/a.meta.yaml',
  ];

  it.each(['a pipe', 'a link to /dev/zero', 'a folder'])('block nothing in place of settings: %s', async (what) => {
    for (const file of PIPES) {
      const path = join(project.root, file);
      mkdirSync(join(path, '..'), { recursive: true });
      if (what === 'a pipe') execFileSync('mkfifo', [path]);
      else if (what === 'a folder') mkdirSync(path);
      else symlinkSync('/dev/zero', path);
    }
    for (const file of ['Gemfile', 'artisan', 'manage.py']) project.write(file, '');
    await start();
    const { data } = await call('list-connections', {});
    expect(data?.skipped.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['.devdbrc', ...(what === 'a folder' ? [] : ['.env'])]),
    );
    expect(data?.skipped.filter(({ reason }) => reason.includes('took longer'))).toEqual([]);
    expect((await call('list-project-tools', {})).ok).toBe(true);
  });

  it.each([
    'pipe.pem',
    '/dev/zero',
    'zero.pem',
    '/proc/kmsg',
    '//host/share/ca.pem',
    '\\\\host\\ca.pem',
    'folder.pem',
    'file:///etc/passwd',
  ])('block nothing in place of a certificate: %s', async (named) => {
    execFileSync('mkfifo', [join(project.root, 'pipe.pem')]);
    symlinkSync('/dev/zero', join(project.root, 'zero.pem'));
    mkdirSync(join(project.root, 'folder.pem'));
    const common = { host: '127.0.0.1', port: 1, username: 'u', database: 'd' };
    const entries = ['postgres', 'mysql', 'mssql'].map((type) => ({
      ...common,
      type,
      name: type,
      options: { ca: named, ssl: { key: named } },
    }));
    project.write('.devdbrc', JSON.stringify(entries));
    await start();
    for (const connection of ['postgres', 'mysql', 'mssql']) {
      const query = call('get-tables', { connection });
      expect(await healthWhile(query)).toBeGreaterThanOrEqual(0);
      const { error } = await query;
      expect(error?.code).toBe('E_NO_CONNECTION');
      expect(error?.message).toMatch(/outside the project|names (is|another|lies|cannot)|option \w+/);
    }
  });
});
