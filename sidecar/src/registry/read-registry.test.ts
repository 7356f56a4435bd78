import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRegistry, UnreadableRegistry } from './read-registry.ts';

let dir = '';
const registry = () => join(dir, 'mcp.json');

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-read-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('no file means that no project is open', () => {
  expect(readRegistry({ registry: registry() })).toEqual({});
});

test('gives the ports by root, even from a file that an editor wrote with a byte order mark', () => {
  writeFileSync(registry(), '\ufeff{"/a b": 50001, "/ä": 65535}');
  expect(readRegistry({ registry: registry() })).toEqual({ '/a b': 50001, '/ä': 65535 });
});

test.each(['', '{', '[]', 'null', '7', '{"/a": "50001"}', '{"/a": 0}', '{"/a": 65536}', '{"/a": 1.5}', '{"/a": null}'])(
  '%j is refused, naming the file',
  (text) => {
    writeFileSync(registry(), text);
    expect(() => readRegistry({ registry: registry() })).toThrow(UnreadableRegistry);
    expect(() => readRegistry({ registry: registry() })).toThrow(registry());
  },
);

test('an unreadable file has its own error', () => {
  mkdirSync(registry());
  expect(() => readRegistry({ registry: registry() })).toThrow(
    expect.objectContaining({ name: 'UnreadableFile', message: `${registry()} cannot be read (EISDIR).` }),
  );
});
