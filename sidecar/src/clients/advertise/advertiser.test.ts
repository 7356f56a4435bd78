import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { AdvertiseLab, type LabProcess } from '../../../test/helpers/advertise-lab.ts';
import { jsoncDocument } from '../../../test/helpers/jsonc-documents.ts';

let lab: AdvertiseLab;
let window: LabProcess;

beforeEach(async () => {
  lab = new AdvertiseLab();
  window = await lab.process();
});

afterEach(() => lab.remove());

const stdio = () => ({ type: 'stdio', command: 'node', args: [lab.launcher, '--from-mcp-json'] });
const servers = () => JSON.parse(lab.read()).mcpServers;

describe('a project without .mcp.json', () => {
  it('has one while it is open, and none afterwards', async () => {
    await window.show();
    expect(JSON.parse(lab.read())).toEqual({ mcpServers: { devdb: stdio() } });
    await window.hide();
    expect(readdirSync(lab.root)).toEqual([]);
  });

  it('has none when the setting is off, and loses it when that is switched off', async () => {
    await window.show({ entry: 'off' });
    expect(existsSync(lab.file)).toBe(false);
    await window.show();
    expect(existsSync(lab.file)).toBe(true);
    await window.show({ entry: 'off' });
    expect(existsSync(lab.file)).toBe(false);
  });

  it('has none in an untrusted workspace', async () => {
    await window.show({ trusted: false });
    expect(existsSync(lab.file)).toBe(false);
    await window.show({ trusted: true });
    expect(existsSync(lab.file)).toBe(true);
  });

  it('is left alone when its folder is not writable, and only the log says so', async () => {
    chmodSync(lab.root, 0o555);
    await lab.asAnotherUser(() => window.show());
    expect(window.events).toEqual([
      {
        event: 'mcp-json-left-alone',
        facts: { root: lab.root, error: expect.objectContaining({ code: 'EACCES' }) },
      },
    ]);
    expect(window.problems).toEqual([]);
    await window.hide();
  });

  it('is left alone when its folder is gone', async () => {
    rmSync(lab.root, { recursive: true });
    await window.show();
    expect(window.events).toContainEqual({
      event: 'mcp-json-left-alone',
      facts: expect.objectContaining({ root: lab.root }),
    });
    expect(window.problems).toEqual([]);
    await window.hide();
  });

  it('gets the editor’s own runtime where PATH has no node', async () => {
    const bare = await lab.process({ ...lab.env, PATH: lab.base });
    await bare.show();
    expect(servers().devdb).toEqual({
      type: 'stdio',
      command: '/editor/code',
      args: [lab.launcher, '--from-mcp-json'],
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
  });
});

describe('an existing .mcp.json', () => {
  it('keeps comments, line breaks, byte order mark, indentation and order, and is restored byte for byte', async () => {
    const text =
      '\ufeff// ours\r\n{\r\n\t"z": 1,\r\n\t"mcpServers": {\r\n\t\t"b": { "command": "x" }, // first\r\n\t\t"a": {}\r\n\t},\r\n\t"y": [1 , 2]\r\n}';
    lab.write('.mcp.json', text);
    await window.show();
    const open = lab.read();
    expect(open.startsWith('\ufeff// ours\r\n{\r\n\t"z": 1,')).toBe(true);
    expect(open.replaceAll('\r\n', '')).not.toContain('\n');
    expect(open).toContain('"b": { "command": "x" }, // first\r\n');
    expect(open).toContain('\t\t"devdb": {\r\n\t\t\t"type": "stdio"');
    await window.hide();
    expect(lab.read()).toBe(text);
  });

  it('keeps the comments in an empty list of servers', async () => {
    const text = '{"mcpServers": {\n  // none yet\n}}\n';
    lab.write('.mcp.json', text);
    await window.show();
    expect(lab.read()).toContain('// none yet');
    await window.hide();
    expect(lab.read()).toBe(text);
  });

  it.each(['{}', '{ }\n', '{"mcpServers":{}}', '', '\n', '{\n  "other": 1\n}\n'])(
    'is %j again afterwards',
    async (text) => {
      lab.write('.mcp.json', text);
      await window.show();
      expect(servers().devdb).toEqual(stdio());
      await window.hide();
      expect(lab.read()).toBe(text);
    },
  );

  it('is not written when its content is already right', async () => {
    await window.show();
    const old = new Date(2001, 1, 1);
    utimesSync(lab.file, old, old);
    const other = await lab.process();
    await other.show();
    await window.show({ port: 50_002 });
    expect(statSync(lab.file).mtime).toEqual(old);
  });

  it('is restored when a process died in between', async () => {
    const text = '{\n    "mcpServers": {\n        "a": {}\n    }\n}';
    lab.write('.mcp.json', text);
    await window.show({ entry: 'http', port: 50_007 });
    // It was killed: nothing was undone, and its lock on the folder is gone.
    await window.advertiser.cover(lab.root);
    const next = await lab.process();
    await next.show({ port: 50_008 });
    expect(servers()).toEqual({ a: {}, devdb: stdio() });
    await window.hide();
    expect(servers()).toEqual({ a: {}, devdb: stdio() });
    await next.hide();
    expect(lab.read()).toBe(text);
  });

  it('loses an entry left by another home', async () => {
    lab.write('.mcp.json', '{"mcpServers":{"devdb":{"command":"node","args":["/gone/bin/devdb-mcp.cjs"]}}}');
    await window.show();
    expect(servers()).toEqual({ devdb: stdio() });
    await window.hide();
    expect(existsSync(lab.file)).toBe(false);
  });

  it('keeps what was added while the project was open', async () => {
    await window.show();
    lab.write('.mcp.json', lab.read().replace('"mcpServers": {', '"mcpServers": {\n    "mine": { "command": "x" },'));
    await window.hide();
    expect(lab.read()).toBe('{\n  "mcpServers": {\n    "mine": { "command": "x" }\n  }\n}\n');
  });

  it('is removed when it held nothing but our entry, even if reformatted meanwhile', async () => {
    await window.show();
    lab.write('.mcp.json', JSON.stringify(JSON.parse(lab.read())));
    await window.hide();
    expect(existsSync(lab.file)).toBe(false);
  });

  it('keeps its mode, and is left alone when that forbids writing', async () => {
    lab.write('.mcp.json', '{}');
    chmodSync(lab.file, 0o664);
    await window.show();
    expect(statSync(lab.file).mode & 0o777).toBe(0o664);
    await window.hide();
    chmodSync(lab.file, 0o444);
    await window.show();
    expect(lab.read()).toBe('{}');
    expect(window.events).toContainEqual({
      event: 'mcp-json-left-alone',
      facts: { root: lab.root, why: 'it is read-only' },
    });
  });

  it('is written through a link inside the project, and the link stays', async () => {
    const target = lab.write('config/mcp.json', '{"mcpServers":{"a":1}}');
    symlinkSync('config/mcp.json', lab.file);
    await window.show();
    expect(lstatSync(lab.file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(target, 'utf8')).mcpServers).toEqual({ a: 1, devdb: stdio() });
    await window.hide();
    expect(readFileSync(target, 'utf8')).toBe('{"mcpServers":{"a":1}}');
    expect(lstatSync(lab.file).isSymbolicLink()).toBe(true);
  });

  it.each(['stdio', 'http'] as const)(
    'is left alone as a link out of the project, directly or through a folder, and the user sees why (%s)',
    async (entry) => {
      const target = lab.write('../dotfiles/mcp.json', '{"mcpServers":{"a":1}}');
      symlinkSync('../dotfiles', join(lab.root, 'config'));
      for (const link of ['../dotfiles/mcp.json', 'config/mcp.json', target]) {
        rmSync(lab.file, { force: true });
        symlinkSync(link, lab.file);
        const other = await lab.process();
        await other.show({ entry });
        expect(other.problems).toEqual([
          expect.objectContaining({ message: expect.stringContaining(`a link that leads out of ${lab.root}`) }),
        ]);
        await other.hide();
        expect(readFileSync(target, 'utf8')).toBe('{"mcpServers":{"a":1}}');
      }
    },
  );

  it('that became a link out while the project was open is not changed through it', async () => {
    await window.show();
    const target = lab.write('../dotfiles/mcp.json', lab.read());
    const text = lab.read();
    rmSync(lab.file);
    symlinkSync(target, lab.file);
    await window.hide();
    expect(readFileSync(target, 'utf8')).toBe(text);
    expect(lstatSync(lab.file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(lab.base, 'home', 'advertised.json'), 'utf8')).toBe('{}\n');
  });

  it('has another file’s hard link: the other name keeps its text', async () => {
    const target = lab.write('../other.json', '{}');
    linkSync(target, lab.file);
    await window.show({ entry: 'http' });
    expect(readFileSync(target, 'utf8')).toBe('{}');
    await window.hide();
    expect(readFileSync(target, 'utf8')).toBe('{}');
  });

  it('that is a pipe without a writer is left alone at once', async () => {
    execFileSync('mkfifo', [lab.file]);
    await window.show();
    await window.hide();
    expect(window.events).toContainEqual({
      event: 'mcp-json-left-alone',
      facts: { root: lab.root, why: 'it is not a regular file' },
    });
  });

  it('that is a dangling link is reported, not followed', async () => {
    symlinkSync('../gone.json', lab.file);
    await window.show();
    expect(window.problems).toEqual([
      expect.objectContaining({ message: expect.stringContaining('link to a missing file') }),
    ]);
    expect(existsSync(join(lab.base, 'gone.json'))).toBe(false);
  });

  it.each([
    ['{\n  "mcpServers": {\n    nonsense\n', ':3 was left unchanged'],
    ['{"mcpServers": []}', ':1 was left unchanged: "mcpServers" is not an object'],
    ['[]', ':1 was left unchanged: not a JSON object'],
  ])('is left alone and reported by line when it is %j', async (text, sentence) => {
    lab.write('.mcp.json', text);
    await window.show();
    await window.show({ port: 50_009 });
    expect(lab.read()).toBe(text);
    expect(window.problems.map(({ message }) => message)).toEqual([expect.stringContaining(`${lab.file}${sentence}`)]);
    await window.hide();
    expect(lab.read()).toBe(text);
  });

  it('is left alone when it is not text', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
    lab.write('.mcp.json', bytes);
    await window.show();
    expect(readFileSync(lab.file)).toEqual(bytes);
    rmSync(lab.file);
    mkdirSync(lab.file);
    await window.show({ port: 50_002 });
    expect(window.events.map(({ facts }) => facts)).toEqual([
      { root: lab.root, why: 'it is not UTF-8 text' },
      { root: lab.root, why: 'it is a folder' },
    ]);
  });

  it('keeps an entry devdb that starts another program, and reports it once', async () => {
    const text = '{"mcpServers":{"devdb":{"command":"my-own-devdb"}}}';
    lab.write('.mcp.json', text);
    await window.show();
    await window.show({ port: 50_009 });
    expect(lab.read()).toBe(text);
    expect(window.problems).toHaveLength(1);
    expect(window.problems[0]?.message).toContain('its entry "devdb" starts another program');
    await window.hide();
    expect(lab.read()).toBe(text);
  });

  it("keeps a user's entry that starts DevDB in another way", async () => {
    const text = `{"mcpServers":{"devdb":{"command":"node","args":["${lab.launcher}","--toolsets","database"]}}}`;
    lab.write('.mcp.json', text);
    await window.show();
    await window.hide();
    expect(lab.read()).toBe(text);
    expect(window.problems).toEqual([]);
  });

  it('keeps an entry that came to name another server while the project was open', async () => {
    await window.show();
    const text = '{"mcpServers":{"devdb":{"command":"my-own-devdb"}}}';
    lab.write('.mcp.json', text);
    await window.hide();
    expect(lab.read()).toBe(text);
  });
});

describe('any .mcp.json', () => {
  it('is restored byte for byte after the project was open, whichever entries it had meanwhile', async () => {
    const entries = fc.array(fc.constantFrom('stdio', 'http', 'off'), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(jsoncDocument, entries, fc.boolean(), async (text, kinds, dies) => {
        lab.write('.mcp.json', text);
        for (const entry of kinds) await window.show({ entry });
        if (dies) {
          const next = await lab.process();
          await next.show();
          await next.hide();
        }
        await window.hide();
        expect(lab.read()).toBe(text);
        expect(window.problems).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('several processes that serve one folder', () => {
  it('leave the entry to the last one, whichever that is', async () => {
    const [second, headless] = [await lab.process(), await lab.process()];
    await Promise.all([window.show(), second.show(), headless.advertiser.cover(lab.root)]);
    await window.hide();
    expect(servers().devdb).toEqual(stdio());
    await second.hide();
    expect(servers().devdb).toEqual(stdio());
    await headless.hide();
    expect(existsSync(lab.file)).toBe(false);
  });

  it('remove it once when they end at the same moment', async () => {
    const text = '{\n  "mcpServers": { "a": 1 }\n}\n';
    lab.write('.mcp.json', text);
    const all = await Promise.all(Array.from({ length: 6 }, () => lab.process()));
    await Promise.all(all.map((one) => one.show()));
    await Promise.all(all.map((one) => one.hide()));
    expect(lab.read()).toBe(text);
    expect(readdirSync(join(lab.base, 'home', 'open'))).toEqual([]);
  });

  it('remove nothing of a user’s when they never wrote anything', async () => {
    await window.show();
    const text = lab.read();
    await window.hide();
    lab.write('.mcp.json', text);
    await window.advertiser.cover(lab.root);
    await window.hide();
    expect(lab.read()).toBe(text);
  });
});

describe('the entry for HTTP', () => {
  it('has address, token and project, is for its owner alone, and follows the port', async () => {
    await window.show({ entry: 'http' });
    expect(servers().devdb).toEqual({
      type: 'http',
      url: 'http://127.0.0.1:50001/mcp',
      headers: {
        Authorization: `Bearer ${lab.token()}`,
        'X-DevDB-Project-Root': encodeURIComponent(lab.root),
        'X-DevDB-From': '.mcp.json',
      },
    });
    expect(statSync(lab.file).mode & 0o777).toBe(0o600);
    await window.show({ entry: 'http', port: 50_002 });
    expect(servers().devdb.url).toBe('http://127.0.0.1:50002/mcp');
    await window.hide();
    expect(existsSync(lab.file)).toBe(false);
  });

  it('removes others’ read permission while the token is in the file', async () => {
    lab.write('.mcp.json', '{}');
    await window.show({ entry: 'http' });
    expect(statSync(lab.file).mode & 0o777).toBe(0o600);
    await window.hide();
    expect(statSync(lab.file).mode & 0o777).toBe(0o644);
    expect(lab.read()).toBe('{}');
  });
});

describe('Claude Code’s own file', () => {
  const configure = (config: unknown) => writeFileSync(join(lab.userHome, '.claude.json'), JSON.stringify(config));

  it('hides the entry with its own one: reported once', async () => {
    configure({ projects: { [lab.root]: { mcpServers: { devdb: { command: 'other' } } } } });
    await window.show();
    await window.show({ port: 50_002 });
    expect(window.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('claude mcp remove --scope local devdb'),
    ]);
  });

  it('is fine when its entry leads to DevDB too, belongs to another project, or the file does not parse', async () => {
    const other = { mcpServers: { devdb: { command: 'other' } } };
    configure({
      projects: { [lab.root]: { mcpServers: { devdb: stdio() } }, [`${lab.root}x`]: other, [lab.base]: other },
    });
    await window.show();
    writeFileSync(join(lab.userHome, '.claude.json'), '{');
    await window.show({ port: 50_002 });
    expect(window.problems).toEqual([]);
  });
});
