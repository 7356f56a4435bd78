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

it('lists what the definitions list, in their order, with the read-only mark of their annotations', () => {
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
  expect(JSON.parse(list.listJson()).tools).toHaveLength(1);
  expect(list.find('old-name')).toMatchObject({ tool: { name: first?.name }, on: true });
  expect(list.find('other')).toMatchObject({ on: false });
  expect(list.find('toString')).toBeUndefined();
});

it('reads the file at the first use and not again', () => {
  const list = new ToolList(dir, {});
  write(stdioToolList());
  const before = list.listJson();
  write([]);
  expect(list.listJson()).toBe(before);
});

it.each([[{}], [[{ name: 'x' }]], [[5]]])('refuses %j as a list', (content) => {
  write(content);
  expect(() => new ToolList(dir, {}).listJson()).toThrow(/is not a list of tools/);
});
