import { AppError } from '@devdb/shared/errors';
import type { LabKind } from '../../fixtures/labs/engines/kinds.ts';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import { TdsPeer } from '../../fixtures/tds-peer/index.ts';
import type { Caps, Engine, ServerTarget } from '../src/engines/engine.ts';
import { CONNECT_TIMEOUT_MS, SERVER_GOODBYE_MS } from '../src/engines/limits.ts';
import { mssqlEngine } from '../src/engines/mssql/session.ts';
import { mysqlEngine } from '../src/engines/mysql/session.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { throughProxy } from './helpers/cuttable-proxy.ts';
import { engineContext } from './helpers/engine-target.ts';
import { targetOf as peerTarget } from './helpers/mssql-peer.ts';
import { type MysqlKind, mysqlLab } from './helpers/mysql-lab.ts';
import { postgresLab } from './helpers/postgres-lab.ts';
import { readOf, writeOf } from './helpers/statements.ts';

const CAPS: Caps = { rows: 100, bytes: 64 * 1024, cellBytes: 4096 };
/** Where on its way to an answer the server falls silent, as fractions of all bytes it sends. */
const SILENCES = [0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99];
/** Bytes from the server after which no login is complete. */
const WHILE_CONNECTING = [0, 5, 20, 60];
/** A call ends at once; this leaves room for a busy machine. */
const AT_ONCE_MS = 1_500;
/** It may wait for one goodbye: an unanswered stop request. */
const END_MS = SERVER_GOODBYE_MS + AT_ONCE_MS;

const INSERT = 'INSERT INTO held VALUES (1)';

interface Lab {
  readonly engine: Engine;
  readonly target: ServerTarget;
  /** Queries the server itself, where it stores anything. */
  readonly ask?: (sql: string) => Promise<unknown[][]>;
  remove(): Promise<void>;
}

/** By the name of what is stalled, with the engine it needs from this run, if any. */
const LABS: Readonly<Record<string, { readonly kind?: LabKind; readonly open: () => Promise<Lab | undefined> }>> = {
  Postgres: {
    kind: 'postgres',
    open: async () => {
      const lab = await postgresLab();
      return lab && { engine: postgresEngine, target: lab.target, ask: lab.ask, remove: lab.remove };
    },
  },
  MySQL: { kind: 'mysql', open: () => ofMysql('mysql') },
  MariaDB: { kind: 'mariadb', open: () => ofMysql('mariadb') },
  'a peer that speaks TDS': {
    open: async () => {
      const peer = await TdsPeer.listen({
        script: ({ sql }) => {
          if (sql === 'SELECT 1') return [{ columns: [['a', 'int']], rows: [['1']] }];
          return sql === INSERT ? [{ count: 1 }] : undefined;
        },
      });
      return { engine: mssqlEngine, target: peerTarget(peer.port), remove: () => peer.close() };
    },
  },
};

async function ofMysql(kind: MysqlKind): Promise<Lab | undefined> {
  const lab = await mysqlLab(kind);
  return lab && { engine: mysqlEngine, target: lab.target, ask: lab.ask, remove: lab.remove };
}

describe.each(Object.entries(LABS))('a connection to %s that stalls', (_name, { kind, open }) => {
  const { it } = kind === undefined ? { it: test } : suiteOn(kind);
  let lab: Lab | undefined;
  let bytes = 0;

  beforeAll(async () => {
    lab = await open();
    assertMade(lab);
    const { engine, target } = lab;
    await throughProxy(target.port, async (proxy) => {
      const session = engine.open({ ...target, port: proxy.port }, engineContext());
      expect(await readOf(session, 'SELECT 1', CAPS, AbortSignal.timeout(20_000))).toMatchObject({ kind: 'rows' });
      await session.end();
      bytes = proxy.bytesFromServer(0);
    });
  }, 120_000);

  afterAll(() => lab?.remove());

  it('is reported in time without a cancel', async () => {
    assertMade(lab);
    const { engine, target } = lab;
    await Promise.all(
      WHILE_CONNECTING.map((sent) =>
        throughProxy(target.port, async (proxy) => {
          proxy.stallAfter(sent);
          const session = engine.open({ ...target, port: proxy.port }, engineContext());
          const call = readOf(session, 'SELECT 1', CAPS, AbortSignal.timeout(30_000)).catch((error: unknown) => error);
          const told = await timed(call);
          expect(told.value).toMatchObject({ code: 'E_NO_CONNECTION', message: 'The server did not answer in time.' });
          expect(told.ms).toBeLessThan(2 * CONNECT_TIMEOUT_MS + AT_ONCE_MS);
          await session.end();
          await proxy.empty();
        }),
      ),
    );
  }, 60_000);

  it('holds up neither a cancelled call nor the end, wherever the server fell silent', async () => {
    assertMade(lab);
    const { engine, target } = lab;
    expect(bytes).toBeGreaterThan(100);
    await Promise.all(
      SILENCES.map((part) =>
        throughProxy(target.port, async (proxy) => {
          proxy.stallAfter(Math.floor(bytes * part));
          const session = engine.open({ ...target, port: proxy.port }, engineContext());
          const abort = new AbortController();
          const call = readOf(session, 'SELECT 1', CAPS, abort.signal).then(
            () => 'answered',
            (error: unknown) => error,
          );
          // On a very busy machine, connecting may time out before anything stalls.
          const before = await Promise.race([proxy.stalled(), call]);
          const reason = new AppError('E_TIMEOUT', 'Too long.');
          abort.abort(reason);
          const ended = await timed(call);
          // What stalls after the answer is the clean-up behind it.
          expect([reason, 'answered', before]).toContain(ended.value);
          expect(ended.ms).toBeLessThan(AT_ONCE_MS);
          expect((await timed(session.end())).ms).toBeLessThan(END_MS);
          await proxy.empty();
        }),
      ),
    );
  }, 60_000);

  it('does not delay the end of a session whose calls still run', async () => {
    assertMade(lab);
    const { engine, target } = lab;
    await Promise.all(
      SILENCES.map((part) =>
        throughProxy(target.port, async (proxy) => {
          proxy.stallAfter(Math.floor(bytes * part));
          const session = engine.open({ ...target, port: proxy.port }, engineContext());
          const calls = Array.from({ length: 3 }, () =>
            readOf(session, 'SELECT 1', CAPS, new AbortController().signal).then(
              () => 'answered',
              (error: unknown) => (error instanceof AppError ? error.code : error),
            ),
          );
          await Promise.race([proxy.stalled(), ...calls]);
          expect((await timed(session.end())).ms).toBeLessThan(END_MS);
          for (const call of await Promise.all(calls)) expect(['answered', 'E_NO_CONNECTION']).toContain(call);
          await proxy.empty();
        }),
      ),
    );
  }, 60_000);

  it('does not delay the end when connections after the first are never made', async () => {
    assertMade(lab);
    const { engine, target } = lab;
    await Promise.all(
      SILENCES.map((part) =>
        throughProxy(target.port, async (proxy) => {
          proxy.stallAfter(Math.floor(bytes * part), 1);
          const session = engine.open({ ...target, port: proxy.port }, engineContext());
          expect(await readOf(session, 'SELECT 1', CAPS, AbortSignal.timeout(20_000))).toMatchObject({ kind: 'rows' });
          expect((await timed(session.end())).ms).toBeLessThan(AT_ONCE_MS);
          await proxy.empty();
        }),
      ),
    );
  }, 60_000);

  it('lets a commit in transit get its answer, and says so when the outcome is unknown', async () => {
    assertMade(lab);
    const { engine, target, ask } = lab;
    await ask?.('CREATE TABLE held (n int)');
    await throughProxy(target.port, async (proxy) => {
      const session = engine.open({ ...target, port: proxy.port }, engineContext());
      const abort = new AbortController();
      proxy.holdAnswerTo('COMMIT');
      const answered = writeOf(session, INSERT, CAPS, undefined, abort.signal);
      await proxy.stalled();
      abort.abort(new AppError('E_CANCELLED', 'No longer wanted.'));
      proxy.flow();
      expect(await answered).toMatchObject({ kind: 'done' });
      await session.end();
    });
    await throughProxy(target.port, async (proxy) => {
      const session = engine.open({ ...target, port: proxy.port }, engineContext());
      const abort = new AbortController();
      proxy.holdAnswerTo('COMMIT');
      const unanswered = timed(
        writeOf(session, INSERT, CAPS, undefined, abort.signal).catch((error: unknown) => error),
      );
      await proxy.stalled();
      abort.abort(new AppError('E_CANCELLED', 'No longer wanted.'));
      const told = await unanswered;
      expect(told.value).toMatchObject({ code: 'E_SQL', details: { mayHaveBeenCarriedOut: true } });
      expect(told.ms).toBeLessThan(END_MS);
      await session.end();
    });
    if (ask) expect(Number((await ask('SELECT count(*) FROM held'))[0]?.[0])).toBe(2);
  }, 60_000);
});

async function timed<T>(work: Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const start = performance.now();
  const value = await work;
  return { value, ms: performance.now() - start };
}
