import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { AppError } from '@devdb/shared/errors';
import type { PeerStep } from '../../fixtures/tds-peer/index.ts';
import { SERVER_CONNECTIONS } from '../src/engines/limits.ts';
import { open } from '../src/engines/mssql/session.ts';
import { engineContext } from './helpers/engine-target.ts';
import { errorOf } from './helpers/error-of.ts';
import { CAPS, type PeerSession, patience, peerSession, targetOf } from './helpers/mssql-peer.ts';
import { until } from './helpers/processes.ts';
import { exportOf, readOf, writeOf } from './helpers/statements.ts';
import { deadPort, withStranger } from './helpers/stranger.ts';

const CERTIFICATE = {
  key: readFileSync(join(__dirname, '../../fixtures/tds-peer/certificate-key.pem'), 'utf8'),
  cert: readFileSync(join(__dirname, '../../fixtures/tds-peer/certificate.pem'), 'utf8'),
};
const CANCEL_BUDGET_MS = 100;
const CONTEXT = engineContext();
const ONE: readonly PeerStep[] = [{ columns: [['a', 'int']], rows: [['1']] }];

let at: PeerSession;

afterEach(async () => {
  await at.end();
});

describe('logging in', () => {
  it('sends user, password and database with any characters', async () => {
    const logins: unknown[] = [];
    at = await peerSession(({ sql }) => (sql === 'SELECT 1' ? ONE : undefined), {
      refuse: (login) => {
        logins.push(login);
        return undefined;
      },
    });
    await readOf(at.session, 'SELECT 1', CAPS, patience());
    expect(logins).toEqual([{ user: 'agent', password: 'pass;word{"é', database: 'shop', application: 'DevDB' }]);
  });

  it.each([
    [18456, "Login failed for user 'agent'.", 'does not accept the user and password'],
    [4060, 'Cannot open database "shop" requested by the login. The login failed.', 'no database of that name'],
    [18470, 'Login failed. The account is disabled.', 'is disabled'],
    [18487, 'Login failed. The password of the account has expired.', 'has expired'],
    [17142, 'SQL Server service has been paused.', 'has been paused'],
    [40615, 'Client with IP address is not allowed to access the server.', 'firewall'],
    [29999, 'Something new.', 'refused the connection: Something new.'],
  ])('explains refusal %i without the password', async (number, message, words) => {
    at = await peerSession(undefined, { refuse: () => ({ number, message, severity: 14 }) });
    const error = await errorOf(readOf(at.session, 'SELECT 1', CAPS, patience()));
    expect(error).toMatchObject({
      code: 'E_NO_CONNECTION',
      message: expect.stringContaining(words),
      details: { engineCode: String(number), errno: number },
    });
    expect(error.hint).toBeDefined();
    expect(inspect(error.message + error.hint + JSON.stringify(error.details))).not.toContain('pass;word');
  });

  it('reports when nothing listens', async () => {
    at = await peerSession();
    const session = open(targetOf(await deadPort()), CONTEXT);
    expect(await errorOf(session.tables(patience()))).toMatchObject({
      code: 'E_NO_CONNECTION',
      message: expect.stringContaining('Nothing accepts connections'),
    });
    await session.end();
  });

  it('reports an unknown host', async () => {
    at = await peerSession(undefined, {}, { host: 'no-such-host.invalid' });
    expect((await errorOf(at.session.tables(patience()))).message).toMatch(/cannot be resolved|could not be resolved/);
  });

  it('does not wait for ever for a silent server', async () => {
    at = await peerSession(undefined, { isMute: true }, { options: { encrypt: false, connectTimeout: 300 } });
    const error = await errorOf(at.session.tables(patience()));
    expect(error).toMatchObject({ code: 'E_NO_CONNECTION', message: 'The server did not answer in time.' });
  });

  it('ends at once when the call is cancelled meanwhile', async () => {
    at = await peerSession(undefined, { isMute: true });
    const stop = new AbortController();
    const reading = readOf(at.session, 'SELECT 1', CAPS, stop.signal);
    const start = performance.now();
    stop.abort(new AppError('E_CANCELLED', 'Stopped.'));
    expect((await errorOf(reading)).code).toBe('E_CANCELLED');
    expect(performance.now() - start).toBeLessThan(CANCEL_BUDGET_MS);
  });

  it('works over IPv6', async () => {
    at = await peerSession(({ sql }) => (sql === 'SELECT 1' ? ONE : undefined), { host: '::1' }, { host: '[::1]' });
    expect(await readOf(at.session, 'SELECT 1', CAPS, patience())).toMatchObject({ kind: 'rows' });
  });

  it('refuses LocalDB and named pipes with a reason', async () => {
    at = await peerSession(undefined, {}, { host: '(localdb)\\MSSQLLocalDB' });
    expect((await errorOf(at.session.tables(patience()))).message).toContain('LocalDB');
  });
});

describe('encryption', () => {
  const encrypted = (options: Record<string, unknown>, host = '127.0.0.1') =>
    peerSession(({ sql }) => (sql === 'SELECT 1' ? ONE : undefined), { certificate: CERTIFICATE }, { host, options });

  it('is used for everything when required, including the login', async () => {
    at = await encrypted({ encrypt: 'true', trustServerCertificate: 'yes' });
    await readOf(at.session, 'SELECT 1', CAPS, patience());
    expect(at.peer.transcript.length).toBeGreaterThan(3);
    expect(at.peer.transcript.every(({ event, isEncrypted }) => isEncrypted || event === 'closed')).toBe(true);
  });

  it('refuses an untrusted certificate', async () => {
    at = await encrypted({ encrypt: true, trustServerCertificate: false });
    const error = await errorOf(readOf(at.session, 'SELECT 1', CAPS, patience()));
    expect(error).toMatchObject({ code: 'E_NO_CONNECTION', message: expect.stringContaining('self-signed') });
    expect(at.peer.transcript.some(({ event }) => event === 'login')).toBe(false);
  });

  it('accepts it when its CA is named', async () => {
    at = await encrypted({ encrypt: true, ca: CERTIFICATE.cert, hostNameInCertificate: 'localhost' });
    await readOf(at.session, 'SELECT 1', CAPS, patience());
    expect(at.peer.transcript[0]).toMatchObject({ event: 'login', isEncrypted: true });
  });

  it('reports when the server has none', async () => {
    at = await peerSession(undefined, {}, { options: { encrypt: true } });
    expect((await errorOf(at.session.tables(patience()))).message).toContain('does not support TLS');
  });
});

describe('cancel and timeout', () => {
  it('reach the server within the budget, and the connection is closed', async () => {
    at = await peerSession(({ sql }) => (sql === 'SELECT slow' ? [{ stall: true }] : undefined));
    const stop = new AbortController();
    const reading = errorOf(readOf(at.session, 'SELECT slow', CAPS, stop.signal));
    await at.peer.seen(({ text }) => text === 'SELECT slow');
    const start = performance.now();
    stop.abort(new AppError('E_TIMEOUT', 'It took too long.'));
    expect((await reading).code).toBe('E_TIMEOUT');
    await at.peer.seen(({ event }) => event === 'attention');
    expect(performance.now() - start).toBeLessThan(CANCEL_BUDGET_MS);
    await at.peer.seen(({ event }) => event === 'closed');
    expect(at.peer.texts(1).slice(-2)).toEqual(['attention', 'closed']);
  });

  it('stop a statement in the middle of its rows', async () => {
    at = await peerSession(({ sql }) =>
      sql === 'SELECT slow' ? [{ columns: [['a', 'int']], rows: [['1'], ['2']] }, { stall: true }] : undefined,
    );
    const stop = new AbortController();
    const reading = errorOf(readOf(at.session, 'SELECT slow', CAPS, stop.signal));
    await at.peer.seen(({ text }) => text === 'SELECT slow');
    stop.abort(new AppError('E_CANCELLED', 'Stopped.'));
    expect((await reading).code).toBe('E_CANCELLED');
    await at.peer.seen(({ event }) => event === 'closed');
  });

  it('do not wait for a server that does not confirm, and keep its connection', async () => {
    at = await peerSession(({ sql }) => (sql === 'SELECT slow' ? [{ stall: true }] : undefined), {
      ignoresAttention: true,
    });
    const stop = new AbortController();
    const reading = errorOf(readOf(at.session, 'SELECT slow', CAPS, stop.signal));
    await at.peer.seen(({ text }) => text === 'SELECT slow');
    const start = performance.now();
    stop.abort(new AppError('E_CANCELLED', 'Stopped.'));
    await reading;
    expect(performance.now() - start).toBeLessThan(CANCEL_BUDGET_MS);
    await at.peer.seen(({ event }) => event === 'attention');
    expect(at.peer.openConnections).toBe(1);
  });

  it('send nothing more once the call is stopped', async () => {
    const stop = new AbortController();
    at = await peerSession(({ sql }) => {
      // The answer to BEGIN TRANSACTION and the stop cross each other.
      if (sql.includes('BEGIN TRANSACTION')) stop.abort(new AppError('E_CANCELLED', 'Stopped.'));
      return undefined;
    });
    await errorOf(writeOf(at.session, 'DELETE FROM t', CAPS, undefined, stop.signal));
    await at.peer.seen(({ event }) => event === 'closed');
    expect(at.peer.transcript.some(({ text }) => text === 'DELETE FROM t')).toBe(false);
  });

  it('end an export that waits for its sink', async () => {
    at = await peerSession(({ sql }) =>
      sql === 'SELECT n'
        ? [{ columns: [['t', 'nvarchar(max)']], rows: Array.from({ length: 2000 }, () => ['x'.repeat(1000)]) }]
        : undefined,
    );
    const stop = new AbortController();
    const first = Promise.withResolvers<void>();
    const never = Promise.withResolvers<void>();
    const sink = {
      write: () => {
        first.resolve();
        return never.promise;
      },
    };
    const exporting = errorOf(exportOf(at.session, 'SELECT n', 'csv', sink, stop.signal));
    await first.promise;
    stop.abort(new AppError('E_CANCELLED', 'Stopped.'));
    expect((await exporting).code).toBe('E_CANCELLED');
    await at.peer.seen(({ event }) => event === 'closed');
    never.resolve();
  });
});

describe('a connection that is lost', () => {
  const dropped = (statement: string) =>
    peerSession(({ sql }) =>
      sql === statement
        ? [{ columns: [['a', 'int']], rows: [['1']] }, { drop: true }]
        : sql === 'SELECT 1'
          ? ONE
          : undefined,
    );

  it('during a read reports that nothing was changed, and the next call connects anew', async () => {
    at = await dropped('SELECT x');
    expect(await errorOf(readOf(at.session, 'SELECT x', CAPS, patience()))).toMatchObject({
      code: 'E_NO_CONNECTION',
      message: expect.stringContaining('It was a read'),
      details: { mayHaveBeenCarriedOut: false },
    });
    expect(await readOf(at.session, 'SELECT 1', CAPS, patience())).toMatchObject({ kind: 'rows' });
  });

  it('during an uncommitted write reports that the server rolls it back', async () => {
    at = await dropped('DELETE FROM t');
    expect(await errorOf(writeOf(at.session, 'DELETE FROM t', CAPS, undefined, patience()))).toMatchObject({
      code: 'E_NO_CONNECTION',
      message: expect.stringContaining('rolls it back'),
      details: { mayHaveBeenCarriedOut: false },
    });
  });

  it('during the commit reports that the outcome is unknown, and is not retried', async () => {
    at = await peerSession(({ sql }) =>
      sql === 'DELETE FROM t' ? [{ count: 3 }] : sql === 'COMMIT TRANSACTION' ? [{ drop: true }] : undefined,
    );
    expect(await errorOf(writeOf(at.session, 'DELETE FROM t', CAPS, undefined, patience()))).toMatchObject({
      message: expect.stringContaining('not known'),
      details: { mayHaveBeenCarriedOut: true },
    });
    expect(at.peer.transcript.filter(({ text }) => text === 'DELETE FROM t')).toHaveLength(1);
  });

  it('during a procedure reports that the outcome is unknown', async () => {
    at = await dropped('EXEC dbo.p');
    expect((await errorOf(writeOf(at.session, 'EXEC dbo.p', CAPS, undefined, patience()))).details).toMatchObject({
      mayHaveBeenCarriedOut: true,
    });
  });

  it('by the server that ends the session keeps its message', async () => {
    at = await peerSession(({ sql }) =>
      sql === 'SELECT x'
        ? [
            {
              error: {
                number: 596,
                severity: 21,
                message: 'Cannot continue the execution because the session is in the kill state.',
              },
            },
          ]
        : undefined,
    );
    expect(await errorOf(readOf(at.session, 'SELECT x', CAPS, patience()))).toMatchObject({
      code: 'E_NO_CONNECTION',
      message: expect.stringContaining('kill state'),
      details: { engineCode: '596', errno: 596 },
    });
  });

  it('by bytes that are not TDS is an error of that call alone', async () => {
    at = await peerSession(({ sql }) =>
      sql === 'SELECT x'
        ? [{ bytes: Buffer.from('this is not a token stream') }]
        : sql === 'SELECT 1'
          ? ONE
          : undefined,
    );
    expect((await errorOf(readOf(at.session, 'SELECT x', CAPS, patience()))).code).toBe('E_NO_CONNECTION');
    expect(await readOf(at.session, 'SELECT 1', CAPS, patience())).toMatchObject({ kind: 'rows' });
  });

  /** The start of a result with one value of this size, as its header says. */
  function beginningOf(mebibytes: bigint): Buffer {
    const columns = Buffer.from([0x81, 1, 0, 0, 0, 0, 0, 9, 0, 0xa5, 0xff, 0xff, 0]);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(mebibytes * 1024n * 1024n);
    return Buffer.concat([columns, Buffer.from([0xd1]), length]);
  }

  it('by a value for which other calls leave no room is reported, until they are cancelled', async () => {
    at = await peerSession(({ sql }) =>
      sql === 'SELECT x' ? [{ bytes: beginningOf(200n) }, { stall: true }] : sql === 'SELECT 1' ? ONE : undefined,
    );
    const { session, held } = at;
    const cancel = new AbortController();
    const first = errorOf(readOf(session, 'SELECT x', CAPS, cancel.signal));
    await until('the value was announced', () => held.held > 0);
    expect(await errorOf(readOf(session, 'SELECT x', CAPS, patience()))).toMatchObject({
      code: 'E_SQL',
      message: expect.stringContaining('other calls hold large values'),
      hint: expect.stringContaining('in a moment'),
    });
    expect(await readOf(session, 'SELECT 1', CAPS, patience())).toMatchObject({ kind: 'rows' });
    expect(held.held).toBe(200 * 1024 * 1024);
    cancel.abort(new AppError('E_CANCELLED', 'Not wanted.'));
    expect((await first).code).toBe('E_CANCELLED');
    await until('the value was given back', () => held.held === 0);
  });

  it('by a value that is too large to be held is reported', async () => {
    const huge = beginningOf(300n);
    at = await peerSession(({ sql }) => (sql === 'SELECT x' ? [{ bytes: huge }, { stall: true }] : undefined));
    expect(await errorOf(readOf(at.session, 'SELECT x', CAPS, patience()))).toMatchObject({
      code: 'E_SQL',
      message: expect.stringContaining('256 MiB'),
    });
  });
});

describe('many calls at once', () => {
  it('are all served', async () => {
    at = await peerSession(({ sql }) => (sql === 'SELECT 1' ? ONE : undefined));
    const calls = Array.from({ length: 40 }, () => readOf(at.session, 'SELECT 1', CAPS, patience()));
    expect((await Promise.all(calls)).every(({ kind }) => kind === 'rows')).toBe(true);
  });

  it('open no more connections than there are places, and leave the queue when they are cancelled', async () => {
    at = await peerSession(({ sql }) =>
      sql === 'SELECT slow' ? [{ stall: true }] : sql === 'SELECT 1' ? ONE : undefined,
    );
    const slow = new AbortController();
    const busy = Array.from({ length: SERVER_CONNECTIONS }, () =>
      errorOf(readOf(at.session, 'SELECT slow', CAPS, slow.signal)),
    );
    const seen = Array.from({ length: SERVER_CONNECTIONS }, (_, i) =>
      at.peer.seen(({ connection, text }) => connection === i + 1 && text === 'SELECT slow'),
    );
    await Promise.all(seen);
    const stop = new AbortController();
    const waiting = errorOf(readOf(at.session, 'SELECT 1', CAPS, stop.signal));
    const next = readOf(at.session, 'SELECT 1', CAPS, patience());
    stop.abort(new AppError('E_CANCELLED', 'Stopped.'));
    expect((await waiting).code).toBe('E_CANCELLED');
    expect(at.peer.openConnections).toBe(SERVER_CONNECTIONS);
    slow.abort(new AppError('E_CANCELLED', 'Stopped.'));
    await Promise.all(busy);
    expect(await next).toMatchObject({ kind: 'rows' });
  });
});

describe('the end of a session', () => {
  it('ends what runs, leaves no connection, and may be repeated', async () => {
    at = await peerSession(({ sql }) => (sql === 'SELECT slow' ? [{ stall: true }] : undefined));
    const reading = errorOf(readOf(at.session, 'SELECT slow', CAPS, patience()));
    await at.peer.seen(({ text }) => text === 'SELECT slow');
    await Promise.all([at.session.end(), at.session.end()]);
    expect((await reading).code).toBe('E_NO_CONNECTION');
    await at.peer.seen(({ event }) => event === 'closed');
    expect((await errorOf(readOf(at.session, 'SELECT 1', CAPS, patience()))).code).toBe('E_NO_CONNECTION');
  });

  it('is survived by nothing when the server is killed and comes back', async () => {
    at = await peerSession(({ sql }) =>
      sql === 'SELECT slow' ? [{ stall: true }] : sql === 'SELECT 1' ? ONE : undefined,
    );
    const reading = errorOf(readOf(at.session, 'SELECT slow', CAPS, patience()));
    await at.peer.seen(({ text }) => text === 'SELECT slow');
    at.peer.dropAll();
    expect((await reading).message).toContain('was lost');
    expect(await readOf(at.session, 'SELECT 1', CAPS, patience())).toMatchObject({ kind: 'rows' });
  });
});

describe('a port of a different kind of server', () => {
  it('is reported as such', async () => {
    at = await peerSession();
    await withStranger(
      (socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      async (port) => {
        const session = open(targetOf(port), CONTEXT);
        expect((await errorOf(session.tables(patience()))).code).toBe('E_NO_CONNECTION');
        await session.end();
      },
    );
  });
});
