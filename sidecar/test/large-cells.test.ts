import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@devdb/shared/errors';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { Caps, EngineContext, ServerTarget, Session } from '../src/engines/engine.ts';
import { HeldBytes } from '../src/engines/held-bytes.ts';
import { MAX_HELD_BYTES } from '../src/engines/limits.ts';
import { mysqlEngine } from '../src/engines/mysql/session.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { rest } from './helpers/clients.ts';
import { engineContext } from './helpers/engine-target.ts';
import { HoldingProxy } from './helpers/holding-proxy.ts';
import { MYSQL_KINDS, mysqlLab } from './helpers/mysql-lab.ts';
import { postgresLab } from './helpers/postgres-lab.ts';
import { until } from './helpers/processes.ts';
import { startSidecar } from './helpers/start-sidecar.ts';
import { readOf } from './helpers/statements.ts';
import { tempProject } from './helpers/temp-project.ts';

const MIB = 1024 * 1024;
const CAPS: Caps = { rows: 10, bytes: 64 * 1024, cellBytes: 1024 };
const CALLS = 6;
const NO_ROOM: unknown = expect.stringContaining('other calls hold large values');

interface Lab {
  readonly target: ServerTarget;
  readonly superuser: ServerTarget | undefined;
  remove(): Promise<void>;
}

interface Server {
  readonly name: (typeof MYSQL_KINDS)[number] | 'postgres';
  readonly lab: () => Promise<Lab | undefined>;
  readonly open: (target: ServerTarget, context: EngineContext) => Session;
}

const SERVERS: readonly Server[] = [
  { name: 'postgres', lab: () => postgresLab(), open: postgresEngine.open },
  ...MYSQL_KINDS.map((name) => ({
    name,
    lab: async () => {
      const lab = await mysqlLab(name);
      // A server sends no cell above this limit; new connections get the new value.
      if (lab?.superuser !== undefined) await lab.ask('SET GLOBAL max_allowed_packet = 1073741824', lab.superuser);
      return lab;
    },
    open: mysqlEngine.open,
  })),
];

/** Records the most that was held at once. */
class WatchedBytes extends HeldBytes {
  most = 0;

  override take(bytes: number): boolean {
    const taken = super.take(bytes);
    this.most = Math.max(this.most, this.held);
    return taken;
  }
}

describe.each(SERVERS)('large cells of $name', ({ name, lab: makeLab, open }) => {
  const { it } = suiteOn(name);
  let lab: Lab | undefined;
  let held: WatchedBytes;
  let sessions: Session[] = [];

  beforeAll(async () => {
    lab = await makeLab();
    assertMade(lab);
    const { target } = lab;
    held = new WatchedBytes();
    // Two databases of one sidecar, one of them over TLS where the server supports it.
    const encrypted = name === 'mysql' ? { ...target, options: { 'ssl-mode': 'no-verify' } } : target;
    sessions = [target, encrypted].map((one) => open(one, engineContext(undefined, undefined, held)));
  }, 120_000);

  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.end()));
    await lab?.remove();
  });

  async function ask(bytes: number, which = 0, signal = AbortSignal.timeout(60_000)): Promise<unknown> {
    const session = sessions[which % sessions.length];
    assertMade(session);
    const outcome = await readOf(session, `SELECT repeat('x', ${bytes}) AS cell`, CAPS, signal);
    return outcome.kind === 'rows' ? outcome.rows.cut : outcome.kind;
  }

  const whole = (bytes: number) => [{ row: 0, column: 0, length: bytes }];

  it('requested by many calls at once stay within one limit: each call ends with its cell or with the reason', async () => {
    assertMade(lab);
    const bytes = 100 * MIB;
    const ends = await Promise.allSettled(Array.from({ length: CALLS }, (_, i) => ask(bytes, i)));
    for (const end of ends) {
      if (end.status === 'fulfilled') expect(end.value).toEqual(whole(bytes));
      else {
        expect(end.reason).toBeInstanceOf(AppError);
        expect(end.reason).toMatchObject({
          code: 'E_SQL',
          message: NO_ROOM,
          hint: expect.stringContaining('substring()'),
        });
      }
    }
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect(held.most).toBeGreaterThanOrEqual(bytes);
    expect(held.most).toBeLessThanOrEqual(MAX_HELD_BYTES);
    expect(held.held).toBe(0);
    expect(await ask(200 * MIB)).toEqual(whole(200 * MIB));
    expect(held.held).toBe(0);
  }, 120_000);

  it('leave room for small ones beside them', async () => {
    assertMade(lab);
    expect(held.take(MAX_HELD_BYTES)).toBe(true);
    try {
      expect(await ask(512 * 1024)).toEqual(whole(512 * 1024));
      await expect(ask(2 * MIB)).rejects.toMatchObject({ code: 'E_SQL', hint: expect.stringMatching(/in a moment/) });
      // The session's connections still work.
      expect(await ask(512 * 1024)).toEqual(whole(512 * 1024));
    } finally {
      held.give(MAX_HELD_BYTES);
    }
    expect(await ask(2 * MIB)).toEqual(whole(2 * MIB));
  }, 60_000);

  it('are released by a call that is cancelled during one', async () => {
    assertMade(lab);
    const cancel = new AbortController();
    const taken = Promise.withResolvers<void>();
    const take = held.take.bind(held);
    held.take = (bytes) => {
      taken.resolve();
      return take(bytes);
    };
    const asked = ask(200 * MIB, 0, cancel.signal);
    await taken.promise;
    cancel.abort(new AppError('E_CANCELLED', 'Not wanted.'));
    await expect(asked).rejects.toMatchObject({ code: 'E_CANCELLED' });
    // The session's end waits for the work behind the answer.
    await sessions[0]?.end();
    expect(held.held).toBe(0);
  }, 60_000);

  if (name !== 'postgres') {
    it('over the limit are refused, and the session continues', async () => {
      assertMade(lab);
      await expect(ask(300 * MIB, 1)).rejects.toMatchObject({
        code: 'E_SQL',
        message: expect.stringContaining('more than 256 MiB'),
      });
      expect(await ask(10_000, 1)).toEqual(whole(10_000));
    }, 60_000);
  }

  it('have room for two that arrive in a sidecar at the same time, and the other calls get an error that says so', async () => {
    assertMade(lab);
    const { port, user, password, database } = lab.target;
    const proxy = await HoldingProxy.before(port, 90 * MIB);
    const project = tempProject();
    const type = name === 'postgres' ? 'postgres' : 'mysql';
    const entry = { type, host: '127.0.0.1', port: proxy.port, username: user, password: password?.open(), database };
    writeFileSync(join(project.root, '.devdbrc'), JSON.stringify([entry]));
    const sidecar = await startSidecar(project);
    const get = (query: string) => rest(sidecar, 'POST', '/tools/run-query', { query, timeoutMs: 60_000 });
    const query = `SELECT repeat('x', ${100 * MIB}) AS cell`;
    try {
      expect(await get('SELECT 1')).toMatchObject({ status: 200 });
      let ended = 0;
      const asked = Array.from({ length: CALLS }, async () => {
        const answer = await get(query);
        ended += 1;
        return answer;
      });
      await until('each cell stands in the middle or is refused', () => proxy.held + ended === CALLS, 60_000);
      proxy.release();
      const answers = await Promise.all(asked);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused.length).toBeGreaterThanOrEqual(CALLS - 2);
      expect(refused.length).toBeLessThan(CALLS);
      for (const { body } of refused) expect(body).toMatchObject({ error: { code: 'E_SQL', message: NO_ROOM } });
      expect(await get(query)).toMatchObject({ status: 200 });
    } finally {
      proxy.close();
      await sidecar.stop();
      project.remove();
    }
  }, 120_000);
});
