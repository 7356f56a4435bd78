import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from './error-code.ts';
import { notLocal, readForeign, readForeignSync, readHeadSync } from './foreign-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'devdb-foreign-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a path written by others', () => {
  it.each([
    '\\\\host\\share',
    '//host/share',
    '\\/host/x',
    '\\\\?\\C:\\x',
    '\\\\.\\pipe\\x',
    'file:////host/x',
    'FILE:///x',
    'a\0b',
  ])('is not a file of this machine: %j', (path) => {
    expect(notLocal(path, 'linux')).toBeDefined();
    expect(notLocal(path, 'win32')).toBeDefined();
  });

  it.each(['CON', 'nul', 'C:\\x\\NUL.pem', 'a/com1', 'LPT9.txt', 'aux .pem', 'CONIN$', 'x.pem:stream', 'C:\\x:y'])(
    'is a device or a stream only on Windows: %s',
    (path) => {
      expect(notLocal(path, 'win32')).toBeDefined();
      expect(notLocal(path, 'linux')).toBeUndefined();
    },
  );

  it.each(['ca.pem', './a/b', '/etc/ssl/ca.pem', 'C:\\certs\\ca.pem', 'C:/certs/console.pem'])(
    'is a file: %s',
    (path) => {
      expect(notLocal(path, 'win32')).toBeUndefined();
    },
  );
});

describe('reading', () => {
  const both = async (path: string, max: number): Promise<unknown[]> => {
    const sync = (): Buffer => readForeignSync(path, max);
    const outcome = async (read: () => Buffer | Promise<Buffer>): Promise<unknown> => {
      try {
        return (await read()).toString('utf8');
      } catch (error) {
        return codeOf(error);
      }
    };
    return [await outcome(sync), await outcome(() => readForeign(path, max))];
  };

  it('returns the whole of a regular file, up to the limit', async () => {
    const file = join(folder, 'a');
    writeFileSync(file, 'x'.repeat(200_000));
    expect(await both(file, 200_000)).toEqual(['x'.repeat(200_000), 'x'.repeat(200_000)]);
    expect(await both(file, 199_999)).toEqual(['TOO_LARGE', 'TOO_LARGE']);
    expect(await both(join(folder, 'none'), 10)).toEqual(['ENOENT', 'ENOENT']);
    expect(readHeadSync(file, 3).head.toString()).toBe('xxx');
  });

  it('refuses folders, pipes and devices at once', async () => {
    mkdirSync(join(folder, 'folder'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    symlinkSync('/dev/zero', join(folder, 'zero'));
    expect(await both(join(folder, 'folder'), 10)).toEqual(['EISDIR', 'EISDIR']);
    expect(await both(join(folder, 'pipe'), 10)).toEqual(['NOT_REGULAR', 'NOT_REGULAR']);
    expect(await both(join(folder, 'zero'), 10)).toEqual(['NOT_REGULAR', 'NOT_REGULAR']);
  });

  it('counts bytes where a file system reports no size', async () => {
    const [one] = await both('/proc/self/maps', 100);
    expect(one).toBe(process.platform === 'linux' ? 'TOO_LARGE' : 'ENOENT');
  });
});

describe('a small file', () => {
  it('takes one read and no more room than it has', () => {
    const file = join(folder, 'small.json');
    writeFileSync(file, '{"a":1}');
    const rooms = jest.spyOn(Buffer, 'allocUnsafe');
    try {
      expect(readForeignSync(file, 1_000).toString()).toBe('{"a":1}');
      expect(rooms.mock.calls.filter(([bytes]) => bytes > 100)).toEqual([]);
      expect(rooms.mock.calls.filter(([bytes]) => bytes === 8)).toHaveLength(1);
    } finally {
      rooms.mockRestore();
    }
  });

  it.each(['', 'x', 'y'.repeat(70_000)])('is read whole, however long it is', async (text) => {
    const file = join(folder, 'whole.txt');
    writeFileSync(file, text);
    expect(readForeignSync(file, 100_000).toString()).toBe(text);
    expect((await readForeign(file, 100_000)).toString()).toBe(text);
  });
});
