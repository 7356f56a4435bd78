import { AppError } from '@devdb/shared/errors';
import type { LabKind } from '../../fixtures/labs/engines/kinds.ts';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { Caps, Engine, ServerTarget, Session } from '../src/engines/engine.ts';
import { SERVER_CONNECTIONS, SERVER_GOODBYE_MS } from '../src/engines/limits.ts';
import { mysqlEngine } from '../src/engines/mysql/session.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { engineContext } from './helpers/engine-target.ts';
import { errorOf } from './helpers/error-of.ts';
import { type MysqlKind, mysqlLab } from './helpers/mysql-lab.ts';
import { postgresLab } from './helpers/postgres-lab.ts';
import { exportOf, readOf } from './helpers/statements.ts';

const CAPS: Caps = { rows: 100, bytes: 64 * 1024, cellBytes: 4096 };
/** A call ends at once; this leaves room for a busy machine. */
const AT_ONCE_MS = 1_500;

interface Lab {
  readonly engine: Engine;
  readonly target: ServerTarget;
  ask(sql: string): Promise<unknown[][]>;
  remove(): Promise<void>;
}

interface Server {
  readonly kind: LabKind;
  readonly lab: () => Promise<Lab | undefined>;
  /** Works for some seconds inside a library that does not check for cancellation. */
  readonly deaf: string;
  /** The number of such statements that the server runs now. */
  readonly running: string;
}

async function ofMysql(kind: MysqlKind): Promise<Lab | undefined> {
  const lab = await mysqlLab(kind);
  return lab && { engine: mysqlEngine, target: lab.target, ask: lab.ask, remove: lab.remove };
}

const MYSQL_DEAF = `SELECT EXTRACTVALUE(CONCAT('<a>', REPEAT('<b/>', 650), '</a>'), 'count(//b[count(//b[count(//b)>0])>0])') /* deaf */`;
const MYSQL_RUNNING = `SELECT count(*) FROM information_schema.PROCESSLIST WHERE INFO LIKE '%/* deaf */%' AND INFO NOT LIKE '%PROCESSLIST%'`;

const SERVERS: Readonly<Record<string, Server>> = {
  Postgres: {
    kind: 'postgres',
    lab: async () => {
      const lab = await postgresLab();
      return lab && { engine: postgresEngine, target: lab.target, ask: lab.ask, remove: lab.remove };
    },
    deaf: `SELECT xpath('count(//b[count(//b[count(//b)>0])>0])', ('<a>' || repeat('<b/>', 600) || '</a>')::xml) /* deaf */`,
    running: `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%/* deaf */' AND query NOT LIKE '%pg_stat%' AND state = 'active'`,
  },
  MySQL: { kind: 'mysql', lab: () => ofMysql('mysql'), deaf: MYSQL_DEAF, running: MYSQL_RUNNING },
  MariaDB: { kind: 'mariadb', lab: () => ofMysql('mariadb'), deaf: MYSQL_DEAF, running: MYSQL_RUNNING },
};

describe.each(Object.entries(SERVERS))(
  'statements that %s does not stop',
  (_name, { kind, lab: makeLab, deaf, running }) => {
    const { it } = suiteOn(kind);
    let lab: Lab | undefined;
    let session: Session | undefined;

    beforeAll(async () => {
      lab = await makeLab();
    }, 120_000);

    afterEach(async () => {
      await session?.end();
      session = undefined;
    });

    afterAll(async () => {
      assertMade(lab);
      // A database cannot be dropped while somebody is connected.
      while (Number((await lab.ask(running))[0]?.[0]) > 0) await turn();
      await lab.remove();
    }, 120_000);

    it('keep their places until the server is done, and this is reported', async () => {
      assertMade(lab);
      const { engine, target, ask } = lab;
      session = engine.open(target, engineContext());
      const open = session;
      const count = async (): Promise<number> => Number((await ask(running))[0]?.[0]);
      // All other places are taken by calls that wait for their readers.
      const gate = Promise.withResolvers<void>();
      const arrived = Array.from({ length: SERVER_CONNECTIONS - 2 }, () => Promise.withResolvers<void>());
      const exports = arrived.map(({ resolve }) => {
        const write = (): Promise<void> => {
          resolve();
          return gate.promise;
        };
        return exportOf(open, 'SELECT 1 AS a', 'csv', { write }, patience());
      });
      const held = Promise.allSettled(exports);
      await Promise.all(arrived.map(({ promise }) => promise));
      const stop = new AbortController();
      const deafCalls = [1, 2].map(() => errorOf(readOf(open, deaf, CAPS, stop.signal)));
      while ((await count()) < 2) await Promise.race([...deafCalls.map(failed), turn()]);
      const start = performance.now();
      stop.abort(new AppError('E_TIMEOUT', 'Too long.'));
      expect((await Promise.all(deafCalls)).map(({ code }) => code)).toEqual(['E_TIMEOUT', 'E_TIMEOUT']);
      expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
      while (!open.guard.reason.includes('2 cancelled statements are still running')) await turn();

      const waiting = new AbortController();
      const none = errorOf(readOf(open, 'SELECT 1', CAPS, waiting.signal));
      await turn();
      waiting.abort(new AppError('E_TIMEOUT', 'It did not finish.'));
      expect(await none).toMatchObject({
        code: 'E_TIMEOUT',
        message: expect.stringContaining('still running on the server'),
      });
      expect(await count()).toBe(2);
      gate.resolve();
      expect((await held).every(({ status }) => status === 'fulfilled')).toBe(true);

      // A statement reported as over is over on the server too.
      for (;;) {
        const left = LEFT.exec(open.guard.reason)?.[1] ?? '0';
        expect(await count()).toBeLessThanOrEqual(Number(left));
        if (left === '0') break;
        await turn();
      }
      expect(await readOf(open, 'SELECT 1', CAPS, patience())).toMatchObject({ kind: 'rows' });
    }, 180_000);

    it('do not delay the end of a session', async () => {
      assertMade(lab);
      session = lab.engine.open(lab.target, engineContext());
      const stop = new AbortController();
      const call = errorOf(readOf(session, deaf, CAPS, stop.signal));
      while (Number((await lab.ask(running))[0]?.[0]) === 0) await Promise.race([failed(call), turn()]);
      stop.abort(new AppError('E_CANCELLED', 'Stopped.'));
      await call;
      const start = performance.now();
      await session.end();
      expect(performance.now() - start).toBeLessThan(SERVER_GOODBYE_MS + AT_ONCE_MS);
    }, 120_000);
  },
);

const LEFT = /(\d+) cancelled statements? (?:is|are) still running/;

function patience(): AbortSignal {
  return AbortSignal.timeout(60_000);
}

/** A statement failed before it was stopped; without this the test would wait for ever. */
async function failed(call: Promise<AppError>): Promise<never> {
  throw await call;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
