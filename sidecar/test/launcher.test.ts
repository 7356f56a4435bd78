import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const STUB = `exports.main = ({ bundleDir, argv }) => console.log(JSON.stringify({
  bundleDir, argv, nodeOptions: process.env.NODE_OPTIONS ?? null, home: process.env.DEVDB_HOME }));`;

let built = '';
let dir = '';

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'devdb-launcher-built-'));
  await build({
    entryPoints: [join(__dirname, '..', 'src', 'entries', 'launcher.ts')],
    outfile: join(built, 'launcher.js'),
    bundle: true,
    platform: 'node',
    target: 'node18',
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
  });
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'devdb-launcher-')));
  mkdirSync(join(dir, 'bin'));
  copyFileSync(join(built, 'launcher.js'), launcher());
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const launcher = () => join(dir, 'bin', 'devdb-mcp.cjs');

/** Puts a copy with this stdio entry into the home. */
function copy(name: string, entry: string | undefined = STUB, modified?: Date): string {
  const folder = join(dir, 'versions', name);
  mkdirSync(folder, { recursive: true });
  if (entry !== '') writeFileSync(join(folder, 'mcp-stdio.js'), entry);
  if (modified) utimesSync(folder, modified, modified);
  return folder;
}

function run(options: { args?: string[]; node?: string[]; env?: Record<string, string> } = {}) {
  const { DEVDB_HOME: _home, NODE_OPTIONS: _options, ...env } = process.env;
  const done = spawnSync(process.execPath, [...(options.node ?? []), launcher(), ...(options.args ?? [])], {
    encoding: 'utf8',
    env: { ...env, ...options.env },
  });
  const said: unknown = done.stdout === '' ? undefined : JSON.parse(done.stdout);
  return { code: done.status, said, stderr: done.stderr };
}

test('without an installed copy it says so in a sentence and ends with 1', () => {
  const { code, said, stderr } = run();
  expect([code, said]).toEqual([1, undefined]);
  expect(stderr).toBe(
    `DevDB is not installed: ${join(dir, 'versions')} holds no copy of it that can be started. Open a project in VS Code with the DevDB extension, or run \`devdb serve --project DIR\` once, and start this again.\n`,
  );
});

test('silently starts the newest version with its arguments', () => {
  copy('1.9.0-aaaaaaaaaaaa');
  const newest = copy('1.10.0-bbbbbbbbbbbb');
  copy('1.10.0-beta.2-cccccccccccc');
  copy('not a copy');
  const { code, said, stderr } = run({ args: ['--toolsets', 'database'] });
  expect([code, stderr]).toEqual([0, '']);
  expect(said).toMatchObject({ bundleDir: newest, argv: ['--toolsets', 'database'] });
});

test('among copies of one version it starts the one installed last', () => {
  copy('1.1.0-aaaaaaaaaaaa', STUB, new Date(2_000_000));
  const last = copy('1.1.0-bbbbbbbbbbbb', STUB, new Date(3_000_000));
  copy('1.1.0-cccccccccccc', STUB, new Date(1_000_000));
  expect(run().said).toMatchObject({ bundleDir: last });
});

test.each([
  ['is missing', ''],
  ['does not parse', 'exports.main = ('],
  ['throws while it loads', 'throw new Error("broken")'],
  ['has no main', 'exports.other = 1'],
])('when the entry of the newest copy %s, it says so and starts the next one', (_how, entry) => {
  const older = copy('1.1.0-aaaaaaaaaaaa');
  copy('1.2.0-bbbbbbbbbbbb', entry);
  const { code, said, stderr } = run();
  expect(code).toBe(0);
  expect(said).toMatchObject({ bundleDir: older });
  expect(stderr).toContain('DevDB 1.2.0');
  expect(stderr).toContain('trying an older copy');
});

test('Node options in the environment do not reach what it starts', () => {
  copy('1.1.0-aaaaaaaaaaaa');
  expect(run({ env: { NODE_OPTIONS: '--no-warnings' } }).said).toMatchObject({ nodeOptions: null });
});

test('serves the home it is in, unless another one is named', () => {
  copy('1.1.0-aaaaaaaaaaaa');
  expect(run().said).toMatchObject({ home: dir });
  expect(run({ env: { DEVDB_HOME: '/elsewhere' } }).said).toMatchObject({ home: '/elsewhere' });
});

test('on too old a Node it says what it needs, and loads nothing before', () => {
  copy('1.1.0-aaaaaaaaaaaa');
  const pretend = join(dir, 'pretend.cjs');
  writeFileSync(
    pretend,
    `Object.defineProperty(process, 'version', { value: 'v16.20.2' });
     const Module = require('module');
     const load = Module._load;
     Module._load = (id, ...rest) => { if (id.startsWith('node:')) throw new Error('loaded ' + id); return load(id, ...rest); };`,
  );
  const { code, said, stderr } = run({ node: ['--require', pretend] });
  expect([code, said]).toEqual([1, undefined]);
  expect(stderr).toMatch(/^DevDB needs Node 18 or newer, and this is Node v16\.20\.2\..*\n$/);
});

describe('compiled code', () => {
  const cacheFile = () => {
    const folder = join(dir, 'versions', '1.1.0-aaaaaaaaaaaa', 'cache');
    const names = readdirSync(folder);
    expect(names).toHaveLength(1);
    return join(folder, names[0] ?? '');
  };

  test('is stored after the first run and used by the second', () => {
    copy('1.1.0-aaaaaaaaaaaa');
    run();
    const past = new Date(1_000_000);
    utimesSync(cacheFile(), past, past);
    expect(run().code).toBe(0);
    // A cache that V8 refused would have been written again.
    expect(statSync(cacheFile()).mtimeMs).toBe(past.getTime());
    expect(statSync(cacheFile()).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['truncated', (code: Buffer) => code.subarray(0, code.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    [
      'flipped in one bit',
      (code: Buffer) => Buffer.from(code.map((byte, at) => (at === code.length - 40 ? byte ^ 1 : byte))),
    ],
    ['replaced by noise', (code: Buffer) => Buffer.from(code.map((_, at) => (at * 31) % 251))],
  ])('that was %s is not run, and made again', (_how, harm) => {
    copy('1.1.0-aaaaaaaaaaaa');
    run();
    const whole = readFileSync(cacheFile());
    writeFileSync(cacheFile(), harm(whole));
    expect(run()).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(cacheFile()).length).toBe(whole.length);
  });

  test('for a different text of the same length is not run', () => {
    const say = (word: string) => `exports.main = () => console.log(JSON.stringify('${word}'));`;
    copy('1.1.0-aaaaaaaaaaaa', say('one'));
    expect(run().said).toBe('one');
    copy('1.1.0-aaaaaaaaaaaa', say('two'));
    expect(run().said).toBe('two');
  });

  test('that cannot be written is not needed', () => {
    const folder = copy('1.1.0-aaaaaaaaaaaa');
    writeFileSync(join(folder, 'cache'), 'not a folder');
    expect(run()).toMatchObject({ code: 0, stderr: '' });
  });
});
