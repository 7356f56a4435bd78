import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { privateServers } from '../../fixtures/labs/engines/keeper-messages.ts';
import { type PrivateEngine, startPrivateEngine } from '../../fixtures/labs/engines.ts';
import { QUICK } from '../../fixtures/labs/not-run.ts';
import type { Caps, ServerTarget, Session } from '../src/engines/engine.ts';
import { SERVER_CONNECTIONS, SERVER_GOODBYE_MS } from '../src/engines/limits.ts';
import { mysqlEngine } from '../src/engines/mysql/session.ts';
import { Secret } from '../src/host/secret.ts';
import { throughProxy } from './helpers/cuttable-proxy.ts';
import { engineContext, targetOf } from './helpers/engine-target.ts';
import { ask, MYSQL_KINDS } from './helpers/mysql-lab.ts';
import { readOf, writeOf } from './helpers/statements.ts';
import { deadPort, withStranger } from './helpers/stranger.ts';

const CAPS: Caps = { rows: 100, bytes: 64 * 1024, cellBytes: 4096 };
/** Those of the pool, and the one that stops statements on the others. */
const MOST_CONNECTIONS = SERVER_CONNECTIONS + 1;
const signal = (): AbortSignal => AbortSignal.timeout(30_000);

/** These tests kill their own server; a quick run without one downloads none. */
const kinds = MYSQL_KINDS.filter((kind) => process.env[QUICK] === undefined || privateServers[kind].isCached());

describe.each(kinds)('a connection to %s', (kind) => {
  let engine: PrivateEngine;
  let target: ServerTarget;
  let session: Session;
  const sessions: Session[] = [];

  beforeAll(async () => {
    engine = await startPrivateEngine(kind);
    target = targetOf(engine.url, 3306);
    // A crash must not lose what was committed a moment ago.
    await ask({ ...target, ...rootOf(engine) }, 'SET GLOBAL innodb_flush_log_at_trx_commit = 1');
    await ask(target, 'CREATE TABLE kept (n int) ENGINE=InnoDB; INSERT INTO kept VALUES (1), (2)');
  }, 120_000);

  afterAll(() => engine.stop());

  beforeEach(() => {
    session = open();
  });

  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((one) => one.end()));
  });

  function open(differences: Partial<ServerTarget> = {}): Session {
    const opened = mysqlEngine.open({ ...target, ...differences }, engineContext());
    sessions.push(opened);
    return opened;
  }

  async function value(sql: string, on: Session = session): Promise<unknown> {
    const outcome = await readOf(on, sql, CAPS, signal());
    return outcome.kind === 'rows' ? outcome.rows.rows[0]?.[0] : outcome.kind;
  }

  /** Our statements that sleep on the server right now. */
  async function sleeping(): Promise<number> {
    const sql = "SELECT count(*) FROM information_schema.PROCESSLIST WHERE USER = 'lab' AND INFO LIKE 'SELECT SLEEP%'";
    return Number((await ask({ ...target, ...rootOf(engine) }, sql))[0]?.[0]);
  }

  /** Our connections that the server has right now. */
  async function connections(): Promise<number> {
    const sql = "SELECT count(*) FROM information_schema.PROCESSLIST WHERE USER = 'lab'";
    return Number((await ask({ ...target, ...rootOf(engine) }, sql))[0]?.[0]);
  }

  async function refusal(differences: Partial<ServerTarget>): Promise<AppError> {
    try {
      await open(differences).facts(signal());
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    throw new Error('The server let it in.');
  }

  it('lost during a read is reported, not retried, and the next call connects anew', async () => {
    const reading = value('SELECT count(*) FROM kept WHERE SLEEP(20) = 0').catch((error: unknown) => error);
    await value('SELECT SLEEP(0.2)');
    await engine.kill();
    expect(await reading).toMatchObject({
      code: 'E_NO_CONNECTION',
      message: expect.stringMatching(/nothing was changed/),
    });
    await expect(value('SELECT 1')).rejects.toMatchObject({
      code: 'E_NO_CONNECTION',
      message: expect.stringMatching(/Nothing accepts connections/),
    });
    await engine.start();
    expect(await value('SELECT count(*) FROM kept')).toBe(2);
  }, 120_000);

  it('lost during a write is reported as possibly executed, and no layer retries it', async () => {
    const writing = writeOf(session, 'UPDATE kept SET n = n + 1 + SLEEP(10)', CAPS, undefined, signal()).catch(
      (error: unknown) => error,
    );
    await value('SELECT SLEEP(0.2)');
    await engine.kill();
    const error = await writing;
    expect(error).toMatchObject({
      code: 'E_SQL',
      message: expect.stringMatching(/not known/),
      details: { mayHaveBeenCarriedOut: true },
    });
    await engine.start();
    expect(await value('SELECT sum(n) FROM kept')).toBe(3);
  }, 120_000);

  it('that went stale in the pool is silently replaced', async () => {
    await Promise.all(Array.from({ length: 5 }, () => value('SELECT SLEEP(0.05)')));
    await engine.halt();
    await engine.start();
    expect(await Promise.all(Array.from({ length: 5 }, (_, at) => value(`SELECT ${at}`)))).toEqual([0, 1, 2, 3, 4]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new AppError('E_CANCELLED', 'No longer wanted.')), 100);
    await expect(readOf(session, 'SELECT SLEEP(20)', CAPS, controller.signal)).rejects.toMatchObject({
      code: 'E_CANCELLED',
    });
  }, 120_000);

  it('is awaited when all are busy, and the wait ends with the signal', async () => {
    const busy = Array.from({ length: 10 }, () => value('SELECT SLEEP(2)'));
    await until(async () => (await sleeping()) === 10);
    const reason = new AppError('E_TIMEOUT', 'Too long.');
    const impatient = new AbortController();
    setTimeout(() => impatient.abort(reason), 100);
    await expect(readOf(session, 'SELECT 1', CAPS, impatient.signal)).rejects.toBe(reason);
    expect(await value('SELECT 7')).toBe(7);
    expect(await Promise.all(busy)).toEqual(new Array(10).fill(0));
    expect(await connections()).toBeLessThanOrEqual(MOST_CONNECTIONS);
  });

  it('is reported as unavailable when all stay busy, and available again when they are free', async () => {
    const stop = new AbortController();
    const reason = new AppError('E_CANCELLED', 'No longer wanted.');
    const busy = Array.from({ length: SERVER_CONNECTIONS }, () =>
      readOf(session, 'SELECT SLEEP(60)', CAPS, stop.signal).catch((error: unknown) => error),
    );
    await until(async () => (await sleeping()) === SERVER_CONNECTIONS);
    await expect(value('SELECT 1')).rejects.toMatchObject({
      code: 'E_NO_CONNECTION',
      message: expect.stringContaining(`All ${SERVER_CONNECTIONS} connections`),
    });
    stop.abort(reason);
    expect(await Promise.all(busy)).toEqual(new Array(SERVER_CONNECTIONS).fill(reason));
    expect(await value('SELECT 7')).toBe(7);
    await until(async () => (await sleeping()) === 0);
  }, 60_000);

  it('is not left on the server by cancelled calls, nor by an ended session', async () => {
    const stopped = open();
    const reason = new AppError('E_CANCELLED', 'No longer wanted.');
    for (let round = 0; round < 20; round += 1) {
      const abort = new AbortController();
      const calls = Array.from({ length: 4 }, (_, at) =>
        readOf(stopped, `SELECT SLEEP(0.0${at}), ${round}`, CAPS, abort.signal).catch((error: unknown) => error),
      );
      await new Promise((resolve) => setTimeout(resolve, round % 7));
      abort.abort(reason);
      for (const call of await Promise.all(calls)) {
        if (call !== reason) expect(call).toMatchObject({ kind: 'rows' });
      }
      expect(await value('SELECT 3', stopped)).toBe(3);
    }
    expect(await connections()).toBeLessThanOrEqual(MOST_CONNECTIONS);
    const running = value('SELECT SLEEP(60)', stopped).catch((error: unknown) => error);
    await until(async () => (await sleeping()) === 1);
    await stopped.end();
    expect(await running).toMatchObject({ code: 'E_NO_CONNECTION' });
    await until(async () => (await connections()) === 0);
    await expect(value('SELECT 1', stopped)).rejects.toMatchObject({ code: 'E_NO_CONNECTION' });
  }, 60_000);

  it('is refused with a message that contains no password', async () => {
    const wrong = await refusal({ password: new Secret('hunter2') });
    expect([wrong.code, wrong.message]).toEqual(['E_NO_CONNECTION', 'The server refused the user or the password.']);
    expect(JSON.stringify([wrong.message, wrong.hint, wrong.details])).not.toMatch(/hunter2|127\.0\.0\.1/);
    expect((await refusal({ database: 'devdb_nowhere' })).message).toMatch(/no database of this name/);
    expect((await refusal({ database: 'mysql' })).message).toMatch(/may not use this database/);
    expect((await refusal({ port: await deadPort() })).message).toMatch(/Nothing accepts connections/);
    expect((await refusal({ host: 'no-such-host.invalid' })).message).toMatch(/host name of the database/);
    expect((await refusal({ host: join(tmpdir(), 'no-such-socket') })).message).toMatch(/socket does not exist/);
  });

  it('goes through the socket, over a name and without a password', async () => {
    await ask(
      { ...target, ...rootOf(engine) },
      "CREATE USER IF NOT EXISTS 'so@ket ü'@'%' IDENTIFIED BY 'p:a/s@s?#ü'; GRANT ALL ON `devdb%`.* TO 'so@ket ü'@'%'",
    );
    const odd = { user: 'so@ket ü', password: new Secret('p:a/s@s?#ü') };
    expect(await value('SELECT current_user()', open({ ...odd, host: 'localhost' }))).toBe('so@ket ü@%');
    expect(await value('SELECT 5', open({ ...odd, host: join(engine.folder, 's') }))).toBe(5);
  });

  it('is encrypted on request, and a certificate that proves nothing is refused', async () => {
    const cipher = "SELECT VARIABLE_VALUE FROM performance_schema.session_status WHERE VARIABLE_NAME = 'Ssl_version'";
    if (kind === 'mariadb') {
      expect((await refusal({ options: { 'ssl-mode': 'required' } })).message).toMatch(/does not encrypt/);
      return;
    }
    expect(await value(cipher, open({ options: { 'ssl-mode': 'no-verify' } }))).toMatch(/^TLS/);
    expect((await refusal({ options: { ssl: true } })).message).toMatch(/certificate/);
    const ca = join(tmpdir(), `devdb-ca-${process.pid}.pem`);
    writeFileSync(ca, readFileSync(join(engine.folder, 'data', 'ca.pem')));
    try {
      const verified = open({ options: { 'ssl-mode': 'VERIFY_CA', 'ssl-ca': ca } });
      expect(await value(cipher, verified)).toMatch(/^TLS/);
    } finally {
      rmSync(ca);
    }
    expect((await refusal({ options: { 'ssl-ca': '/no/such/ca.pem' } })).message).toMatch(/ssl-ca/);
    expect((await refusal({ options: { 'ssl-mode': 'perhaps' } })).message).toMatch(/ssl-mode/);
  });

  it(
    'that stalls ends with the signal, and so does the session',
    () =>
      throughProxy(target.port, async (proxy) => {
        const stuck = open({ port: proxy.port });
        expect(await value('SELECT 1', stuck)).toBe(1);
        proxy.stall();
        const reason = new AppError('E_TIMEOUT', 'Too long.');
        const abort = new AbortController();
        setTimeout(() => abort.abort(reason), 300);
        await expect(readOf(stuck, 'SELECT 2', CAPS, abort.signal)).rejects.toBe(reason);
        const start = performance.now();
        await stuck.end();
        expect(performance.now() - start).toBeLessThan(SERVER_GOODBYE_MS + 1_000);
      }),
    30_000,
  );

  it(
    'ends at once even when its stop cannot be sent, and so does the session',
    () =>
      throughProxy(target.port, async (proxy) => {
        // The second connection is the one that stops statements on the others.
        proxy.stallAfter(10, 1);
        const stuck = open({ port: proxy.port });
        const abort = new AbortController();
        const reason = new AppError('E_TIMEOUT', 'Too long.');
        const call = readOf(stuck, 'SELECT SLEEP(4)', CAPS, abort.signal);
        await until(async () => (await sleeping()) === 1);
        await proxy.stalled();
        const start = performance.now();
        abort.abort(reason);
        await expect(call).rejects.toBe(reason);
        expect(performance.now() - start).toBeLessThan(1_000);
        await stuck.end();
        expect(performance.now() - start).toBeLessThan(SERVER_GOODBYE_MS + 1_000);
        await proxy.empty();
        await until(async () => (await sleeping()) === 0);
      }),
    30_000,
  );

  it(
    'is made anew when the way is free again',
    () =>
      throughProxy(target.port, async (proxy) => {
        const stuck = open({ port: proxy.port });
        proxy.stall();
        const reason = new AppError('E_CANCELLED', 'No longer wanted.');
        const abort = new AbortController();
        const calls = [1, 2].map((n) => readOf(stuck, `SELECT ${n}`, CAPS, abort.signal));
        await proxy.stalled();
        abort.abort(reason);
        for (const call of calls) await expect(call).rejects.toBe(reason);
        proxy.flow();
        const start = performance.now();
        expect(await value('SELECT 3', stuck)).toBe(3);
        expect(performance.now() - start).toBeLessThan(2_000);
      }),
    30_000,
  );

  it(
    'that never succeeds is reported in time, each time',
    () =>
      withStranger(
        (socket) => socket.resume(),
        async (port) => {
          const start = performance.now();
          for (const told of await Promise.all([1, 2, 3].map(() => refusal({ port })))) {
            expect([told.code, told.message]).toEqual(['E_NO_CONNECTION', 'The server did not answer in time.']);
          }
          expect(performance.now() - start).toBeLessThan(9_000);
        },
      ),
    30_000,
  );

  it('lost during a commit leaves the outcome unknown, and nothing retries it', async () => {
    await ask(target, 'CREATE TABLE unanswered (n int) ENGINE=InnoDB');
    await throughProxy(target.port, async (proxy) => {
      proxy.cutAfter('COMMIT');
      const writing = writeOf(
        open({ port: proxy.port }),
        'INSERT INTO unanswered VALUES (1)',
        CAPS,
        undefined,
        signal(),
      );
      await expect(writing).rejects.toMatchObject({
        code: 'E_SQL',
        message: expect.stringMatching(/not known/),
        details: { mayHaveBeenCarriedOut: true },
      });
    });
    expect(await ask(target, 'SELECT count(*) FROM unanswered')).toEqual([[1]]);
  }, 30_000);

  it('leaves nothing behind after thousands of calls', async () => {
    await value('SELECT 1');
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < 200; round += 1) {
      await Promise.all(Array.from({ length: 5 }, (_, at) => value(`SELECT ${round * 5 + at}`)));
    }
    expect(await connections()).toBeLessThanOrEqual(MOST_CONNECTIONS);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

function rootOf({ superuserUrl }: PrivateEngine): Pick<ServerTarget, 'user' | 'password'> {
  const { user, password } = targetOf(superuserUrl ?? '', 3306);
  return { user, password };
}
