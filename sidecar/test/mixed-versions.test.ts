import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleSidecar } from '../build/bundle.ts';
import { startSidecar } from './helpers/start-sidecar.ts';
import { StdioClient } from './helpers/stdio-client.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

const OLDER = '1.1.0';
const NEWER = '1.2.0';
const BUILD_MS = 60_000;

let bundles: string;
let project: TempProject;

beforeAll(async () => {
  bundles = mkdtempSync(join(tmpdir(), 'devdb-versions-'));
  for (const version of [OLDER, NEWER]) await bundleSidecar({ outDir: join(bundles, version), version });
  const list = join(bundles, NEWER, 'stdio-tools.json');
  writeFileSync(list, JSON.stringify([...JSON.parse(readFileSync(list, 'utf8')), futureTool()]));
}, BUILD_MS);

afterAll(() => rmSync(bundles, { recursive: true, force: true }));

beforeEach(() => {
  project = tempProject();
  project.database('a.sqlite', 'CREATE TABLE t (x); INSERT INTO t VALUES (1)');
});

afterEach(() => project.remove());

/** A tool as a later version would list it. */
function futureTool() {
  const json = JSON.stringify({ name: 'future-tool', inputSchema: { type: 'object' } });
  return { name: 'future-tool', aliases: [], toolset: 'database', readOnly: true, json };
}

async function together(entry: string, sidecarVersion: string, act: (client: StdioClient) => Promise<void>) {
  const cli = join(bundles, sidecarVersion, 'cli.js');
  const sidecar = await startSidecar({ home: project.home, root: project.root, cli });
  const client = await StdioClient.connect({ bundleDir: join(bundles, entry), home: project.home });
  try {
    await act(client);
  } finally {
    await client.end();
    await sidecar.stop();
  }
}

it.each([
  [OLDER, NEWER],
  [NEWER, OLDER],
])('an entry of %s works with a sidecar of %s', async (entry, sidecarVersion) => {
  await together(entry, sidecarVersion, async (client) => {
    const initialized = await client.request('initialize', { protocolVersion: '2025-11-25' });
    expect(initialized['result']).toMatchObject({ serverInfo: { version: entry } });
    const { projectRoot } = { projectRoot: project.root };
    expect(await client.call('get-tables', { projectRoot })).toMatchObject({ text: '["t"]', isError: false });
    const { structured } = await client.call('run-query', { projectRoot, query: 'SELECT x FROM t' });
    expect(structured).toMatchObject({ ok: true, data: { rows: [[1]] } });
    const { error } = await client.call('run-query', { projectRoot, query: 'SELECT y FROM t' });
    expect(error).toMatchObject({ code: 'E_SQL', message: expect.stringContaining('no such column') });
  });
});

it('an input that only the other version knows is refused there, by name', async () => {
  await together(NEWER, OLDER, async (client) => {
    const input = { projectRoot: project.root, query: 'SELECT 1', futureField: true };
    expect((await client.call('run-query', input)).error).toMatchObject({
      code: 'E_INVALID_PARAMS',
      message: expect.stringContaining('futureField'),
    });
  });
});

it('a tool that the older side lacks is answered with both versions and what to do', async () => {
  await together(NEWER, OLDER, async (client) => {
    const { error, text } = await client.call('future-tool', { projectRoot: project.root });
    expect(error).toMatchObject({ code: 'E_UNKNOWN_TOOL', hint: expect.stringContaining('Reload that window') });
    for (const part of [OLDER, NEWER, 'future-tool']) expect(text).toContain(part);
  });
});

it('a sidecar that was replaced by another version is found again in the same session', async () => {
  const client = await StdioClient.connect({ bundleDir: join(bundles, OLDER), home: project.home });
  for (const version of [OLDER, NEWER]) {
    const cli = join(bundles, version, 'cli.js');
    const sidecar = await startSidecar({ home: project.home, root: project.root, cli });
    expect((await client.call('get-tables', { projectRoot: project.root })).text).toBe('["t"]');
    await sidecar.stop();
    expect((await client.call('get-tables', { projectRoot: project.root })).error['code']).toBe('E_PROJECT_NOT_OPEN');
  }
  expect(await client.end()).toBe(0);
});
