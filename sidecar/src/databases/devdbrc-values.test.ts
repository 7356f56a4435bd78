// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of the files that are read
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf } from '../../test/helpers/error-of.ts';
import { FixtureProject } from '../../test/helpers/fixture-project.ts';
import type { DatabaseBook } from './database-book.ts';
import { PASSWORD_COMMAND_FRESH_MS } from './limits.ts';

const signal = AbortSignal.timeout(60_000);
let project: FixtureProject;

beforeEach(() => {
  project = new FixtureProject();
});
afterEach(() => project.remove());

async function passwordOf(book: DatabaseBook, id?: string): Promise<string | undefined> {
  const { target } = await book.find(id, signal);
  return 'password' in target ? target.password?.open() : undefined;
}

describe('references to variables', () => {
  const REFERRING =
    '[{"name":"a","type":"postgres","host":"${H}","port":"${P:-5433}","username":"${U}","password":"x${DB_PASSWORD}y","database":"d"}]';

  it('take their values from the .env files, then from the process', async () => {
    project.write('.devdbrc', REFERRING);
    project.write('.env', 'H=127.0.0.1\nU=file\n');
    const env = { U: 'process', DB_PASSWORD: 'hunter2' };
    const book = project.book({ supported: ['postgres'], env });
    await book.approve((await book.state(signal)).entries, 'for-run', signal);
    const { target } = await book.find('a', signal);
    expect(target).toMatchObject({ host: '127.0.0.1', port: 5433, user: 'file' });
    expect(await passwordOf(book)).toBe('xhunter2y');
    expect(JSON.stringify(await book.state(signal))).not.toContain('hunter2');
  });

  it('name what has no value, and no other database is used instead', async () => {
    project.write('.devdbrc', REFERRING);
    project.write('.env', 'H=127.0.0.1\nU=u\n');
    project.database('app.db');
    const error = await errorOf(project.book({ supported: ['postgres', 'sqlite'] }).find(undefined, signal));
    expect([error.code, error.message]).toEqual(['E_NO_CONNECTION', expect.stringContaining('refers to DB_PASSWORD')]);
  });

  it('never put a secret of the process into a displayed field', async () => {
    project.write('.devdbrc', '[{"name":"a","type":"postgres","database":"${CLOUD_SECRET_KEY}"}]');
    const book = project.book({ supported: ['postgres'], env: { CLOUD_SECRET_KEY: 'hunter2' } });
    expect(JSON.stringify(await book.list(signal))).not.toContain('hunter2');
    expect((await errorOf(book.find(undefined, signal))).message).toContain('CLOUD_SECRET_KEY');
  });

  it('of the process need approval naming variable and target, and are no default before it', async () => {
    const entry = {
      name: 'a',
      type: 'postgres',
      host: '127.0.0.1',
      port: 5544,
      password: '${GITHUB_TOKEN}',
      database: 'd',
    };
    project.write('.devdbrc', JSON.stringify([entry]));
    const file = project.database('app.db');
    const env = { GITHUB_TOKEN: 'hunter2', OTHER_TOKEN: 'hunter3' };
    const book = project.book({ supported: ['postgres', 'sqlite'], env });
    expect((await book.find(undefined, signal)).target).toEqual({ file });
    const error = await errorOf(book.find('a', signal));
    expect(error.message).toContain(
      'the variable GITHUB_TOKEN of your environment is used as its password, for 127.0.0.1:5544/d (postgres)',
    );
    expect(error.hint).toContain('devdb trust');
    await book.approve((await book.state(signal)).entries, 'kept', signal);
    expect(await passwordOf(book, 'a')).toBe('hunter2');
    expect(await passwordOf(project.book({ supported: ['postgres'], env }), 'a')).toBe('hunter2');
    for (const other of [{ port: 5545 }, { host: 'localhost' }, { password: '${OTHER_TOKEN}' }, { database: 'e' }]) {
      project.write('.devdbrc', JSON.stringify([{ ...entry, ...other }]));
      expect((await errorOf(book.find('a', signal))).message).toContain('is not approved');
    }
  });

  it('of the .env files need none, whatever the process has', async () => {
    project.write('.devdbrc', '[{"name":"a","type":"postgres","password":"${GITHUB_TOKEN}","database":"d"}]');
    project.write('.env', 'GITHUB_TOKEN=mine\n');
    const book = project.book({ supported: ['postgres'], env: { GITHUB_TOKEN: 'hunter2' } });
    expect(await passwordOf(book)).toBe('mine');
  });

  it.each(['host', 'username', 'database', 'options.application_name', 'port', 'path'])(
    'of the process go into the field %s only if their names are not secret, even when approved',
    async (field) => {
      const set = (variable: string): void => {
        const common = { name: 'a', type: field === 'path' ? 'sqlite' : 'postgres', database: 'd', path: 'x.db' };
        const [outer = '', inner] = field.split('.');
        const entry = { ...common, [outer]: inner === undefined ? `\${${variable}}` : { [inner]: `\${${variable}}` } };
        project.write('.devdbrc', JSON.stringify([entry]));
      };
      const refused = [
        'GITHUB_TOKEN',
        'AWS_SECRET_ACCESS_KEY',
        'NPM_AUTH',
        'DATABASE_URL',
        'HUNTER',
        'TOKEN_HOST',
        'x_pass_db',
      ];
      const env = { ...Object.fromEntries(refused.map((name) => [name, '4444'])), MY_DB_PORT: '5555' };
      const book = project.book({ supported: ['postgres', 'sqlite'], env });
      for (const variable of refused) {
        set(variable);
        await book.approve((await book.state(signal)).entries, 'for-run', signal);
        expect((await errorOf(book.find('a', signal))).message).toContain(`refers to ${variable} outside its password`);
        expect(JSON.stringify(await book.list(signal))).not.toContain('4444');
      }
      set('MY_DB_PORT');
      expect((await errorOf(book.find('a', signal))).message).toContain(
        `MY_DB_PORT of your environment is used as its ${field}`,
      );
      await book.approve((await book.state(signal)).entries, 'for-run', signal);
      expect(JSON.stringify((await book.find('a', signal)).target)).toContain('5555');
    },
  );

  it('of a process apply to .devdbrc only: it may have been started for another project', async () => {
    project.write(
      'drizzle.config.ts',
      "export default { dialect: 'postgresql', dbCredentials: { url: process.env.DATABASE_URL } }",
    );
    const { connections } = await project
      .book({ env: { DATABASE_URL: 'postgres://u:p@127.0.0.1/other' } })
      .list(signal);
    expect(connections).toEqual([]);
  });

  it('need a new approval when they lead to another host, not when the password changes', async () => {
    project.write('.devdbrc', REFERRING);
    project.write('.env', 'H=db.example.com\nU=u\nDB_PASSWORD=one\n');
    const book = project.book({ supported: ['postgres'] });
    await book.approve((await book.state(signal)).entries, 'kept', signal);
    expect(await passwordOf(book)).toBe('xoney');
    project.write('.env', 'H=db.example.com\nU=u\nDB_PASSWORD=two\n');
    expect(await passwordOf(book)).toBe('xtwoy');
    project.write('.env', 'H=evil.example.com\nU=u\nDB_PASSWORD=two\n');
    expect((await errorOf(book.find('a', signal))).message).toContain('not approved');
  });
});

describe('a pinned default', () => {
  it('wins over the order, by id, by another id of the same database, and by name', async () => {
    project.database('one.db');
    project.database('two.db');
    for (const pin of ['two.db', 'env:DATABASE_URL']) {
      project.write('.env', 'DATABASE_URL=sqlite:two.db\n');
      project.write('.devdbrc', JSON.stringify([{ type: 'sqlite', path: 'one.db' }, { default: pin }]));
      expect((await project.book().find(undefined, signal)).name).toBe('two.db');
    }
  });

  it('that does not exist is reported, and nothing else is opened instead', async () => {
    project.database('app.db');
    project.write('.devdbrc', '[\n{"default":"gone"}]');
    const error = await errorOf(project.book().find(undefined, signal));
    expect(error.message).toBe('.devdbrc line 2 pins the default "gone", which was not found.');
    expect(error.hint).toContain('app.db');
    expect((await project.book().list(signal)).skipped).toContainEqual({
      file: '.devdbrc',
      line: 2,
      reason: 'pins a default that was not found',
    });
    expect((await project.book().find('app.db', signal)).id).toBe('app.db');
  });

  it('that needs approval is not replaced by another one', async () => {
    project.database('app.db');
    project.write('.devdbrc', '[{"type":"sqlite","path":"../outside/x.db","name":"out"},{"default":"devdbrc:out"}]');
    const book = project.book();
    expect((await errorOf(book.find(undefined, signal))).message).toContain('devdbrc:out');
    await book.approve((await book.state(signal)).entries, 'for-run', signal);
    expect((await book.find(undefined, signal)).id).toBe('devdbrc:out');
  });
});

describe('a password command', () => {
  const script = (text: string): string => project.write('password.mjs', text);
  const entry = (command: unknown): void => {
    project.write(
      '.devdbrc',
      JSON.stringify([{ name: 'a', type: 'postgres', database: 'd', passwordCommand: command }]),
    );
  };
  const NODE = process.execPath;

  async function approved(now: () => number = Date.now): Promise<DatabaseBook> {
    const book = project.book({ supported: ['postgres'], now });
    await book.approve((await book.state(signal)).entries, 'for-run', signal);
    return book;
  }

  it('is not run before approval', async () => {
    script("import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', 'x');\nconsole.log('pw');");
    entry([NODE, 'password.mjs']);
    const book = project.book({ supported: ['postgres'] });
    expect((await errorOf(book.find('a', signal))).message).toContain('a command of the project is run');
    expect(() => readFileSync(join(project.root, 'ran'))).toThrow('ENOENT');
  });

  it('gives the password once for all callers, and again after a while', async () => {
    script("import { appendFileSync } from 'node:fs';\nappendFileSync('runs', 'x');\nconsole.log('p w$1 ');");
    entry(`"${NODE}" password.mjs`);
    let now = Date.now();
    const book = await approved(() => now);
    expect(await Promise.all([passwordOf(book, 'a'), passwordOf(book, 'a'), passwordOf(book)])).toEqual(
      Array(3).fill('p w$1 '),
    );
    expect(readFileSync(join(project.root, 'runs'), 'utf8')).toBe('x');
    now += PASSWORD_COMMAND_FRESH_MS + 1;
    expect(await passwordOf(book)).toBe('p w$1 ');
    expect(readFileSync(join(project.root, 'runs'), 'utf8')).toBe('xx');
  });

  it.each([
    ["console.log('hunter2'); console.error('hunter2'); process.exit(3)", 'ended with code 3'],
    ['', 'printed nothing'],
    ["process.kill(process.pid, 'SIGKILL')", 'ended with SIGKILL'],
    ["process.stdout.write('x'.repeat(1e6)); setInterval(() => 0, 1000)", 'printed too much for a password'],
  ])('that fails (%s) is reported without its output', async (text, reason) => {
    script(text);
    entry([NODE, 'password.mjs']);
    const error = await errorOf((await approved()).find('a', signal));
    expect([error.code, error.message]).toEqual(['E_NO_CONNECTION', `The password command of devdbrc:a ${reason}.`]);
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it('with a bare name is a program on PATH, not a file of that name in the project', async () => {
    const bin = join(project.outside, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'tool'), '#!/bin/sh\necho "of the machine"\n', { mode: 0o755 });
    const trap = '#!/bin/sh\necho trap\n';
    for (const name of ['tool', 'node_modules/.bin/tool']) chmodSync(project.write(name, trap), 0o755);
    entry('tool');
    const env = { PATH: `.::${project.root}/node_modules/.bin:${bin}:/usr/bin:/bin` };
    const book = project.book({ supported: ['postgres'], env });
    await book.approve((await book.state(signal)).entries, 'for-run', signal);
    expect(await passwordOf(book, 'a')).toBe('of the machine');
    entry('./tool');
    await book.approve((await book.state(signal)).entries, 'for-run', signal);
    expect(await passwordOf(book, 'a')).toBe('trap');
  });

  it('that is not a program is reported', async () => {
    entry('no-such-program-here --x');
    expect((await errorOf((await approved()).find('a', signal))).message).toContain('could not be started (ENOENT)');
  });

  it('is ended when its last caller has left', async () => {
    script(
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('pid', String(process.pid));\nsetInterval(() => 0, 1000);",
    );
    entry([NODE, 'password.mjs']);
    const book = await approved();
    const stop = new AbortController();
    const waiting = book.find('a', stop.signal);
    const pid = await pidIn(join(project.root, 'pid'));
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await gone(pid);
  });

  it('needs a new approval when the script changes', async () => {
    script("console.log('one')");
    entry([NODE, 'password.mjs']);
    const book = await approved();
    expect(await passwordOf(book)).toBe('one');
    script("console.log('another')");
    expect((await errorOf(book.find('a', signal))).message).toContain('not approved');
  });

  it.each([
    [
      'pass show db | head -1',
      'has a wrong field passwordCommand: is run without a shell, where | & ; < > ` and $ mean nothing: put it into a script',
    ],
    ['pass "show', 'has a wrong field passwordCommand: has a quote that is not closed'],
    ['  ', 'has a wrong field passwordCommand: names no program'],
  ])('%j is a mistake', async (command, reason) => {
    entry(command);
    expect((await project.book().list(signal)).skipped).toEqual([{ file: '.devdbrc', line: 1, reason }]);
  });
});

async function pidIn(file: string): Promise<number> {
  for (;;) {
    signal.throwIfAborted();
    try {
      const text = readFileSync(file, 'utf8');
      if (text !== '') return Number(text);
    } catch {
      // Not written yet.
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function gone(pid: number): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
