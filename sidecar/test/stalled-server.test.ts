import { AppError } from '@devdb/shared/errors';
import { CONNECT_TIMEOUT_MS, SERVER_GOODBYE_MS } from '@devdb/shared/limits';
import { TdsPeer } from '../../fixtures/tds-peer/index.ts';
import type { Caps, Engine, ServerTarget } from '../src/engines/engine.ts';
import { mssqlEngine } from '../src/engines/mssql/open.ts';
import { mysqlEngine } from '../src/engines/mysql/open.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { throughProxy } from './helpers/cuttable-proxy.ts';
import { targetOf as peerTarget } from './helpers/mssql-peer.ts';
import { type MysqlKind, mysqlLab } from './helpers/mysql-lab.ts';
import { engineContext, postgresLab } from './helpers/postgres-lab.ts';

const CAPS: Caps = { rows: 100, bytes: 64 * 1024, cellBytes: 4096 };
/** Where on its way to an answer the server falls silent, as parts of all bytes that it sends. */
const SILENCES = [0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99];
/** Those of them that come before any statement can be sent. */
const WHILE_CONNECTING = [0, 0.02, 0.1, 0.2];
/** A call ends at once; this is room for a machine that is busy. */
const AT_ONCE_MS = 1_500;
/** What may be waited for is one goodbye: a request to stop that nobody answers. */
const END_MS = SERVER_GOODBYE_MS + AT_ONCE_MS;

interface Lab {
  readonly engine: Engine;
  readonly target: ServerTarget;
  remove(): Promise<void>;
}

const LABS: Readonly<Record<string, () => Promise<Lab | undefined>>> = {
  Postgres: async () => {
    const lab = await postgresLab();
    return lab && { engine: postgresEngine, target: lab.target, remove: lab.remove };
  },
  MySQL: () => ofMysql('mysql'),
  MariaDB: () => ofMysql('mariadb'),
  'a peer that speaks TDS': async () => {
    const peer = await TdsPeer.listen({
      script: ({ sql }) => (/^SELECT 1$/.test(sql) ? [{ columns: [['a', 'int']], rows: [['1']] }] : undefined),
    });
    return { engine: mssqlEngine, target: peerTarget(peer.port), remove: () => peer.close() };
  },
};

async function ofMysql(kind: MysqlKind): Promise<Lab | undefined> {
  const lab = await mysqlLab(kind);
  return lab && { engine: mysqlEngine, target: lab.target, remove: lab.remove };
}

describe.each(Object.keys(LABS))('a way to %s that stalls', (name) => {
  let lab: Lab | undefined;
  let bytes = 0;

  beforeAll(async () => {
    lab = await LABS[name]?.();
    if (lab === undefined) return;
    const { engine, target } = lab;
    await throughProxy(target.port, async (proxy) => {
      const session = engine.open({ ...target, port: proxy.port }, engineContext());
      expect(await session.read('SELECT 1', CAPS, AbortSignal.timeout(20_000))).toMatchObject({ kind: 'rows' });
      await session.end();
      bytes = proxy.bytesFromServer(0);
    });
  }, 120_000);

  afterAll(() => lab?.remove());

  it('is told in words and in time while nobody cancels', async () => {
    if (lab === undefined) return;
    const { engine, target } = lab;
    await Promise.all(
      WHILE_CONNECTING.map((part) =>
        throughProxy(target.port, async (proxy) => {
          proxy.stallAfter(Math.floor(bytes * part));
          const session = engine.open({ ...target, port: proxy.port }, engineContext());
          const call = session.read('SELECT 1', CAPS, AbortSignal.timeout(30_000)).catch((error: unknown) => error);
          const told = await timed(call);
          expect(told.value).toMatchObject({ code: 'E_NO_CONNECTION', message: 'The server did not answer in time.' });
          expect(told.ms).toBeLessThan(2 * CONNECT_TIMEOUT_MS + AT_ONCE_MS);
          await session.end();
          await proxy.empty();
        }),
      ),
    );
  }, 60_000);

  it('holds neither a cancelled call nor the end, wherever the server fell silent', async () => {
    if (lab === undefined) return;
    const { engine, target } = lab;
    expect(bytes).toBeGreaterThan(100);
    await Promise.all(
      SILENCES.map((part) =>
        throughProxy(target.port, async (proxy) => {
          proxy.stallAfter(Math.floor(bytes * part));
          const session = engine.open({ ...target, port: proxy.port }, engineContext());
          const abort = new AbortController();
          const call = session.read('SELECT 1', CAPS, abort.signal).then(
            () => 'answered',
            (error: unknown) => error,
          );
          await proxy.stalled();
          const reason = new AppError('E_TIMEOUT', 'Too long.');
          abort.abort(reason);
          const ended = await timed(call);
          // What stalls after the answer is the tidying up behind it.
          expect([reason, 'answered']).toContain(ended.value);
          expect(ended.ms).toBeLessThan(AT_ONCE_MS);
          expect((await timed(session.end())).ms).toBeLessThan(END_MS);
          await proxy.empty();
        }),
      ),
    );
  }, 60_000);

  it('does not hold the end of a session whose calls go on', async () => {
    if (lab === undefined) return;
    const { engine, target } = lab;
    await Promise.all(
      SILENCES.map((part) =>
        throughProxy(target.port, async (proxy) => {
          proxy.stallAfter(Math.floor(bytes * part));
          const session = engine.open({ ...target, port: proxy.port }, engineContext());
          const calls = Array.from({ length: 3 }, () =>
            session.read('SELECT 1', CAPS, new AbortController().signal).then(
              () => 'answered',
              (error: unknown) => (error instanceof AppError ? error.code : error),
            ),
          );
          await proxy.stalled();
          expect((await timed(session.end())).ms).toBeLessThan(END_MS);
          for (const call of await Promise.all(calls)) expect(['answered', 'E_NO_CONNECTION']).toContain(call);
          await proxy.empty();
        }),
      ),
    );
  }, 60_000);

  it('does not hold the end when the connections after the first are never made', async () => {
    if (lab === undefined) return;
    const { engine, target } = lab;
    await Promise.all(
      SILENCES.map((part) =>
        throughProxy(target.port, async (proxy) => {
          proxy.stallAfter(Math.floor(bytes * part), 1);
          const session = engine.open({ ...target, port: proxy.port }, engineContext());
          expect(await session.read('SELECT 1', CAPS, AbortSignal.timeout(20_000))).toMatchObject({ kind: 'rows' });
          expect((await timed(session.end())).ms).toBeLessThan(AT_ONCE_MS);
          await proxy.empty();
        }),
      ),
    );
  }, 60_000);
});

async function timed<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const start = performance.now();
  const value = await work;
  return { value, ms: performance.now() - start };
}
