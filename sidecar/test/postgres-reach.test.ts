import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { httpClient } from './helpers/clients.ts';
import { OWN_TOOLS_AT_ONCE, runAsked, withDoors, writeDevdbrc } from './helpers/corpus-doors.ts';
import { CorpusFolder } from './helpers/corpus-folder.ts';
import { eachUnchanged } from './helpers/each-unchanged.ts';
import { engineContext } from './helpers/engine-target.ts';
import { type PostgresLab, postgresLab, withPostgres } from './helpers/postgres-lab.ts';
import {
  endOf,
  makeReach,
  REACHED_AT_ONCE,
  reachCorpus,
  reachState,
  runPlain,
  runReached,
  waysOf,
} from './helpers/postgres-reach.ts';
import { readerRole } from './helpers/postgres-reader.ts';
import { explainOf, previewOf, readOf } from './helpers/statements.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

const { it } = suiteOn('postgres', 'superuser');

/** User-defined code, reached in every way Postgres has, and never run before somebody has agreed. */
let lab: (PostgresLab & { readonly superuser: NonNullable<PostgresLab['superuser']> }) | undefined;
let folder: CorpusFolder;

beforeAll(async () => {
  folder = new CorpusFolder();
  const made = await postgresLab();
  const superuser = made?.superuser;
  assertMade(made);
  assertMade(superuser);
  lab = { ...made, superuser };
  const refused = await makeReach(superuser, folder);
  // A server without an extension or the newest features has fewer places to hide code.
  expect(refused.length).toBeLessThan(10);
}, 240_000);

afterAll(async () => {
  await lab?.remove();
  folder.remove();
});

describe('code behind what a statement reaches on Postgres', () => {
  it('has a corpus of attempts, and one of ordinary statements', () => {
    expect(new Set(reachCorpus.reached).size).toBeGreaterThan(230);
    expect(new Set(reachCorpus.plain).size).toBeGreaterThan(75);
  });

  it('does what it claims: it leaves a file when it runs', async () => {
    assertMade(lab);
    await lab.ask('SELECT * FROM v_deeper', lab.superuser);
    await lab.ask('SELECT * FROM program_rows', lab.superuser);
    expect([...folder.files()].sort()).toEqual(['program_rows', 'says_volatile']);
    folder.empty();
  });

  it('does not run for an ordinary role', async () => {
    assertMade(lab);
    expect(await runReached(lab.target, lab.superuser, folder)).toEqual([]);
  }, 400_000);

  it('does not run for a superuser', async () => {
    assertMade(lab);
    expect(await runReached(lab.superuser, lab.superuser, folder)).toEqual([]);
  }, 400_000);

  it('does not run for the role from devdb role, which keeps its ordinary statements', async () => {
    assertMade(lab);
    const reader = await readerRole(lab.superuser, lab.ask);
    try {
      expect(await runReached(reader.target, lab.superuser, folder)).toEqual([]);
      expect(await runPlain(reader.target, folder)).toEqual([]);
    } finally {
      await reader.drop();
    }
  }, 400_000);

  it('leaves ordinary statements judged as reads', async () => {
    assertMade(lab);
    expect(await runPlain(lab.target, folder)).toEqual([]);
    expect(await runPlain(lab.superuser, folder)).toEqual([]);
  }, 120_000);

  it("does not replace the operators in our own queries, whatever the role's search path is", async () => {
    assertMade(lab);
    const { superuser, ask } = lab;
    const database = (await lab.freshDatabase()).database;
    const at = { ...superuser, database };
    await ask(LEAKING.replaceAll('{dir}', folder.path), at);
    const session = postgresEngine.open(
      { ...lab.target, database, options: { options: '-c search_path=front,pg_catalog' } },
      engineContext(),
    );
    for (const sql of ['SELECT 1', 'SELECT count(*) FROM plain', 'INSERT INTO plain VALUES (1)', 'SHOW search_path']) {
      for (const way of Object.values(waysOf(session, sql))) await endOf(way);
    }
    expect(await endOf(() => readOf(session, 'SELECT 1', CAPS, soon()))).toBe('rows');
    expect(await endOf(() => readOf(session, 'SELECT n FROM plain WHERE n = 1', CAPS, soon()))).toBe('is-write');
    await session.facts(soon());
    await session.tables(soon());
    await session.schema('plain', soon());
    await session.overview(undefined, soon());
    await session.end();
    expect(folder.files()).toEqual([]);
  }, 120_000);

  it('does not run while a view is repeatedly swapped for another', async () => {
    assertMade(lab);
    const { superuser, ask, target } = lab;
    await ask('CREATE VIEW swapped AS SELECT 1 AS a; GRANT SELECT ON swapped TO PUBLIC', superuser);
    const session = postgresEngine.open(target, engineContext());
    const ends = new Map<unknown, number>();
    await withPostgres(superuser, async (swapping) => {
      for (let round = 0; round < 60; round += 1) {
        const query = round % 2 === 0 ? 'SELECT says_stable(1) AS a' : 'SELECT 1 AS a';
        const [end] = await Promise.all([
          endOf(() => readOf(session, 'SELECT a FROM swapped', CAPS, soon())),
          swapping.query(`CREATE OR REPLACE VIEW swapped AS ${query}`),
        ]);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    });
    await session.end();
    expect(folder.files()).toEqual([]);
    expect([...ends.keys()].sort()).toEqual(['is-write', 'rows']);
  }, 120_000);

  it('does not run when a view was swapped after the last read of it', async () => {
    assertMade(lab);
    const { superuser, ask, target } = lab;
    const swap = (query: string) => ask(`CREATE OR REPLACE VIEW changed AS ${query}`, superuser);
    await swap('SELECT 1 AS a');
    await ask('GRANT SELECT ON changed TO PUBLIC', superuser);
    const session = postgresEngine.open(target, engineContext());
    const read = () => endOf(() => readOf(session, 'SELECT a FROM changed', CAPS, soon()));
    const ends: unknown[] = [];
    for (let round = 0; round < 3; round += 1) {
      ends.push(await read(), await read());
      await swap('SELECT says_stable(1) AS a');
      ends.push(await read());
      await swap('SELECT 1 AS a');
    }
    await session.end();
    expect(folder.files()).toEqual([]);
    expect(ends).toEqual(Array.from({ length: 3 }, () => ['rows', 'rows', 'is-write']).flat());
  }, 120_000);

  it("leaves no seed behind for the connection's next user", async () => {
    assertMade(lab);
    const session = postgresEngine.open(lab.target, engineContext());
    const drawn = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      expect(await readOf(session, 'SELECT setseed(0.5) IS NULL', CAPS, soon())).toMatchObject({ kind: 'rows' });
      drawn.add(JSON.stringify(await readOf(session, 'SELECT random()', CAPS, soon())));
    }
    await session.end();
    expect(drawn.size).toBe(3);
  }, 60_000);

  it('describes what a write touches, and counts what hides nothing', async () => {
    assertMade(lab);
    const session = postgresEngine.open(lab.superuser, engineContext());
    expect(await previewOf(session, 'UPDATE ledger SET amount = 5', soon())).toEqual({ affectedRows: 2 });
    const hidden = await previewOf(session, 'DELETE FROM ledger WHERE id === 1', soon());
    expect(hidden.estimate).toMatch(/^It uses the operator ===, which may change something/);
    await expect(explainOf(session, 'SELECT a FROM v_deep', false, soon())).rejects.toMatchObject({
      code: 'E_READ_ONLY',
      message: expect.stringContaining('it uses v_deep'),
    });
    await session.end();
  }, 60_000);
});

describe("code behind what a statement reaches on Postgres, through a sidecar's tools,", () => {
  let project: TempProject;

  beforeEach(() => {
    project = tempProject();
    if (lab !== undefined) writeDevdbrc(project.root, 'postgres', lab.target);
  });
  afterEach(() => project.remove());

  /** Runs work for each statement, and expects no file and no other effect. */
  async function eachWithoutEffect<T>(statements: readonly T[], work: (statement: T) => Promise<void>): Promise<void> {
    assertMade(lab);
    const { superuser } = lab;
    const before = await reachState(superuser);
    await eachUnchanged(statements, REACHED_AT_ONCE, () => folder.files(), work);
    expect(folder.files()).toEqual([]);
    expect(await reachState(superuser)).toBe(before);
  }

  it.each([
    ['ask', 'E_CONFIRMATION_REQUIRED'],
    ['deny', 'E_READ_ONLY'],
  ])(
    'is asked about, refused or not exported under %s, also by custom tools',
    async (writes, code) => {
      const own = [...WITH_VALUES, ...reachCorpus.reached.filter((_, at) => at % OWN_EVERY === 0)];
      // Some attempts cannot run on this server at all.
      const notRun = [code, 'E_SQL'];
      // A plan that runs none of it may be shown.
      const notExplained = ['E_READ_ONLY', 'E_SQL', 'planned'];
      const wrong: unknown[] = [];
      const codes: string[] = [];
      await withDoors(project, { args: ['--writes', writes], own }, async ({ send, sendOwn }) => {
        await eachWithoutEffect(reachCorpus.reached, async (sql) => {
          const ended = await send(sql);
          const { run, explain, analyze, exported } = ended;
          codes.push(run);
          const isExplained = !notExplained.includes(explain) || !notExplained.includes(analyze);
          if (!notRun.includes(run) || isExplained || exported !== 'E_READ_ONLY') wrong.push({ sql, ...ended });
        });
        await eachWithoutEffect([...own.entries()], async ([at, sql]) => {
          const ended = await sendOwn(at);
          const isFine = at < WITH_VALUES.length ? ended === code : notRun.includes(ended);
          if (!isFine) wrong.push({ sql, ended });
        });
      });
      expect(wrong).toEqual([]);
      expect(codes.filter((one) => one === 'E_SQL').length).toBeLessThan(10);
    },
    240_000,
  );

  it('has not run when somebody who was asked says no', async () => {
    const codes: string[] = [];
    await withDoors(project, {}, async ({ sidecar }) => {
      const client = await httpClient(sidecar, { elicit: async () => ({ action: 'decline' }) });
      await eachWithoutEffect(reachCorpus.reached, async (sql) => {
        codes.push(await runAsked(client, project.root, sql));
      });
      await client.close();
    });
    expect(new Set(codes)).toEqual(new Set(['E_APPROVAL_DENIED', 'E_SQL']));
    expect(codes.filter((one) => one === 'E_SQL').length).toBeLessThan(10);
  }, 240_000);
});

/** Statements with a value, as in custom tools. */
const WITH_VALUES = [
  'SELECT says_stable(:n)',
  'SELECT id FROM ledger WHERE id === :n',
  'SELECT * FROM v_stable WHERE a = :n',
  'SELECT a FROM v_deep LIMIT :n',
  "SELECT 'x'::checked, :n::integer",
  'SELECT stepping(id) FROM ledger WHERE id > :n',
  'UPDATE ledger SET amount = :n WHERE says_immutable(1) IS NULL',
  'DELETE FROM ledger USING v_stable WHERE id = :n',
  'INSERT INTO triggered VALUES (:n)',
];
/** A project cannot have a custom tool for each. */
const OWN_EVERY = Math.ceil(reachCorpus.reached.length / (OWN_TOOLS_AT_ONCE - WITH_VALUES.length));
const CAPS = { rows: 100, bytes: 100_000, cellBytes: 4096 };
const soon = (): AbortSignal => AbortSignal.timeout(60_000);

/** Operators that shadow Postgres' own, for the types the catalogues use. */
const LEAKING = `
CREATE SCHEMA front;
CREATE TABLE front.plain (n integer);
CREATE FUNCTION front.leak(oid, oid) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
  AS $$ BEGIN COPY (SELECT 1) TO '{dir}/oid'; RETURN true; END $$;
CREATE FUNCTION front.leak(name, name) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
  AS $$ BEGIN COPY (SELECT 1) TO '{dir}/name'; RETURN true; END $$;
CREATE FUNCTION front.leak(name, text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
  AS $$ BEGIN COPY (SELECT 1) TO '{dir}/text'; RETURN true; END $$;
CREATE FUNCTION front.leak("char", "char") RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
  AS $$ BEGIN COPY (SELECT 1) TO '{dir}/char'; RETURN true; END $$;
CREATE FUNCTION front.leak(integer, integer) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
  AS $$ BEGIN COPY (SELECT 1) TO '{dir}/integer'; RETURN true; END $$;
CREATE FUNCTION front.concat(text, text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER
  AS $$ BEGIN COPY (SELECT 1) TO '{dir}/concat'; RETURN ''; END $$;
CREATE OPERATOR front.= (FUNCTION = front.leak, LEFTARG = oid, RIGHTARG = oid);
CREATE OPERATOR front.= (FUNCTION = front.leak, LEFTARG = name, RIGHTARG = name);
CREATE OPERATOR front.= (FUNCTION = front.leak, LEFTARG = name, RIGHTARG = text);
CREATE OPERATOR front.= (FUNCTION = front.leak, LEFTARG = "char", RIGHTARG = "char");
CREATE OPERATOR front.= (FUNCTION = front.leak, LEFTARG = integer, RIGHTARG = integer);
CREATE OPERATOR front.> (FUNCTION = front.leak, LEFTARG = integer, RIGHTARG = integer);
CREATE OPERATOR front.<> (FUNCTION = front.leak, LEFTARG = "char", RIGHTARG = "char");
GRANT USAGE ON SCHEMA front TO PUBLIC;
GRANT ALL ON front.plain TO PUBLIC`;
