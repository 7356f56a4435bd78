import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { testOn } from '../../fixtures/labs/needs.ts';
import { DevdbHome } from './helpers/devdb-home.ts';
import { describeEditor, type Editor, startEditor, type Window } from './helpers/editor-lab.ts';
import { openSample, type SampleWindow } from './helpers/sample-window.ts';
import { until } from './helpers/until.ts';

const POSTGRES = process.env['DEVDB_TEST_POSTGRES_URL'];

describeEditor('connections that a person types in', () => {
  let editor: Editor;
  let devdb: DevdbHome;
  /** For the tests that leave it as they found it. */
  let shop: SampleWindow;

  beforeAll(async () => {
    editor = await startEditor();
    devdb = new DevdbHome(editor.home);
    shop = await openProject('shop');
  });

  afterAll(() => editor?.stop());

  async function openProject(name: string, prepare?: (root: string) => void): Promise<SampleWindow> {
    const opened = await openSample(editor, name, prepare);
    await opened.window.statusText(/:\d+/);
    return opened;
  }

  function inputBox(window: Window) {
    return window.page.locator('.quick-input-widget .quick-input-box input');
  }

  async function step(window: Window, prompt: RegExp): Promise<void> {
    await window.page.locator('.quick-input-widget').filter({ hasText: prompt }).waitFor();
  }

  async function answer(window: Window, prompt: RegExp, text: string): Promise<void> {
    await step(window, prompt);
    await window.answerInput(text);
  }

  async function connections(root: string): Promise<unknown> {
    const envelope = await devdb.callTool(root, 'list-connections', {});
    return envelope.ok ? new Map(Object.entries(Object(envelope.data))).get('connections') : envelope.error;
  }

  test('a SQLite file is added to .devdbrc, keeping its comments, and can be removed again', async () => {
    const { root, window } = shop;
    const before = '// of the team\n[\n  { "default": "other" } // pinned\n]\n';
    writeFileSync(join(root, '.devdbrc'), before);
    const wizard = window.command('devdb.addConnection');
    await step(window, /SQLite/);
    await window.screenshot('wizard-kind');
    await window.pick('SQLite');
    await answer(window, /database file/, 'data/none.db');
    await window.page.locator('text=There is no such file.').first().waitFor();
    await window.answerInput('data/shop.db');
    await step(window, /What to call it/);
    await window.page.locator('.quick-input-titlebar .codicon-quick-input-back').first().click();
    await step(window, /database file/);
    await expect(inputBox(window).inputValue()).resolves.toBe('data/shop.db');
    await window.answerInput('data/shop.db');
    await answer(window, /What to call it/, 'other');
    await window.page.locator('text=Only on this machine').first().waitFor();
    await window.screenshots('wizard-keep');
    await window.pick('.devdbrc');
    await wizard;
    const after = readFileSync(join(root, '.devdbrc'), 'utf8');
    expect(after).toContain('// of the team');
    expect(after).toContain('// pinned');
    await expect(connections(root)).resolves.toMatchObject([
      { id: 'devdbrc:other', name: 'other', target: 'data/shop.db', isDefault: true, source: { file: '.devdbrc' } },
    ]);
    const removing = window.command('devdb.removeConnection');
    await step(window, /Remove which connection/);
    await window.pick('other');
    await expect(window.dialog()).resolves.toMatchObject({ message: 'Remove other?' });
    await window.press('Remove');
    await removing;
    expect(readFileSync(join(root, '.devdbrc'), 'utf8')).toBe(
      '// of the team\n[\n  { "default": "other" } // pinned\n]\n',
    );
    rmSync(join(root, '.devdbrc'));
  });

  test('a URL gives everything but the name, and its problems are reported without quoting it', async () => {
    const { root, window } = shop;
    const wizard = window.command('devdb.addConnection');
    await window.pick('Paste a URL');
    await answer(window, /database's URL/, 'postgres://ada:geheim@one,two/shop');
    await window.page.locator('text=The URL names several hosts; DevDB connects to one.').first().waitFor();
    await window.answerInput('sqlite:data/shop.db');
    await step(window, /What to call it/);
    await expect(inputBox(window).inputValue()).resolves.toBe('shop.db');
    await window.answerInput('by url');
    await window.pick('Only on this machine');
    await wizard;
    await expect(connections(root)).resolves.toMatchObject([{ id: 'editor:by-url', target: 'data/shop.db' }]);
    const envelope = await devdb.callTool(root, 'get-tables', { connection: 'editor:by-url' });
    expect(envelope).toMatchObject({ ok: true });
  });

  test('a test of a silent server can be cancelled, and also ends on the server', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const { window } = shop;
      const wizard = window.command('devdb.addConnection');
      await window.pick('Paste a URL');
      const connected = once(silent, 'connection');
      await answer(window, /database's URL/, `postgres://ada@127.0.0.1:${port}/shop`);
      await answer(window, /The password/, 'pw');
      await answer(window, /What to call it/, 'silent');
      const socket = z.instanceof(Socket).parse((await connected)[0]);
      const closed = once(socket.resume(), 'close');
      await window.page.locator(`text=Testing connection to 127.0.0.1:${port}/shop...`).first().waitFor();
      await window.screenshot('wizard-testing');
      await window.page.keyboard.press('Escape');
      await step(window, /What to call it/);
      await closed;
      await window.page.keyboard.press('Escape');
      await wizard;
    } finally {
      silent.close();
    }
  });

  test('what is stored in one window is known in another window of the same project once that starts', async () => {
    const { root, window } = await openProject('both');
    const first = await devdb.sidecarPid(root);
    const other = await editor.open(root);
    await until('the other window serves it', async () => (await devdb.sidecarPid(root)) !== first);
    await expect(connections(root)).resolves.toHaveLength(1);
    const wizard = window.command('devdb.addConnection');
    await window.pick('SQLite');
    await answer(window, /database file/, 'data/shop.db');
    await answer(window, /What to call it/, 'shared');
    await window.pick('Only on this machine');
    await wizard;
    // In a browser each window reads the secret storage when it starts; on a desktop it is also notified of changes.
    await other.reload();
    await devdb.serving(root);
    await until('the other window knows it', async () =>
      JSON.stringify(await connections(root)).includes('editor:shared'),
    );
    await other.close();
    await window.close();
  });

  test("a connection that does not work is reported in the engine's own words, and not stored", async () => {
    const { root, window } = shop;
    writeFileSync(join(root, 'no.db'), 'this is no database at all, and long enough to be looked at');
    const wizard = window.command('devdb.addConnection');
    await window.pick('SQLite');
    await answer(window, /database file/, 'no.db');
    await answer(window, /What to call it/, 'no');
    const { message, detail } = await window.dialog();
    expect(message).toBe('The connection does not work yet.');
    expect(detail).toMatch(/not a database/);
    await window.screenshots('wizard-failure');
    await window.press('Change it');
    await step(window, /What to call it/);
    await window.page.keyboard.press('Escape');
    await wizard;
    expect(existsSync(join(root, '.devdbrc'))).toBe(false);
  });

  testOn('postgres')(
    'what doctor only half understood is offered, completed by its user in the wizard, and stored in .devdbrc',
    async () => {
      const url = new URL(POSTGRES ?? '');
      const database = url.pathname.slice(1);
      const { root, window } = await openProject('half', (folder) => {
        rmSync(join(folder, 'data'), { recursive: true });
        const environment = `{POSTGRES_USER: ada, POSTGRES_PASSWORD: hush, POSTGRES_DB: ${database}}`;
        writeFileSync(
          join(folder, 'compose.yml'),
          `services:\n  db:\n    image: postgres\n    environment: ${environment}\n`,
        );
      });
      const report = window.command('devdb.doctor');
      const offer = await window.notification(/understood only a part of the database in compose.yml:2/);
      await report;
      await window.screenshot('doctor-offer');
      await offer.locator('text=Add it...').click();
      await answer(window, /The host/, url.hostname);
      await step(window, /The port/);
      await expect(inputBox(window).inputValue()).resolves.toBe('5432');
      await window.answerInput(url.port);
      await step(window, /name of the database/);
      await expect(inputBox(window).inputValue()).resolves.toBe(database);
      await window.answerInput(database);
      await step(window, /user to log in/);
      await expect(inputBox(window).inputValue()).resolves.toBe('ada');
      await window.answerInput(decodeURIComponent(url.username));
      await answer(window, /The password/, decodeURIComponent(url.password));
      await answer(window, /What to call it/, 'server');
      await window.pick('.devdbrc');
      await until('it is the default', async () =>
        JSON.stringify(await connections(root)).includes('"id":"devdbrc:server"'),
      );
      expect(readFileSync(join(root, '.devdbrc'), 'utf8')).not.toMatch(/hush|password/i);
      await expect(devdb.callTool(root, 'get-database-type', {})).resolves.toMatchObject({ ok: true });
      await window.close();
    },
  );

  testOn('postgres')(
    'a Postgres database is stored on this machine, and its password only in the secret storage',
    async () => {
      const url = new URL(POSTGRES ?? '');
      const { root, window } = await openProject('postgres');
      const wizard = window.command('devdb.addConnection');
      await window.pick('PostgreSQL');
      await answer(window, /The host/, url.hostname);
      await answer(window, /The port/, url.port);
      await answer(window, /name of the database/, url.pathname.slice(1));
      await answer(window, /user to log in/, decodeURIComponent(url.username));
      await step(window, /The password/);
      await expect(inputBox(window).getAttribute('type')).resolves.toBe('password');
      await window.answerInput(decodeURIComponent(url.password));
      await answer(window, /What to call it/, 'server');
      await window.pick('Only on this machine');
      await wizard;
      const works = async (open: Window) => {
        await open.statusText(/:\d+/);
        const envelope = await devdb.callTool(root, 'get-database-type', { connection: 'server' });
        expect(envelope).toMatchObject({ ok: true, data: { type: 'postgres' } });
      };
      await works(window);
      await expect(connections(root)).resolves.toMatchObject([
        { id: 'editor:server', source: { by: 'editor' }, trusted: true },
        { source: { by: expect.any(String) } },
      ]);
      // Checked again after the sidecar was replaced, and after the window was reloaded.
      const pid = await devdb.sidecarPid(root);
      process.kill(pid, 'SIGKILL');
      await until('another sidecar serves it', async () => {
        try {
          return (await devdb.sidecarPid(root)) !== pid;
        } catch {
          // Nothing listens at this moment.
          return false;
        }
      });
      await works(window);
      await window.reload();
      await devdb.serving(root);
      await works(window);
      const password = decodeURIComponent(url.password);
      if (password.length > 5) expect(filesWith(editor.home, password)).toEqual([]);
      expect(existsSync(join(root, '.devdbrc'))).toBe(false);
      await window.close();
    },
  );
});

/** The files below a folder that contain a text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));
}
