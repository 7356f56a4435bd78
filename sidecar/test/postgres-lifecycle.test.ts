import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { makeCertificate } from '../../fixtures/labs/engines/certificate.ts';
import { type PrivateEngine, startPrivateEngine } from '../../fixtures/labs/engines.ts';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { Caps, ServerTarget, Session } from '../src/engines/engine.ts';
import { SERVER_CONNECTIONS } from '../src/engines/limits.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { Secret } from '../src/host/secret.ts';
import { throughProxy } from './helpers/cuttable-proxy.ts';
import { engineContext, targetOf } from './helpers/engine-target.ts';
import { askPostgres } from './helpers/postgres-lab.ts';
import { readOf, writeOf } from './helpers/statements.ts';
import { deadPort, withStranger } from './helpers/stranger.ts';

const CAPS: Caps = { rows: 100, bytes: 100_000, cellBytes: 4096 };
const { it } = suiteOn('postgres');
let engine: PrivateEngine | undefined;
const sessions: Session[] = [];

beforeAll(async () => {
  engine = await startPrivateEngine('postgres');
}, 120_000);

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.end()));
});

afterAll(async () => {
  await engine?.stop();
});

interface Lab {
  readonly engine: PrivateEngine;
  readonly target: ServerTarget;
  readonly superuser: ServerTarget;
}

/** A test on a server that this suite may end. */
function withServer(test: (lab: Lab) => Promise<void>): () => Promise<void> {
  return async () => {
    assertMade(engine);
    await test({
      engine,
      target: targetOf(engine.url, 5432),
      superuser: targetOf(engine.superuserUrl ?? engine.url, 5432),
    });
  };
}

function open(target: ServerTarget): Session {
  const session = postgresEngine.open(target, engineContext());
  sessions.push(session);
  return session;
}

function signal(timeoutMs = 20_000): AbortSignal {
  return AbortSignal.timeout(timeoutMs);
}

async function one(session: Session): Promise<void> {
  expect(await readOf(session, 'SELECT 1', CAPS, signal())).toMatchObject({ rows: { rows: [[1]] } });
}

/** Resolves when this many statements with this mark are running on the server. */
async function running(target: ServerTarget, mark: string, count: number): Promise<void> {
  const sql = `SELECT count(*)::int FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%${mark}%' AND pid <> pg_backend_pid()`;
  for (;;) {
    const [[found] = []] = await askPostgres(target, sql);
    if (Number(found) === count) return;
  }
}

describe('a cancelled statement', () => {
  it.each([
    ['sleeps', "SELECT pg_sleep(60), 'sleeps'"],
    ['computes', "SELECT count(*), 'computes' FROM generate_series(1, 100000) a, generate_series(1, 100000) b"],
    [
      'sends rows',
      "SELECT a.*, 'sends rows' FROM generate_series(1, 10000) a, generate_series(1, 10000) b WHERE a < 0 OR b % 100000 = 1",
    ],
  ])(
    'stops on the server when it %s',
    async (mark, sql) => {
      await withServer(async ({ target, superuser }) => {
        const session = open(target);
        const abort = new AbortController();
        const reason = new AppError('E_CANCELLED', 'No longer wanted.');
        const call = readOf(session, sql, { ...CAPS, rows: 1_000_000 }, abort.signal);
        const ended = expect(call).rejects.toBe(reason);
        await running(superuser, mark, 1);
        const start = performance.now();
        abort.abort(reason);
        await ended;
        const answered = performance.now() - start;
        await running(superuser, mark, 0);
        process.stdout.write(
          `cancel of a statement that ${mark}: answered after ${answered.toFixed(1)} ms, stopped after ${(performance.now() - start).toFixed(1)} ms\n`,
        );
        await one(session);
      })();
    },
    60_000,
  );

  it(
    'never cancels the statement after it',
    withServer(async ({ target }) => {
      const session = open(target);
      for (let i = 0; i < 30; i += 1) {
        const abort = new AbortController();
        const call = readOf(session, `SELECT pg_sleep(0.002), ${i}`, CAPS, abort.signal);
        const settled = call.catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, i % 6));
        abort.abort(new AppError('E_CANCELLED', 'No longer wanted.'));
        await settled;
        await one(session);
      }
    }),
    60_000,
  );

  it(
    'rolls back a write',
    withServer(async ({ target, superuser }) => {
      await askPostgres(target, 'CREATE TABLE cancelled (n integer)');
      const session = open(target);
      const abort = new AbortController();
      const call = writeOf(
        session,
        'INSERT INTO cancelled SELECT 1 FROM pg_sleep(60) -- cancelled write',
        CAPS,
        undefined,
        abort.signal,
      );
      const ended = expect(call).rejects.toMatchObject({ code: 'E_TIMEOUT' });
      await running(superuser, 'cancelled write', 1);
      abort.abort(new AppError('E_TIMEOUT', 'Too long.'));
      await ended;
      await running(superuser, 'cancelled write', 0);
      expect(await askPostgres(target, 'SELECT count(*)::int FROM cancelled')).toEqual([[0]]);
    }),
    60_000,
  );

  it(
    'leaves no session on the server when the session ends',
    withServer(async ({ target, superuser }) => {
      const session = postgresEngine.open(target, engineContext());
      const call = readOf(session, "SELECT pg_sleep(60), 'at the end'", CAPS, signal());
      const ended = expect(call).rejects.toMatchObject({ code: 'E_NO_CONNECTION' });
      await running(superuser, 'at the end', 1);
      await session.end();
      await session.end();
      await ended;
      await running(superuser, 'at the end', 0);
      const sql = "SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'DevDB'";
      for (;;) {
        const [[left] = []] = await askPostgres(superuser, sql);
        if (left === 0) break;
      }
      await expect(readOf(session, 'SELECT 1', CAPS, signal())).rejects.toMatchObject({ code: 'E_NO_CONNECTION' });
    }),
    60_000,
  );
});

describe('a connection that is lost', () => {
  it(
    'costs a read its answer and reports that nothing was changed',
    withServer(async ({ target, superuser }) => {
      const session = open(target);
      const call = readOf(session, "SELECT pg_sleep(60), 'to terminate'", CAPS, signal());
      const ended = expect(call).rejects.toMatchObject({
        code: 'E_NO_CONNECTION',
        message: expect.stringContaining('nothing was changed'),
        details: { mayHaveBeenCarriedOut: false },
      });
      await running(superuser, 'to terminate', 1);
      await askPostgres(
        superuser,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%to terminate%' AND pid <> pg_backend_pid()",
      );
      await ended;
      await one(session);
    }),
    60_000,
  );

  it(
    'costs a write its changes, and says so',
    withServer(async ({ target, superuser }) => {
      await askPostgres(target, 'CREATE TABLE terminated (n integer)');
      const session = open(target);
      const call = writeOf(
        session,
        'INSERT INTO terminated SELECT 1 FROM pg_sleep(60) -- write to kill',
        CAPS,
        undefined,
        signal(),
      );
      const ended = expect(call).rejects.toMatchObject({
        code: 'E_NO_CONNECTION',
        message: expect.stringContaining('rolls it back'),
        details: { mayHaveBeenCarriedOut: false },
      });
      await running(superuser, 'write to kill', 1);
      await askPostgres(
        superuser,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%write to kill%' AND pid <> pg_backend_pid()",
      );
      await ended;
      expect(await askPostgres(target, 'SELECT count(*)::int FROM terminated')).toEqual([[0]]);
    }),
    60_000,
  );

  it(
    'leaves unknown whether a write was executed when the answer to its commit is lost',
    withServer(async ({ target }) => {
      await askPostgres(target, 'CREATE TABLE unanswered (n integer)');
      await throughProxy(target.port, async (proxy) => {
        const session = open({ ...target, port: proxy.port });
        proxy.cutAfter('COMMIT');
        await expect(
          writeOf(session, 'INSERT INTO unanswered VALUES (1)', CAPS, undefined, signal()),
        ).rejects.toMatchObject({
          code: 'E_SQL',
          message: expect.stringContaining('not known'),
          details: { mayHaveBeenCarriedOut: true },
        });
        // It was executed exactly once.
        expect(await askPostgres(target, 'SELECT count(*)::int FROM unanswered')).toEqual([[1]]);
      });
    }),
    60_000,
  );

  it(
    'is silently replaced when it went stale between calls',
    withServer(async ({ target }) => {
      await askPostgres(target, 'CREATE TABLE stale (n integer)');
      await throughProxy(target.port, async (proxy) => {
        const session = open({ ...target, port: proxy.port });
        const sleep = (): Promise<unknown> => readOf(session, 'SELECT pg_sleep(0.2)', CAPS, signal());
        await Promise.all([sleep(), sleep(), sleep()]);
        proxy.cut();
        await one(session);
        proxy.cut();
        expect((await writeOf(session, 'INSERT INTO stale VALUES (1)', CAPS, undefined, signal())).kind).toBe('done');
        expect(await askPostgres(target, 'SELECT count(*)::int FROM stale')).toEqual([[1]]);
      });
    }),
    60_000,
  );

  it(
    'is survived when the server is killed during a statement and started again',
    withServer(async ({ engine, target, superuser }) => {
      const session = open(target);
      const call = readOf(session, "SELECT pg_sleep(60), 'kill -9'", CAPS, signal());
      const ended = expect(call).rejects.toMatchObject({ code: 'E_NO_CONNECTION' });
      await running(superuser, 'kill -9', 1);
      await engine.kill();
      await ended;
      await expect(readOf(session, 'SELECT 1', CAPS, signal())).rejects.toMatchObject({
        code: 'E_NO_CONNECTION',
        message: 'Nothing accepts connections at the address of the database.',
      });
      await engine.start();
      await one(session);
      await engine.halt();
      await engine.start();
      await one(session);
    }),
    120_000,
  );
});

describe('a server behind a stalled network', () => {
  it(
    'is distinguished from one that is down, in words and in time',
    withServer(async ({ target }) => {
      await throughProxy(target.port, async (proxy) => {
        proxy.stall();
        const start = performance.now();
        await expect(readOf(open({ ...target, port: proxy.port }), 'SELECT 1', CAPS, signal())).rejects.toMatchObject({
          code: 'E_NO_CONNECTION',
          message: 'The server did not answer in time.',
        });
        expect(performance.now() - start).toBeLessThan(9_000);
      });
    }),
    30_000,
  );

  it(
    'holds no call beyond its time, and serves again when the network works',
    withServer(async ({ target }) => {
      await throughProxy(target.port, async (proxy) => {
        const session = open({ ...target, port: proxy.port });
        await one(session);
        proxy.stall();
        const reason = new AppError('E_TIMEOUT', 'Too long.');
        const abort = new AbortController();
        const call = expect(readOf(session, 'SELECT 1', CAPS, abort.signal)).rejects.toBe(reason);
        setTimeout(() => abort.abort(reason), 200);
        await call;
        proxy.flow();
        await one(session);
      });
    }),
    30_000,
  );

  it(
    'does not make the next call wait for a connection whose call has left',
    withServer(async ({ target }) => {
      await throughProxy(target.port, async (proxy) => {
        const session = open({ ...target, port: proxy.port });
        proxy.stall();
        const abort = new AbortController();
        const reason = new AppError('E_CANCELLED', 'No longer wanted.');
        const calls = [1, 2].map(() => readOf(session, 'SELECT 1', CAPS, abort.signal));
        await proxy.stalled();
        abort.abort(reason);
        for (const call of calls) await expect(call).rejects.toBe(reason);
        proxy.flow();
        const start = performance.now();
        await one(session);
        expect(performance.now() - start).toBeLessThan(2_000);
      });
    }),
    30_000,
  );
});

describe('many calls at once', () => {
  it(
    'share the connections, and all get their turn',
    withServer(async ({ target }) => {
      const session = open(target);
      const calls = Array.from({ length: 200 }, (_, n) => readOf(session, `SELECT ${n}`, CAPS, signal()));
      const answers = await Promise.all(calls);
      expect(answers.map((answer) => (answer.kind === 'rows' ? answer.rows.rows[0]?.[0] : undefined))).toEqual(
        Array.from({ length: 200 }, (_, n) => n),
      );
    }),
    60_000,
  );

  it(
    'learn when all connections stay busy',
    withServer(async ({ target, superuser }) => {
      const session = open(target);
      const abort = new AbortController();
      const slow = Array.from({ length: SERVER_CONNECTIONS }, () =>
        readOf(session, "SELECT pg_sleep(60), 'hogs'", CAPS, abort.signal),
      );
      const ended = Promise.allSettled(slow);
      await running(superuser, 'hogs', SERVER_CONNECTIONS);
      await expect(readOf(session, 'SELECT 1', CAPS, AbortSignal.timeout(200))).rejects.toMatchObject({
        code: 'E_TIMEOUT',
      });
      await expect(readOf(session, 'SELECT 1', CAPS, signal())).rejects.toMatchObject({
        code: 'E_NO_CONNECTION',
        message: expect.stringContaining(`All ${SERVER_CONNECTIONS} connections`),
      });
      abort.abort(new AppError('E_CANCELLED', 'No longer wanted.'));
      await ended;
      await one(session);
    }),
    60_000,
  );

  it('each report that the server is down', async () => {
    const session = open(nowhere(await deadPort()));
    const calls = Array.from({ length: 30 }, () => readOf(session, 'SELECT 1', CAPS, signal()));
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ status: 'rejected', reason: { code: 'E_NO_CONNECTION' } });
    }
  }, 30_000);
});

function nowhere(port: number): ServerTarget {
  return {
    host: '127.0.0.1',
    port,
    user: 'a',
    password: new Secret('pw-that-never-shows'),
    database: 'a',
    options: {},
  };
}

describe('a connection that cannot be made', () => {
  it(
    'reports what is wrong, each in its own words, and never the password',
    withServer(async ({ target, superuser }) => {
      await askPostgres(superuser, 'REVOKE CONNECT ON DATABASE template1 FROM PUBLIC');
      const cases: readonly (readonly [ServerTarget, RegExp])[] = [
        [{ ...target, host: 'no-such-host.invalid' }, /host name of the database/],
        [nowhere(await deadPort()), /Nothing accepts connections/],
        [{ ...target, password: new Secret('pw-that-never-shows') }, /does not accept the user and password/],
        [{ ...target, password: undefined }, /requires a password/],
        [{ ...target, user: 'nobody-here' }, /does not accept the user and password/],
        [{ ...target, database: 'no such database' }, /no database of that name/],
        [{ ...target, database: 'template1' }, /may not connect to this database/],
        [{ ...target, host: join('/', 'no', 'such', 'folder') }, /socket does not exist/],
        [{ ...target, options: { sslmode: 'require' } }, /does not support TLS/],
        [{ ...target, options: { sslmode: 'sometimes' } }, /sslmode has an unknown value/],
        [
          { ...target, options: { sslmode: 'verify-full', sslrootcert: 'missing.pem' } },
          /sslrootcert names cannot be read/,
        ],
      ];
      for (const [wrong, sentence] of cases) {
        const error: unknown = await readOf(open(wrong), 'SELECT 1', CAPS, signal()).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(error).toMatchObject({
          code: 'E_NO_CONNECTION',
          message: expect.stringMatching(sentence),
          hint: expect.any(String),
        });
        expect(JSON.stringify([error, String(error)])).not.toMatch(/pw-that-never-shows|lab-pw|127\.0\.0\.1/);
      }
    }),
    60_000,
  );

  it(
    'is distinguished from a server that does not speak Postgres',
    () =>
      withStranger(
        (socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'),
        async (port) => {
          await expect(readOf(open(nowhere(port)), 'SELECT 1', CAPS, signal())).rejects.toMatchObject({
            code: 'E_NO_CONNECTION',
          });
        },
      ),
    30_000,
  );
});

describe('ways to the server', () => {
  it(
    'include sockets and IPv6',
    withServer(async ({ engine, target }) => {
      await one(open({ ...target, host: engine.folder }));
      await one(open({ ...target, host: '::1' }));
      await one(open({ ...target, host: 'localhost' }));
    }),
    30_000,
  );

  it(
    'takes unusual characters in every field',
    withServer(async ({ target, superuser }) => {
      const user = `odd "us'er" @:/?#ü`;
      const database = `odd "d'b" @:/?#ü`;
      const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
      await askPostgres(superuser, `CREATE ROLE ${quoted(user)} LOGIN PASSWORD 'p "w" @:/?#ü\\'`);
      await askPostgres(superuser, `CREATE DATABASE ${quoted(database)} OWNER ${quoted(user)}`);
      await one(open({ ...target, user, database, password: new Secret('p "w" @:/?#ü\\') }));
    }),
    30_000,
  );

  it(
    'are encrypted as the options say, and an untrusted certificate is refused',
    withServer(async ({ engine, target, superuser }) => {
      const authority = makeCertificate({ name: 'DevDB test authority', isAuthority: true });
      const certificate = makeCertificate({ name: 'localhost', by: authority });
      const { uid, gid } = statSync(join(engine.folder, 'data'));
      for (const [file, text] of [
        ['server.crt', certificate.cert],
        ['server.key', certificate.key],
      ] as const) {
        const path = join(engine.folder, 'data', file);
        writeFileSync(path, text, { mode: 0o600 });
        chownSync(path, uid, gid);
      }
      await askPostgres(superuser, 'ALTER SYSTEM SET ssl = on');
      const hba = join(engine.folder, 'data', 'pg_hba.conf');
      writeFileSync(
        hba,
        'hostssl all lab_tls all scram-sha-256\nlocal all all scram-sha-256\nhost all all all scram-sha-256\n'.replace(
          'host all all',
          'hostnossl all lab_tls all reject\nhost all all',
        ),
      );
      await askPostgres(superuser, "CREATE ROLE lab_tls LOGIN PASSWORD 'tls-pw'");
      await askPostgres(superuser, 'SELECT pg_reload_conf()');
      const over = (options: Record<string, unknown>, host = 'localhost'): Session =>
        open({ ...target, host, options, user: 'lab_tls', password: new Secret('tls-pw') });
      const encrypted = async (session: Session): Promise<unknown> => {
        const outcome = await readOf(
          session,
          'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
          CAPS,
          signal(),
        );
        return outcome.kind === 'rows' ? outcome.rows.rows[0]?.[0] : undefined;
      };
      const untilReloaded = async (): Promise<void> => {
        const [[ssl] = []] = await askPostgres(superuser, 'SHOW ssl');
        if (ssl !== 'on') await untilReloaded();
      };
      await untilReloaded();
      expect(await encrypted(over({ sslmode: 'verify-full', sslrootcert: authority.cert }))).toBe(true);
      expect(await encrypted(over({ ssl: { ca: authority.cert } }))).toBe(true);
      expect(await encrypted(over({ sslmode: 'verify-ca', sslrootcert: authority.cert }, '127.0.0.1'))).toBe(true);
      expect(await encrypted(over({ sslmode: 'no-verify' }))).toBe(true);
      expect(await encrypted(over({ ssl: { rejectUnauthorized: false } }))).toBe(true);
      expect(await encrypted(over({ sslmode: 'prefer' }))).toBe(true);
      // This server accepts the role only over TLS, and no mode was configured: the second way is tried.
      expect(await encrypted(over({}))).toBe(true);
      const refusals: readonly (readonly [Session, RegExp])[] = [
        [over({ sslmode: 'require' }), /unknown authority/],
        [over({ ssl: true }), /unknown authority/],
        [over({ sslmode: 'verify-full', sslrootcert: authority.cert }, '127.0.0.1'), /another host name/],
        [over({ sslmode: 'disable' }), /does not let this user connect/],
      ];
      for (const [session, sentence] of refusals) {
        await expect(readOf(session, 'SELECT 1', CAPS, signal())).rejects.toMatchObject({
          code: 'E_NO_CONNECTION',
          message: expect.stringMatching(sentence),
        });
      }
      const cancelled = over({ sslmode: 'no-verify' });
      await expect(
        readOf(cancelled, "SELECT pg_sleep(60), 'over tls'", CAPS, AbortSignal.timeout(300)),
      ).rejects.toMatchObject({ code: 'E_TIMEOUT' });
      await running(superuser, 'over tls', 0);
    }),
    60_000,
  );
});
