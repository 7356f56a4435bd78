import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { ServerTarget, Session, WritePreview } from '../src/engines/engine.ts';
import { Secret } from '../src/host/secret.ts';
import { withDoors, withValue, writeDevdbrc } from './helpers/corpus-doors.ts';
import { CorpusFolder } from './helpers/corpus-folder.ts';
import { eachUnchanged } from './helpers/each-unchanged.ts';
import { mysqlCorpus } from './helpers/mysql-corpus.ts';
import { type HiddenLab, hiddenLab, throughEveryDoor, withSession } from './helpers/mysql-hidden.ts';
import { MYSQL_KINDS, type MysqlLab, mysqlLab } from './helpers/mysql-lab.ts';
import { checkOf, explainOf, exportOf, previewOf, readOf } from './helpers/statements.ts';
import { tempProject } from './helpers/temp-project.ts';

const { asked, unseen, plain } = mysqlCorpus.hidden;
const USERS = ['owner', 'root', 'role'] as const;
/** This many statements run at once, between two checks of their effects. */
const AT_ONCE = 8;
const FIRST_CALLS = ['read', 'explain', 'exportRows', 'previewWrite', 'check'] as const;
const LONG_MS = 600_000;

/** Statements with a value, as in custom tools. */
const OF_TOOLS = [
  'SELECT a FROM V_Global WHERE a = :n',
  'SELECT a FROM {cap}.V_Far WHERE a = :n',
  'SELECT a + :n FROM V_Deeper',
  'SELECT far_global() + :n',
  'SELECT `count`(:n)',
  'SELECT {cap}.plus_one(:n)',
  'SELECT round(1.5, far_global()) + :n',
  'SELECT `f?`() + :n',
  'DELETE FROM users WHERE id = :n AND id IN (SELECT a FROM V_Opened)',
  "UPDATE users SET name = 'x' WHERE id = :n AND name = substr('abc', far_global())",
];

/** Runs work for each statement, and expects no effect. */
function eachWithoutEffect(
  { canaries, placed }: HiddenLab,
  statements: readonly string[],
  work: (sql: string) => Promise<void>,
): Promise<void> {
  return eachUnchanged(statements.map(placed), AT_ONCE, canaries, work);
}

function firstCall(session: Session, first: (typeof FIRST_CALLS)[number], sql: string): Promise<unknown> {
  const signal = AbortSignal.timeout(60_000);
  if (first === 'read') return readOf(session, sql, { rows: 1, bytes: 1000, cellBytes: 100 }, signal);
  if (first === 'explain') return explainOf(session, sql, false, signal);
  if (first === 'exportRows') return exportOf(session, sql, 'jsonl', { write: async () => undefined }, signal);
  return first === 'check' ? checkOf(session, sql, signal) : previewOf(session, sql, signal);
}

describe.each(MYSQL_KINDS)('code behind the names of a statement on %s', (kind) => {
  const { it } = suiteOn(kind, 'superuser');
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
    assertMade(hidden);
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
    'is a change to be asked about, and runs nowhere before the yes, for %s',
    async (user) => {
      const endings = await endingsOf(user, asked);
      const unasked = endings.filter(
        // A name this user may not even use ends in a server error.
        ({ ended }) => ended.read === 'rows' || ended.exported === 'exported' || ended.preview === 'tried out',
      );
      expect(unasked).toEqual([]);
    },
    LONG_MS,
  );

  it.each(USERS)(
    "has no effect where servers disagree on a statement's meaning, for %s",
    async (user) => {
      await endingsOf(user, unseen);
    },
    LONG_MS,
  );

  it.each(USERS)(
    "is also looked up in a session's first call, for %s",
    async (user) => {
      assertMade(hidden);
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

  it('is asked about, refused or not exported by the tools, custom tools included', async () => {
    assertMade(hidden);
    const all = hidden;
    const { users, placed } = hidden;
    const project = tempProject();
    const own = OF_TOOLS.map(placed);
    writeDevdbrc(project.root, kind, users.root);
    try {
      await withDoors(project, { args: ['--trust'], own }, async ({ send, sendOwn }) => {
        await eachWithoutEffect(all, own, async (sql) => {
          expect([sql, await send(withValue(sql))]).toEqual([
            sql,
            {
              run: 'E_CONFIRMATION_REQUIRED',
              explain: 'E_READ_ONLY',
              analyze: 'E_READ_ONLY',
              exported: 'E_READ_ONLY',
            },
          ]);
          expect([sql, await sendOwn(own.indexOf(sql))]).toEqual([sql, 'E_CONFIRMATION_REQUIRED']);
        });
      });
    } finally {
      project.remove();
    }
  }, 300_000);

  it('prevents a dry run where triggers are not shown, and where a table keeps history', async () => {
    assertMade(hidden);
    assertMade(lab);
    assertMade(lab.superuser);
    const { target, superuser, ask } = lab;
    const user = `${target.database}_w`;
    const tables = ['CREATE TABLE calm (id int PRIMARY KEY, n int) ENGINE=InnoDB', 'INSERT INTO calm VALUES (1, 1)'];
    const triggered = ['CREATE TABLE wired LIKE calm', 'INSERT INTO wired VALUES (1, 1)'];
    const trigger = "CREATE TRIGGER wire BEFORE UPDATE ON wired FOR EACH ROW INSERT INTO log VALUES (now(), 'fired')";
    for (const sql of [...tables, ...triggered, trigger]) await ask(sql);
    const grant = `GRANT SELECT, INSERT, UPDATE, DELETE ON \`${target.database}\`.* TO '${user}'@'%'`;
    await ask(`CREATE USER '${user}'@'%' IDENTIFIED BY 'writer-pw'; ${grant}`, superuser);
    const preview = (as: ServerTarget, table: string): Promise<WritePreview> =>
      withSession(as, (session) => previewOf(session, `UPDATE ${table} SET n = 2`, AbortSignal.timeout(30_000)));
    const writer = { ...target, user, password: new Secret('writer-pw') };
    try {
      const before = await ask('SELECT count(*) FROM log');
      expect(await preview(target, 'calm')).toEqual({ affectedRows: 1, estimate: undefined });
      for (const [as, table] of [
        [writer, 'calm'],
        [writer, 'wired'],
        [target, 'wired'],
      ] as const) {
        expect(await preview(as, table)).toMatchObject({ affectedRows: undefined });
      }
      if (kind === 'mariadb') expect(await preview(target, 'kept')).toMatchObject({ affectedRows: undefined });
      expect(await ask('SELECT count(*) FROM log')).toEqual(before);
      await ask(`GRANT TRIGGER ON \`${target.database}\`.calm TO '${user}'@'%'`, superuser);
      expect(await preview(writer, 'calm')).toEqual({ affectedRows: 1, estimate: undefined });
    } finally {
      await ask(`DROP USER '${user}'@'%'`, superuser);
      await ask('DROP TABLE calm, wired');
    }
  }, 120_000);

  it.each(USERS)(
    'leaves ordinary statements as reads without a question, for %s',
    async (user) => {
      // The role may not run functions, even where a view uses them: it sees none.
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
