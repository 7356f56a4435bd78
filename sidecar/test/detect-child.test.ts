import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testWhere } from '../../fixtures/labs/needs.ts';
import { type ChildOptions, detectInChild } from '../src/detection/child/detect-in-child.ts';
import { FixtureProject } from './helpers/fixture-project.ts';
import { DIST } from './helpers/start-sidecar.ts';

const NOTHING = { found: [], skipped: [] };
let project: FixtureProject;
let folder: string;

beforeEach(() => {
  project = new FixtureProject();
  folder = mkdtempSync(join(tmpdir(), 'devdb-child-'));
});
afterEach(() => {
  project.remove();
  rmSync(folder, { recursive: true, force: true });
});

function options(more: Partial<ChildOptions> = {}): ChildOptions {
  return { bundleDir: DIST, projectRoot: project.root, env: {}, insideContainer: false, log: () => undefined, ...more };
}

/** A child that misbehaves after it has reported a database and its file. */
function misbehaving(code: string): ChildOptions {
  writeFileSync(
    join(folder, 'detection-child.js'),
    `const found = { id: 'x', name: 'x', kind: 'sqlite', target: { file: '/x' }, outsideFiles: [], source: { file: 'x', by: 'y' }, priority: 1, outside: false, shown: 'x' };
process.send({ kind: 'part', part: { found: [found], skipped: [], pinned: undefined, traces: [] } });
process.send({ kind: 'at', detector: 'dotnet', file: 'appsettings.json' });
${code}`,
  );
  return options({ bundleDir: folder, timeoutMs: 1_500 });
}

const onUnix = testWhere(process.platform !== 'win32', 'sockets of container daemons', 'Windows has no such sockets');

describe('detection in its process', () => {
  it('finds what detection finds, and passwords survive the transfer', async () => {
    project.write('.env', 'DATABASE_URL=postgres://u:hunter2@127.0.0.1/d\n');
    project.database('app.db');
    const { found, traces } = await detectInChild(options(), NOTHING);
    expect(found.map(({ id }) => id)).toEqual(['env:DATABASE_URL', 'app.db']);
    const [first] = found;
    expect(first && 'password' in first.target ? first.target.password?.open() : '').toBe('hunter2');
    expect(JSON.stringify(found)).not.toContain('hunter2');
    expect(traces.length).toBeGreaterThan(3);
  });

  onUnix('asks the container daemon that it was given', async () => {
    project.write('.ddev/config.yaml', 'name: site\n');
    const labels = {
      'com.docker.compose.service': 'db',
      'com.ddev.site-name': 'site',
      'com.ddev.approot': project.root,
    };
    const port = { PrivatePort: 3306, PublicPort: 32_770, Type: 'tcp' };
    const daemon = createServer((_request, response) =>
      response.end(JSON.stringify([{ Labels: labels, Ports: [port] }])),
    );
    const socket = join(folder, 'd.sock');
    await new Promise<void>((resolve) => daemon.listen(socket, resolve));
    try {
      const containers = { sockets: [socket], timeoutMs: 60_000 };
      const { found, askedContainers } = await detectInChild(options({ containers, timeoutMs: 60_000 }), NOTHING);
      expect(found.map(({ id, shown }) => `${id} ${shown}`)).toEqual(['ddev:db 127.0.0.1:32770/db']);
      expect(askedContainers).toBe(true);
    } finally {
      await new Promise((resolve) => daemon.close(resolve));
    }
  });

  it.each([
    ['loops for ever', 'for (;;);', /took longer than 1.5 seconds/],
    ['waits for ever', 'setInterval(() => 0, 1000);', /took longer than 1.5 seconds/],
    ['throws', 'throw new Error("hunter2");', /ended the search \(code 1\)/],
    ['fills its memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()));', /ended the search/],
    ['ends', 'setImmediate(() => process.exit(0));', /ended the search/],
  ])('that %s keeps what was found by then, and reports in which file it stopped', async (_what, code, why) => {
    const { found, skipped } = await detectInChild(misbehaving(code), NOTHING);
    expect(found.map(({ id }) => id)).toEqual(['x']);
    const reason = expect.stringMatching(why);
    // What it would have said of the application is unknown, so nothing else becomes the default for lack of it.
    expect(skipped).toEqual([{ file: 'appsettings.json', reason, mistake: true, unread: 'settings' }]);
    expect(skipped[0]?.reason).toContain('in the detector dotnet');
    expect(skipped[0]?.reason).not.toContain('hunter2');
  });
});
