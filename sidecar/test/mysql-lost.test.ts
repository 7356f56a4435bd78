import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { privateServers } from '../../fixtures/labs/engines/keeper-messages.ts';
import { type PrivateEngine, startPrivateEngine } from '../../fixtures/labs/engines.ts';
import { QUICK } from '../../fixtures/labs/not-run.ts';
import { Secret } from '../src/connections/secret.ts';
import type { Caps, ServerTarget, Session } from '../src/engines/engine.ts';
import { mysqlEngine } from '../src/engines/mysql/open.ts';
import { ask, engineContext, MYSQL_KINDS, targetOf } from './helpers/mysql-lab.ts';

const CAPS: Caps = { rows: 100, bytes: 64 * 1024, cellBytes: 4096 };
const signal = (): AbortSignal => AbortSignal.timeout(30_000);

/** A server of its own is killed here; a quick run that has none downloads none. */
const kinds = MYSQL_KINDS.filter((kind) => process.env[QUICK] === undefined || privateServers[kind].isCached());

describe.each(kinds)('a connection to %s', (kind) => {
  let engine: PrivateEngine;
  let target: ServerTarget;
  let session: Session;

  beforeAll(async () => {
    engine = await startPrivateEngine(kind);
    target = targetOf(engine.url);
    // A crash must not lose what was committed a moment ago.
    await ask({ ...target, ...rootOf(engine) }, 'SET GLOBAL innodb_flush_log_at_trx_commit = 1');
    await ask(target, 'CREATE TABLE kept (n int) ENGINE=InnoDB; INSERT INTO kept VALUES (1), (2)');
  }, 120_000);

  afterAll(() => engine.stop());

  beforeEach(() => {
    session = mysqlEngine.open(target, engineContext());
  });

  afterEach(() => session.end());

  async function value(sql: string, open: Session = session): Promise<unknown> {
    const outcome = await open.read(sql, CAPS, signal());
    return outcome.kind === 'rows' ? outcome.rows.rows[0]?.[0] : outcome.kind;
  }

  /** Statements of ours that sleep on the server right now. */
  async function sleeping(): Promise<number> {
    const sql = "SELECT count(*) FROM information_schema.PROCESSLIST WHERE USER = 'lab' AND INFO LIKE 'SELECT SLEEP%'";
    return Number((await ask({ ...target, ...rootOf(engine) }, sql))[0]?.[0]);
  }

  async function refusal(options: Partial<ServerTarget>): Promise<AppError> {
    const open = mysqlEngine.open({ ...target, ...options }, engineContext());
    try {
      await open.facts(signal());
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    } finally {
      await open.end();
    }
    throw new Error('The server let it in.');
  }

  it('that is lost in a read says so, is not repeated, and the next call connects anew', async () => {
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

  it('that is lost in a write says that it may have been carried out, and no layer repeats that', async () => {
    const writing = session
      .write('UPDATE kept SET n = n + 1 + SLEEP(10)', CAPS, undefined, signal())
      .catch((error: unknown) => error);
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

  it('that went stale in the pool is replaced without a word', async () => {
    await Promise.all(Array.from({ length: 5 }, () => value('SELECT SLEEP(0.05)')));
    await engine.halt();
    await engine.start();
    expect(await Promise.all(Array.from({ length: 5 }, (_, at) => value(`SELECT ${at}`)))).toEqual([0, 1, 2, 3, 4]);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new AppError('E_CANCELLED', 'No longer wanted.')), 100);
    await expect(session.read('SELECT SLEEP(20)', CAPS, controller.signal)).rejects.toMatchObject({
      code: 'E_CANCELLED',
    });
  }, 120_000);

  it('is waited for when all are busy, and the wait ends with the signal', async () => {
    const busy = Array.from({ length: 10 }, () => value('SELECT SLEEP(2)'));
    await until(async () => (await sleeping()) === 10);
    const reason = new AppError('E_TIMEOUT', 'Too long.');
    const impatient = new AbortController();
    setTimeout(() => impatient.abort(reason), 100);
    await expect(session.read('SELECT 1', CAPS, impatient.signal)).rejects.toBe(reason);
    expect(await value('SELECT 7')).toBe(7);
    expect(await Promise.all(busy)).toEqual(new Array(10).fill(0));
    const connections = await ask(
      { ...target, ...rootOf(engine) },
      'SELECT count(*) FROM information_schema.PROCESSLIST WHERE USER = "lab"',
    );
    expect(Number(connections[0]?.[0])).toBeLessThanOrEqual(11);
  });

  it('is refused with a sentence that holds no password', async () => {
    const wrong = await refusal({ password: new Secret('hunter2') });
    expect([wrong.code, wrong.message]).toEqual(['E_NO_CONNECTION', 'The server refused the user or the password.']);
    expect(JSON.stringify([wrong.message, wrong.hint, wrong.details])).not.toMatch(/hunter2|127\.0\.0\.1/);
    expect((await refusal({ database: 'devdb_nowhere' })).message).toMatch(/no database of this name/);
    expect((await refusal({ database: 'mysql' })).message).toMatch(/may not use this database/);
    expect((await refusal({ port: 1 })).message).toMatch(/Nothing accepts connections/);
    expect((await refusal({ host: 'no-such-host.invalid' })).message).toMatch(/host name of the database/);
    expect((await refusal({ host: join(tmpdir(), 'no-such-socket') })).message).toMatch(/socket does not exist/);
  });

  it('goes through the socket, over a name and without a password', async () => {
    await ask(
      { ...target, ...rootOf(engine) },
      "CREATE USER IF NOT EXISTS 'so@ket ü'@'%' IDENTIFIED BY 'p:a/s@s?#ü'; GRANT ALL ON `devdb%`.* TO 'so@ket ü'@'%'",
    );
    const odd = { user: 'so@ket ü', password: new Secret('p:a/s@s?#ü') };
    const byName = mysqlEngine.open({ ...target, ...odd, host: 'localhost' }, engineContext());
    expect(await value('SELECT current_user()', byName)).toBe('so@ket ü@%');
    await byName.end();
    const bySocket = mysqlEngine.open({ ...target, ...odd, host: join(engine.folder, 's') }, engineContext());
    expect(await value('SELECT 5', bySocket)).toBe(5);
    await bySocket.end();
  });

  it('is encrypted when that is asked for, and a certificate that proves nothing is refused', async () => {
    const cipher = "SELECT VARIABLE_VALUE FROM performance_schema.session_status WHERE VARIABLE_NAME = 'Ssl_version'";
    if (kind === 'mariadb') {
      expect((await refusal({ options: { 'ssl-mode': 'required' } })).message).toMatch(/does not encrypt/);
      return;
    }
    const unverified = mysqlEngine.open({ ...target, options: { 'ssl-mode': 'no-verify' } }, engineContext());
    expect(await value(cipher, unverified)).toMatch(/^TLS/);
    await unverified.end();
    expect((await refusal({ options: { ssl: true } })).message).toMatch(/certificate/);
    const ca = join(tmpdir(), `devdb-ca-${process.pid}.pem`);
    writeFileSync(ca, readFileSync(join(engine.folder, 'data', 'ca.pem')));
    const verified = mysqlEngine.open(
      { ...target, options: { 'ssl-mode': 'VERIFY_CA', 'ssl-ca': ca } },
      engineContext(),
    );
    expect(await value(cipher, verified)).toMatch(/^TLS/);
    await verified.end();
    expect((await refusal({ options: { 'ssl-ca': '/no/such/ca.pem' } })).message).toMatch(/ssl-ca/);
    expect((await refusal({ options: { 'ssl-mode': 'perhaps' } })).message).toMatch(/ssl-mode/);
  });

  it('that stalls ends with the signal, and so does the session', async () => {
    const proxy = await StallingProxy.open(target.port);
    const open = mysqlEngine.open({ ...target, port: proxy.port }, engineContext());
    expect(await value('SELECT 1', open)).toBe(1);
    proxy.stall();
    const reason = new AppError('E_TIMEOUT', 'Too long.');
    const stuck = AbortSignal.timeout(300);
    const controller = new AbortController();
    stuck.addEventListener('abort', () => controller.abort(reason));
    await expect(open.read('SELECT 2', CAPS, controller.signal)).rejects.toBe(reason);
    const start = performance.now();
    await open.end();
    expect(performance.now() - start).toBeLessThan(5_000);
    await proxy.close();
  }, 30_000);

  it('leaves nothing behind after thousands of calls', async () => {
    await value('SELECT 1');
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < 200; round += 1) {
      await Promise.all(Array.from({ length: 5 }, (_, at) => value(`SELECT ${round * 5 + at}`)));
    }
    const all = await ask(
      { ...target, ...rootOf(engine) },
      'SELECT count(*) FROM information_schema.PROCESSLIST WHERE USER = "lab"',
    );
    expect(Number(all[0]?.[0])).toBeLessThanOrEqual(11);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

function rootOf({ superuserUrl }: PrivateEngine): Pick<ServerTarget, 'user' | 'password'> {
  const { user, password } = targetOf(superuserUrl ?? '');
  return { user, password };
}

/** Hands bytes on until it is told to stall; then both sides wait for ever. */
class StallingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #stalled = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(port: number): Promise<StallingProxy> {
    const server = createServer();
    const proxy = new StallingProxy(server);
    server.on('connection', (socket) => proxy.#accept(socket, port));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) return address.port;
    throw new Error('The proxy does not listen.');
  }

  stall(): void {
    this.#stalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: Socket, port: number): void {
    const server = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const) {
      this.#sockets.add(from);
      if (this.#stalled) from.pause();
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  }
}
