import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allTools } from '@devdb/shared/tools';
import { stdioToolList } from '../../build/stdio-tools.ts';
import { TOOL_LIST_FILE, ToolList } from './tool-list.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-tools-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(list: unknown): void {
  writeFileSync(join(dir, TOOL_LIST_FILE), JSON.stringify(list));
}

it('lists what the definitions list, in order, with the read-only mark from their annotations', () => {
  expect(stdioToolList().map(({ name, toolset, readOnly }) => [name, toolset, readOnly])).toEqual(
    allTools.map(({ name, toolset, annotations }) => [name, toolset, annotations.readOnlyHint]),
  );
});

it('finds a tool by name and by alias, lists it once, and knows which are off', () => {
  const [first] = stdioToolList();
  write([
    { ...first, aliases: ['old-name'] },
    { ...first, name: 'other', toolset: 'ide' },
  ]);
  const list = new ToolList(dir, {});
  expect(JSON.parse(list.listJson('claude-code')).tools).toHaveLength(1);
  expect(list.find('old-name', 'claude-code')).toMatchObject({ tool: { name: first?.name }, on: true });
  expect(list.find('other', 'claude-code')).toMatchObject({ on: false });
  expect(list.find('toString', 'claude-code')).toBeUndefined();
});

it('offers nothing to an editor that has the tools from the extension, where a project’s .mcp.json started it', () => {
  const [first] = stdioToolList();
  write([first]);
  const name = first?.name ?? '';
  const fromFile = new ToolList(dir, { fromMcpJson: true });
  for (const editor of ['Visual Studio Code', 'Visual Studio Code - Insiders', 'code-server', 'VSCodium']) {
    expect([fromFile.listJson(editor), fromFile.find(name, editor)]).toEqual(['{"tools":[]}', undefined]);
    expect(new ToolList(dir, {}).find(name, editor)).toMatchObject({ on: true });
  }
  for (const other of ['claude-code', 'cursor-vscode', '']) {
    expect(fromFile.find(name, other)).toMatchObject({ on: true });
    expect(fromFile.listJson(other)).toContain(`"${name}"`);
  }
});

it('reads the file on first use and not again', () => {
  const list = new ToolList(dir, {});
  write(stdioToolList());
  const before = list.listJson('claude-code');
  write([]);
  expect(list.listJson('claude-code')).toBe(before);
});

it.each([[{}], [[{ name: 'x' }]], [[5]]])('refuses %j as a list', (content) => {
  write(content);
  expect(() => new ToolList(dir, {}).listJson('')).toThrow(/is not a list of tools/);
});

it('lists what looks back only to a client that names it or loads definitions when it needs them, and finds it for all', () => {
  write(stdioToolList());
  const lists = (toolsets: readonly string[] | undefined, client: string) =>
    new ToolList(dir, { toolsets }).listJson(client).includes('"dap_logs"');
  expect([lists(undefined, 'claude-code'), lists(undefined, 'cursor-vscode')]).toEqual([true, false]);
  expect([lists(['debug'], 'cursor-vscode'), lists(['trace'], 'x'), lists(['database'], 'claude-code')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(new ToolList(dir, {}).find('dap_logs', 'cursor-vscode')).toMatchObject({ on: true });
  expect(new ToolList(dir, { toolsets: ['database'] }).find('dap_logs', 'claude-code')).toMatchObject({ on: false });
});
