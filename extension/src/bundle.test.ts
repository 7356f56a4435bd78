import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

describe("the extension's bundle", () => {
  const text = readFileSync(join(__dirname, '..', 'dist', 'extension.js'), 'utf8');
  const required = [...text.matchAll(/\brequire\(["']([^"']+)["']\)/g)].map(([, name]) =>
    String(name).replace(/^node:/, ''),
  );

  test('needs the editor and parts of Node alone: no driver, no MCP SDK, no HTTP server', () => {
    expect(required).toContain('vscode');
    const foreign = required.filter((name) => name !== 'vscode' && !builtinModules.includes(name));
    expect(foreign).toEqual([]);
    expect(required.filter((name) => /^(http|https|http2)$/.test(name))).toEqual([]);
    for (const word of ['better-sqlite3', 'modelcontextprotocol']) expect(text).not.toContain(word);
  });
});
