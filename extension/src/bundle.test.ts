import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const FILE = join(__dirname, '..', 'dist', 'extension.js');

describe("the extension's bundle", () => {
  const text = readFileSync(FILE, 'utf8');
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
    // The schema library marks the globals of the process that loads it.
    const script = `
      const touched = [];
      const vscode = new Proxy({}, { get: (_, name) => (touched.push(name), new Proxy({}, { get: () => 0 })) });
      require('node:module')._load = ((load) => (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest)))(
        require('node:module')._load,
      );
      const { activate } = require(${JSON.stringify(FILE)});
      process.stdout.write(JSON.stringify([typeof activate, '__zod_globalConfig' in globalThis, touched]));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
    const [activate, hasSchemas, touched] = JSON.parse(stdout);
    expect([activate, hasSchemas]).toEqual(['function', false]);
    expect(text).toContain('__zod_globalConfig');
    // The code behind the editor's tools reads constants from the editor when it is loaded.
    expect(touched).not.toContain('ConfigurationTarget');
    expect(text).toContain('ConfigurationTarget.Global');
  });
});
