import type { Session, Target } from '../engines/engine.ts';
import { Secret } from './secret.ts';
import { SessionPool } from './session-pool.ts';

const context = { projectRoot: '/p', bundleDir: '/b', log: () => undefined };

function poolCounting(): { pool: SessionPool; opened: Target[]; ended: Target[] } {
  const opened: Target[] = [];
  const ended: Target[] = [];
  const pool = new SessionPool(async (_kind, target) => {
    opened.push(target);
    return sessionThat(() => ended.push(target));
  }, context);
  return { pool, opened, ended };
}

/** Only `end` matters to the pool. */
function sessionThat(end: () => unknown): Session {
  const unused = () => {
    throw new Error('the pool only opens and ends');
  };
  return {
    guard: { strength: 'enforced', reason: '' },
    classify: unused,
    facts: unused,
    read: unused,
    check: unused,
    previewWrite: unused,
    write: unused,
    tables: unused,
    schema: unused,
    overview: unused,
    search: unused,
    explain: unused,
    exportRows: unused,
    end: async () => {
      end();
    },
  };
}

test('callers at the same time share one session', async () => {
  const { pool, opened } = poolCounting();
  const file = { id: 'a', kind: 'sqlite', target: { file: '/p/a.db' } } as const;
  const [one, two] = await Promise.all([pool.session(file), pool.session(file)]);
  expect(one).toBe(two);
  expect(opened).toHaveLength(1);
});

test('an edited target is opened anew and the old session ended', async () => {
  const { pool, opened, ended } = poolCounting();
  const server = { host: 'localhost', port: 1, user: 'u', database: 'd', options: {} };
  const withPassword = (password: string) =>
    ({ id: 'a', kind: 'postgres', target: { ...server, password: new Secret(password) } }) as const;
  await pool.session(withPassword('old'));
  await pool.session(withPassword('old'));
  expect(opened).toHaveLength(1);
  await pool.session(withPassword('new'));
  expect(opened).toHaveLength(2);
  expect(ended).toHaveLength(1);
});

test('a failed opening is not remembered', async () => {
  let attempts = 0;
  const pool = new SessionPool(async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('not yet');
    return sessionThat(() => undefined);
  }, context);
  const file = { id: 'a', kind: 'sqlite', target: { file: '/p/a.db' } } as const;
  await expect(pool.session(file)).rejects.toThrow('not yet');
  await expect(pool.session(file)).resolves.toBeDefined();
});

test('the end closes every session, and nothing opens afterwards', async () => {
  const { pool, ended } = poolCounting();
  await pool.session({ id: 'a', kind: 'sqlite', target: { file: '/p/a.db' } });
  await pool.session({ id: 'b', kind: 'sqlite', target: { file: '/p/b.db' } });
  await pool.end();
  expect(ended).toHaveLength(2);
  await expect(pool.session({ id: 'a', kind: 'sqlite', target: { file: '/p/a.db' } })).rejects.toThrow('closing');
});
