import type { Session } from '../src/engines/engine.ts';
import { CorpusFolder } from './helpers/corpus-folder.ts';
import { mysqlCorpus } from './helpers/mysql-corpus.ts';
import { type HiddenLab, hiddenLab, throughEveryDoor, withSession } from './helpers/mysql-hidden.ts';
import { MYSQL_KINDS, type MysqlLab, mysqlLab } from './helpers/mysql-lab.ts';
import { checkOf, explainOf, exportOf, previewOf, readOf } from './helpers/statements.ts';

const { asked, unseen, plain } = mysqlCorpus.hidden;
const USERS = ['owner', 'root', 'role'] as const;
/** So many statements are run between two looks at what they might have changed. */
const AT_ONCE = 8;
const FIRST_CALLS = ['read', 'explain', 'exportRows', 'previewWrite', 'check'] as const;
const LONG_MS = 600_000;

/** Runs work for each statement, and expects everything to stay as it was. */
async function eachWithoutEffect(
  { canaries, placed }: HiddenLab,
  statements: readonly string[],
  work: (sql: string) => Promise<void>,
): Promise<void> {
  const before = await canaries();
  for (let at = 0; at < statements.length; at += AT_ONCE) {
    const some = statements.slice(at, at + AT_ONCE).map(placed);
    for (const sql of some) await work(sql);
    expect([some, await canaries()]).toEqual([some, before]);
  }
}

function firstCall(session: Session, first: (typeof FIRST_CALLS)[number], sql: string): Promise<unknown> {
  const signal = AbortSignal.timeout(60_000);
  if (first === 'read') return readOf(session, sql, { rows: 1, bytes: 1000, cellBytes: 100 }, signal);
  if (first === 'explain') return explainOf(session, sql, false, signal);
  if (first === 'exportRows') return exportOf(session, sql, 'jsonl', { write: async () => undefined }, signal);
  return first === 'check' ? checkOf(session, sql, signal) : previewOf(session, sql, signal);
}

describe.each(MYSQL_KINDS)('what stands behind the names of a statement on %s', (kind) => {
  let lab: MysqlLab | undefined;
  let hidden: HiddenLab | undefined;
  let folder: CorpusFolder;

  beforeAll(async () => {
    folder = new CorpusFolder();
    lab = await mysqlLab(kind);
    if (lab !== undefined) hidden = await hiddenLab(lab, folder);
  }, 60_000);

  afterAll(async () => {
    await hidden?.remove();
    await lab?.remove();
    folder.remove();
  });

  async function endingsOf(user: (typeof USERS)[number], statements: readonly string[]) {
    const endings: { readonly sql: string; readonly ended: Awaited<ReturnType<typeof throughEveryDoor>> }[] = [];
    if (hidden === undefined) return endings;
    const { users } = hidden;
    const all = hidden;
    await withSession(users[user], (session) =>
      eachWithoutEffect(all, statements, async (sql) => {
        endings.push({ sql, ended: await throughEveryDoor(session, sql) });
      }),
    );
    expect(endings.filter(({ ended }) => Object.values(ended).some((one) => one.startsWith('E_INTERNAL')))).toEqual([]);
    return endings;
  }

  it.each(USERS)(
    'is a change to be asked, and runs nowhere before the yes, for %s',
    async (user) => {
      const endings = await endingsOf(user, asked);
      const unasked = endings.filter(
        // What this user may not even name ends in an error of the server.
        ({ ended }) => ended.read === 'rows' || ended.exported === 'exported' || ended.preview === 'tried out',
      );
      expect(unasked).toEqual([]);
    },
    LONG_MS,
  );

  it.each(USERS)(
    'has no effect where servers differ in what a statement means, for %s',
    async (user) => {
      await endingsOf(user, unseen);
    },
    LONG_MS,
  );

  it.each(USERS)(
    'is looked up in the first call of a session too, for %s',
    async (user) => {
      if (hidden === undefined) return;
      const { users } = hidden;
      const some = asked.filter((_, at) => at % 9 === 0);
      await eachWithoutEffect(hidden, some, async (sql) => {
        for (const first of FIRST_CALLS) {
          await withSession(users[user], (session) => Promise.allSettled([firstCall(session, first, sql)]));
        }
      });
    },
    LONG_MS,
  );

  it.each(USERS)(
    'leaves ordinary statements reads that nobody is asked about, for %s',
    async (user) => {
      // The role may not run functions, also where a view uses them for it: it sees none.
      const needsFunction = (sql: string): boolean => user === 'role' && /plus_one|steps|V_Uses_Plus/i.test(sql);
      const endings = await endingsOf(
        user,
        plain.filter((sql) => !needsFunction(sql)),
      );
      const refused = endings.filter(
        ({ ended }) => ended.classify !== 'read' || ended.read !== 'rows' || ended.exported !== 'exported',
      );
      expect(refused).toEqual([]);
    },
    LONG_MS,
  );
});
