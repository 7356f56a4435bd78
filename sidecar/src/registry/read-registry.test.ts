import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RegistryReader, readRegistry, UnreadableRegistry } from './read-registry.ts';

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

describe('a reader that is asked for every call', () => {
  // Only then is a file old enough to be told apart from one that changes again.
  const later = () => jest.useFakeTimers({ now: Date.now() + 60_000, doNotFake: ['performance'] });
  afterEach(() => jest.useRealTimers());

  function replace(text: string): void {
    writeFileSync(`${registry()}.new`, text);
    renameSync(`${registry()}.new`, registry());
  }

  test('sees each of many changes that follow at once, also where the size stays', () => {
    const reader = new RegistryReader({ registry: registry() });
    for (let port = 50_001; port < 50_300; port += 1) {
      replace(`{"/a":${port}}`);
      expect([reader.read(), reader.read()]).toEqual([{ '/a': port }, { '/a': port }]);
    }
  });

  test('takes a file that has not changed for a while from memory, and sees when it does', () => {
    const reader = new RegistryReader({ registry: registry() });
    replace('{"/a":50001}');
    later();
    const first = reader.read();
    expect(reader.read()).toBe(first);
    replace('{"/a":50002}');
    expect(reader.read()).toEqual({ '/a': 50_002 });
    writeFileSync(registry(), '{ "/a": 50003 }');
    expect(reader.read()).toEqual({ '/a': 50_003 });
    rmSync(registry());
    expect(reader.read()).toEqual({});
    replace('{');
    expect(() => reader.read()).toThrow(UnreadableRegistry);
    replace('{"/a":50004}');
    expect(reader.read()).toEqual({ '/a': 50_004 });
  });
});
