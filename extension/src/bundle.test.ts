import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const DIST = join(__dirname, '..', 'dist');
/** The file that the editor loads, and the one with all the rest. */
const FIRST = 'extension.js';
const REST = 'main.js';

/** Loads the extension in a process of its own: the type of `activate`, whether schemas came along, what was touched. */
async function load(dist: string): Promise<[string, boolean, string[]]> {
  // The schema library marks the globals of the process that loads it.
  const script = `
    const touched = [];
    const vscode = new Proxy({}, { get: (_, name) => (touched.push(name), new Proxy({}, { get: () => 0 })) });
    require('node:module')._load = ((load) => (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest)))(
      require('node:module')._load,
    );
    const { activate } = require(${JSON.stringify(join(dist, FIRST))});
    process.stdout.write(JSON.stringify([typeof activate, '__zod_globalConfig' in globalThis, touched]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  return JSON.parse(stdout);
}

describe("the extension's bundle", () => {
  const text = readFileSync(join(DIST, REST), 'utf8');
  const required = [...text.matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, name]) =>
    String(name).replace(/^node:/, ''),
  );

  test('needs only the editor and parts of Node: no driver, no MCP SDK, no HTTP server', () => {
    expect(required).toContain('vscode');
    const foreign = required.filter((name) => name !== 'vscode' && !builtinModules.includes(name));
    expect(foreign).toEqual([]);
    expect(required.filter((name) => /^(http|https|http2)$/.test(name))).toEqual([]);
    for (const word of ['better-sqlite3', 'modelcontextprotocol']) expect(text).not.toContain(word);
  });

  test('asks for the API of the editor in one place, and copies nothing of it', () => {
    expect(required.filter((name) => name === 'vscode')).toHaveLength(1);
    expect(text).not.toMatch(/__toESM\((require\("vscode"\)|require_editor_api\()/);
  });

  test('evaluates no schema, pipe or handler when it is loaded', async () => {
    const [activate, hasSchemas, touched] = await load(DIST);
    expect([activate, hasSchemas]).toEqual(['function', false]);
    expect(text).toContain('__zod_globalConfig');
    // The code behind the editor's tools reads constants from the editor when it is loaded.
    expect(touched).not.toContain('ConfigurationTarget');
    expect(text).toContain('ConfigurationTarget.Global');
  });

  test('is loaded as compiled at an earlier start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'devdb-bundle-'));
    try {
      for (const file of [FIRST, REST]) cpSync(join(DIST, file), join(folder, file));
      const first = await load(folder);
      expect(readdirSync(join(folder, 'cache'))).toEqual([expect.stringMatching(/^main\.js-/)]);
      await expect(load(folder)).resolves.toEqual(first);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
