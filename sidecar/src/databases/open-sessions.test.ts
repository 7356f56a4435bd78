import type { Guard, Session, Target } from '../engines/engine.ts';
import { HeldBytes } from '../engines/held-bytes.ts';
import { literals } from '../engines/sqlite/literals.ts';
import { rowValues } from '../engines/sqlite/row-values.ts';
import { Secret } from '../host/secret.ts';
import { type Openable, OpenSessions } from './open-sessions.ts';

const context = { projectRoot: '/p', bundleDir: '/b', log: () => undefined, held: new HeldBytes() };

const guard: Guard = { strength: 'enforced', reason: 'The role may do nothing else.' };
const server = { host: 'localhost', port: 1, user: 'u', database: 'd', options: {} };

function withPassword(password: string): Openable {
  return { id: 'a', kind: 'postgres', target: { ...server, password: new Secret(password) } };
}

function file(id: string): Openable {
  return { id, kind: 'sqlite', target: { file: `/p/${id}.db` } };
}

function poolCounting(): { pool: OpenSessions; opened: Target[]; ended: Target[] } {
  const opened: Target[] = [];
  const ended: Target[] = [];
  const pool = new OpenSessions(async (_kind, target) => {
    opened.push(target);
    return sessionThat(() => ended.push(target));
  }, context);
  return { pool, opened, ended };
}

/** The pool only uses `end`. */
function sessionThat(end: () => unknown): Session {
  const unused = () => {
    throw new Error('the pool only opens and ends');
  };
  return {
    literals,
    editing: { values: rowValues, tableIn: unused, table: unused, change: unused },
    guard,
    prepare: unused,
    facts: unused,
    tables: unused,
    schema: unused,
    overview: unused,
    graph: unused,
    search: unused,
    end: async () => {
      end();
    },
  };
}

test('callers at the same time share one session', async () => {
  const { pool, opened } = poolCounting();
  const [one, two] = await Promise.all([pool.lease().session(file('a')), pool.lease().session(file('a'))]);
  expect(one).toBe(two);
  expect(opened).toHaveLength(1);
});

test('an edited target is opened anew, and the old session ends when no call uses it', async () => {
  const { pool, opened, ended } = poolCounting();
  for (let call = 0; call < 2; call += 1) {
    const lease = pool.lease();
    await lease.session(withPassword('old'));
    lease.release();
  }
  expect([opened.length, ended.length]).toEqual([1, 0]);
  await pool.lease().session(withPassword('new'));
  await new Promise(setImmediate);
  expect([opened.length, ended.length]).toEqual([2, 1]);
});

test('a call on old settings runs to its end, and the session ends after it', async () => {
  const { pool, opened, ended } = poolCounting();
  const [long, short] = [pool.lease(), pool.lease()];
  const old = await long.session(withPassword('old'));
  await short.session(withPassword('old'));
  expect(await pool.lease().session(withPassword('new'))).not.toBe(old);
  short.release();
  short.release();
  await new Promise(setImmediate);
  expect([opened.length, ended.length]).toEqual([2, 0]);
  long.release();
  await new Promise(setImmediate);
  expect(ended).toHaveLength(1);
  await pool.end();
  expect(ended).toHaveLength(2);
});

test("the project's end also ends sessions with old settings, whoever uses them", async () => {
  const { pool, ended } = poolCounting();
  await pool.lease().session(withPassword('old'));
  await pool.lease().session(withPassword('new'));
  await pool.end();
  expect(ended).toHaveLength(2);
});

test('a failure to close old settings goes into no answer, and is logged', async () => {
  const logged: string[] = [];
  const pool = new OpenSessions(
    async () =>
      sessionThat(() => {
        throw new Error('stuck');
      }),
    { ...context, log: (event) => logged.push(event) },
  );
  const lease = pool.lease();
  await lease.session(withPassword('old'));
  lease.release();
  await pool.lease().session(withPassword('new'));
  await new Promise(setImmediate);
  expect(logged).toEqual(['session-end-failed']);
});

test('a failed opening is not remembered', async () => {
  let attempts = 0;
  const pool = new OpenSessions(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('not yet');
    return sessionThat(() => undefined);
  }, context);
  await expect(pool.lease().session(file('a'))).rejects.toThrow('not yet');
  await expect(pool.lease().session(file('a'))).resolves.toBeDefined();
  await pool.end();
});

test("an open session's guard is known whatever its password, but not for other settings", async () => {
  const { pool } = poolCounting();
  expect(pool.guardOf(withPassword('one'))).toBeUndefined();
  await pool.lease().session(withPassword('one'));
  expect([pool.guardOf(withPassword('one')), pool.guardOf(withPassword('two'))]).toEqual([guard, guard]);
  expect(pool.guardOf({ ...withPassword('one'), target: { ...server, user: 'root', password: undefined } })).toBe(
    undefined,
  );
});

test('the end closes every session, and nothing opens afterwards', async () => {
  const { pool, ended } = poolCounting();
  await pool.lease().session(file('a'));
  await pool.lease().session(file('b'));
  await pool.end();
  expect(ended).toHaveLength(2);
  await expect(pool.lease().session(file('a'))).rejects.toThrow('closing');
});
