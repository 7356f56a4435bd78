import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { ServerTarget, Session } from '../src/engines/engine.ts';
import { openEngine } from '../src/engines/index.ts';
import { open as openMssql } from '../src/engines/mssql/session.ts';
import { Secret } from '../src/host/secret.ts';
import { rest } from './helpers/clients.ts';
import { CorpusFolder } from './helpers/corpus-folder.ts';
import { engineContext } from './helpers/engine-target.ts';
import { batches, batchesOf, mssqlLab } from './helpers/mssql-lab.ts';
import { makeMysqlCorpus, runMysqlCorpus } from './helpers/mysql-corpus.ts';
import { MYSQL_KINDS, mysqlLab } from './helpers/mysql-lab.ts';
import { postgresCorpus, postgresState, runPostgresCorpus } from './helpers/postgres-corpus.ts';
import { postgresLab } from './helpers/postgres-lab.ts';
import { as, mysqlRoleLab, ODD_PASSWORD, ODD_ROLE, postgresRoleLab, type RoleLab } from './helpers/role-lab.ts';
import { type CommandResult, runCommand } from './helpers/run-command.ts';
import { CLI, type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { explainOf, readOf, writeOf } from './helpers/statements.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

const CAPS = { rows: 100, bytes: 100_000, cellBytes: 4096 };
const mssqlCorpus = z
  .object({
    schema: z.array(z.string()),
    state: z.array(z.string()),
    statements: z.array(z.object({ sql: z.string() })),
  })
  .parse(JSON.parse(readFileSync(join(__dirname, '../../fixtures/corpus/mssql.json'), 'utf8')));

const NOTHING_DONE = /Nothing was done: write a password into this script first/;
const patience = (): AbortSignal => AbortSignal.timeout(20_000);

const SERVERS = [
  ['postgres', postgresRoleLab],
  ['mysql', () => mysqlRoleLab('mysql')],
  ['mariadb', () => mysqlRoleLab('mariadb')],
] as const;

function devdb(project: TempProject, ...args: readonly string[]): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'] ?? '', DEVDB_HOME: project.home, DB_PASSWORD: ODD_PASSWORD };
  return runCommand(process.execPath, [CLI, ...args], { env, cwd: project.root });
}

/** What the script says to write into .devdbrc. */
function settingsOf(script: string): string {
  return /^-- {3}(\[\{"type".*\}\])$/m.exec(script)?.[1] ?? '';
}

function settingsFor(type: string, { host, port, user, database }: ServerTarget): string {
  // The script has no need of the password.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of .devdbrc that nothing sets.
  return JSON.stringify([{ type, name: 'app', host, port, username: user, password: '${NOT_SET}', database }]);
}

describe.each(SERVERS)('the role that `devdb role --print` makes on %s', (kind, makeLab) => {
  const { it } = suiteOn(kind, 'superuser');
  let lab: RoleLab | undefined;
  let project: TempProject;
  let sidecar: RunningSidecar | undefined;
  let script = '';

  beforeAll(async () => {
    project = tempProject();
    lab = await makeLab();
    assertMade(lab);
    writeFileSync(join(project.root, '.devdbrc'), settingsFor(lab.type, lab.owner));
    const printed = await devdb(project, 'role', '--print', '--name', ODD_ROLE);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    script = printed.stdout;
    await expect(lab.ask(script, lab.admin)).rejects.toThrow(NOTHING_DONE);
    expect(await lab.roles(ODD_ROLE)).toEqual([]);
    await lab.ask(lab.withPassword(script, ODD_PASSWORD), lab.admin);
    writeFileSync(join(project.root, '.devdbrc'), settingsOf(script));
    // Its password is in a variable of the user's environment.
    expect(await devdb(project, 'trust', '--project', project.root)).toMatchObject({ code: 0 });
    const env = { DB_PASSWORD: ODD_PASSWORD };
    sidecar = await startSidecar({ home: project.home, root: project.root, args: ['--writes', 'allow'], env });
  }, 120_000);

  afterAll(async () => {
    await sidecar?.stop();
    await lab?.dropRole(ODD_ROLE);
    await lab?.remove();
    project.remove();
  });

  /** A test on the server. */
  function onServer(title: string, run: (at: RoleLab, running: RunningSidecar) => Promise<void>): void {
    it(title, async () => {
      assertMade(lab);
      assertMade(sidecar);
      await run(lab, sidecar);
    });
  }

  const dataOf = async (running: RunningSidecar, tool: string, input: unknown): Promise<unknown> => {
    const { body } = await rest(running, 'POST', `/tools/${tool}`, input);
    expect(body).toMatchObject({ ok: true });
    const { data }: { data?: unknown } = Object(body);
    return data;
  };

  async function asOwner<T>({ type, owner }: RoleLab, ask: (session: Session) => Promise<T>): Promise<T> {
    const session = await openEngine(type === 'mysql' ? 'mysql2' : type, owner, engineContext());
    try {
      return await ask(session);
    } finally {
      await session.end();
    }
  }

  onServer('is called enforced by doctor and list-connections', async (_at, running) => {
    const { code, stdout } = await devdb(project, 'doctor', '--project', project.root, '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { connections: [{ id: 'devdbrc:reader', isDefault: true, test: { state: 'works', guard: 'enforced' } }] },
    ]);
    await dataOf(running, 'get-database-type', {});
    expect(await dataOf(running, 'list-connections', {})).toMatchObject({
      connections: [{ id: 'devdbrc:reader', guard: 'enforced' }],
    });
  });

  onServer('sees the tables, their declarations and the overview that their owner sees', async (at, running) => {
    const names = await asOwner(at, (session) => session.tables(patience()));
    expect(names.length).toBeGreaterThan(8);
    expect(await dataOf(running, 'get-tables', {})).toEqual({ tables: names });
    const declared = (session: Session): Promise<string[]> =>
      Promise.all(names.map((table) => session.schema(table, patience())));
    const seen: unknown[] = [];
    for (const table of names) seen.push(await dataOf(running, 'get-schema', { table }));
    expect(seen).toMatchObject((await asOwner(at, declared)).map((schema) => ({ schema: at.seen(schema) })));
    const { tables, foreignKeys } = await asOwner(at, (session) => session.overview(undefined, patience()));
    expect(await dataOf(running, 'get-overview', {})).toMatchObject({ tables, foreignKeys });
  });

  onServer('searches, reads, explains and exports', async (_at, running) => {
    const query = 'SELECT id FROM orders ORDER BY id';
    expect(await dataOf(running, 'search-schema', { pattern: 'order*', kind: 'table' })).toMatchObject({
      matches: expect.arrayContaining([expect.objectContaining({ name: 'orders' })]),
    });
    expect(await dataOf(running, 'run-query', { query })).toMatchObject({ rowCount: 3, truncated: false });
    expect(await dataOf(running, 'run-query', { query: 'SELECT * FROM order_totals' })).toMatchObject({
      truncated: false,
    });
    expect(await dataOf(running, 'explain-query', { query, analyze: true })).toMatchObject({ measured: { rows: 3 } });
    expect(await dataOf(running, 'export-query', { query, path: 'orders.csv', format: 'csv' })).toMatchObject({
      rows: 3,
    });
    expect(readFileSync(join(project.root, 'orders.csv'), 'utf8')).toMatch(/^id\r?\n1\r?\n/);
  });

  onServer('is refused by the server what writes, though DevDB would let it', async (at, running) => {
    const before = await at.ask('SELECT count(*) FROM orders', at.admin);
    for (const query of [
      'DELETE FROM orders',
      "UPDATE orders SET status = 'paid'",
      'CREATE TABLE made (a int)',
      'DROP TABLE orders',
    ]) {
      const { body } = await rest(running, 'POST', '/tools/run-query', { query });
      expect([query, body]).toMatchObject([
        query,
        { ok: false, error: { code: 'E_SQL', message: expect.stringMatching(/denied|permission|must be owner/) } },
      ]);
    }
    expect(await at.ask('SELECT count(*) FROM orders', at.admin)).toEqual(before);
  });

  onServer('is refused it without DevDB in between', async (at) => {
    const reader = as(ODD_ROLE, ODD_PASSWORD, at.admin);
    expect(await at.ask('SELECT count(*) FROM orders', reader)).toHaveLength(1);
    for (const sql of at.writes) {
      await expect([sql, await at.ask(sql, reader).catch(String)]).toEqual([
        sql,
        expect.stringMatching(/denied|permission|privilege|need/),
      ]);
    }
  });

  onServer('reads what its owner makes later, and the script can be run again', async (at) => {
    const reader = as(ODD_ROLE, ODD_PASSWORD, at.admin);
    await at.ask(at.addTable, at.owner);
    expect((await at.ask('SELECT a FROM later', reader)).flat()).toEqual([7]);
    const before = await at.roles(ODD_ROLE);
    await at.ask(at.withPassword(script, ODD_PASSWORD), at.admin);
    expect(await at.roles(ODD_ROLE)).toEqual(before);
    expect((await at.ask('SELECT a FROM later', reader)).flat()).toEqual([7]);
  });
});

describe('on SQL Server the script', () => {
  const { it } = suiteOn('mssql');

  it('makes a login that reads, writes nothing, and is called enforced', async () => {
    const lab = await mssqlLab();
    assertMade(lab);
    const at = await lab.database([...batchesOf('01-schema.sql'), ...batchesOf('02-rows.sql'), ...mssqlCorpus.schema]);
    const { database } = at.target;
    const project = tempProject();
    const name = `${database} reader]`;
    const { stdout } = await devdb(
      project,
      'role',
      '--print',
      '--engine',
      'mssql',
      '--database',
      database,
      '--name',
      name,
    );
    const [script = ''] = batches(stdout);
    await expect(at.rows(script)).rejects.toThrow(NOTHING_DONE);
    const password = `Aa1'${database}`;
    const edited = script.replace("= N'';", () => `= N'${password.replaceAll("'", "''")}';`);
    for (let run = 0; run < 2; run += 1) await at.rows(edited);
    const reader = openMssql({ ...at.target, user: name, password: new Secret(password) }, engineContext());
    try {
      const state = (): Promise<unknown> => Promise.all(mssqlCorpus.state.map((sql) => at.rows(sql)));
      const before = await state();
      expect(await reader.tables(patience())).toEqual(await at.session.tables(patience()));
      expect(reader.guard.strength).toBe('enforced');
      expect(await reader.schema('orders', patience())).toBe(await at.session.schema('orders', patience()));
      expect((await explainOf(reader, 'SELECT * FROM orders', false, patience())).plan).not.toEqual([]);
      for (const sql of ['DELETE FROM orders', 'CREATE TABLE made (a int)', 'EXEC dbo.touch']) {
        await expect(writeOf(reader, sql, CAPS, undefined, patience())).rejects.toMatchObject({ code: 'E_SQL' });
      }
      for (const { sql } of mssqlCorpus.statements) await readOf(reader, sql, CAPS, patience()).catch(() => undefined);
      expect(await state()).toEqual(before);
    } finally {
      await reader.end();
      await at.rows(`DROP LOGIN [${name.replaceAll(']', ']]')}]`);
      await at.drop();
      project.remove();
    }
  }, 120_000);
});

describe('on Postgres the script', () => {
  const { it } = suiteOn('postgres', 'superuser');
  let lab: RoleLab | undefined;
  const made: string[] = [];

  beforeAll(async () => {
    lab = await postgresRoleLab();
  }, 120_000);

  afterAll(async () => {
    for (const name of made) await lab?.dropRole(name);
    await lab?.remove();
  });

  async function print({ owner }: RoleLab, ...args: readonly string[]): Promise<string> {
    const project = tempProject();
    try {
      const { stdout } = await devdb(
        project,
        'role',
        '--print',
        '--engine',
        'postgres',
        '--database',
        owner.database,
        ...args,
      );
      return stdout;
    } finally {
      project.remove();
    }
  }

  it('grants the named schemas and no others, now and later', async () => {
    assertMade(lab);
    const { ask, admin, owner, withPassword } = lab;
    const name = `${owner.user}_some`;
    made.push(name);
    await ask(withPassword(await print(lab, '--name', name, '--schemas', 'billing'), 'pw'), admin);
    await ask('CREATE TABLE billing.later AS SELECT 7 AS a; CREATE TABLE public.hidden AS SELECT 8 AS a', owner);
    const reader = as(name, 'pw', admin);
    expect(await ask('SELECT a FROM billing.later', reader)).toEqual([[7]]);
    expect(await ask('SELECT count(*) FROM billing.invoices', reader)).toHaveLength(1);
    await expect(ask('SELECT a FROM public.hidden', reader)).rejects.toThrow('permission denied');
    await expect(ask('SELECT count(*) FROM customers', reader)).rejects.toThrow('permission denied');
  });

  it('can be run by an owner who may create roles, without a superuser', async () => {
    assertMade(lab);
    const { ask, owner, withPassword } = lab;
    const name = `${owner.user}_own`;
    made.push(name);
    await ask(withPassword(await print(lab, '--name', name), 'pw'), owner);
    expect(await ask('SELECT count(*) FROM customers', as(name, 'pw', owner))).toHaveLength(1);
  });

  it('leaves a role it did not make alone, and a database it is not meant for', async () => {
    assertMade(lab);
    const { ask, admin, owner, withPassword } = lab;
    const name = `${owner.user}_there`;
    made.push(name);
    await ask(`CREATE ROLE ${name} LOGIN PASSWORD 'theirs'`, admin);
    const script = withPassword(await print(lab, '--name', name), 'pw');
    await expect(ask(script, admin)).rejects.toThrow(`there is a role ${name} that this script did not make`);
    await expect(ask('SELECT 1', as(name, 'pw', admin))).rejects.toThrow('password authentication failed');
    await expect(ask(script, { ...admin, database: 'postgres' })).rejects.toThrow('this script is for the database');
  });

  it('runs no function planted in place of a built-in one', async () => {
    assertMade(lab);
    const { ask, admin, owner, withPassword } = lab;
    const name = `${owner.user}_trap`;
    made.push(name);
    await ask(
      `CREATE FUNCTION public.format(text, name, text) RETURNS text LANGUAGE sql AS 'SELECT ''ALTER ROLE ${owner.user} SUPERUSER''';
       CREATE FUNCTION public.format(text, text, text) RETURNS text LANGUAGE sql AS 'SELECT ''ALTER ROLE ${owner.user} SUPERUSER'''`,
      owner,
    );
    await ask(withPassword(await print(lab, '--name', name), 'pw'), admin);
    expect(await ask(`SELECT rolsuper FROM pg_roles WHERE rolname = '${owner.user}'`, admin)).toEqual([[false]]);
    expect(await ask('SELECT count(*) FROM customers', as(name, 'pw', admin))).toHaveLength(1);
  });
});

describe('devdb role', () => {
  let project: TempProject;

  beforeEach(() => {
    project = tempProject();
  });

  afterEach(() => project.remove());

  it("is for the working directory's project unless told otherwise, and opens nothing", async () => {
    const entry = { type: 'mysql', name: 'far', host: 'db.example.com', username: 'app', database: 'shop' };
    writeFileSync(join(project.root, '.devdbrc'), JSON.stringify([entry]));
    const here = await devdb(project, 'role', '--print');
    expect(here).toMatchObject({ code: 0, stderr: '' });
    expect(here.stdout).toContain('GRANT SELECT, SHOW VIEW ON `shop`.* TO `devdb_reader`@`%`;');
    expect(here.stdout).toContain('"host":"db.example.com"');
    expect(await devdb(project, 'role', '--print', '--project', project.root)).toEqual(here);
  });

  it('says in a sentence that a file needs none', async () => {
    project.database('app.db', 'CREATE TABLE t (a)');
    const said = await devdb(project, 'role', '--print');
    expect(said).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^-- SQLite has no users and no roles/),
    });
    expect(await devdb(project, 'role', '--print', '--engine', 'sqlite')).toEqual(said);
  });

  it.each([
    [['role'], '--print is missing'],
    [
      ['role', '--print', '--engine', 'oracle', '--database', 'x'],
      '--engine takes postgres, mysql, mariadb, mssql or sqlite',
    ],
    [['role', '--print', '--engine', 'mysql'], '--database NAME is missing'],
    [['role', '--print', '--database', 'x'], '--database goes with --engine'],
    [
      ['role', '--print', '--engine', 'mysql', '--database', 'x', '--project', '.'],
      'cannot be combined with --project',
    ],
    [
      ['role', '--print', '--engine', 'mysql', '--database', 'x', '--name', 'n'.repeat(33)],
      'longer than 32 characters',
    ],
    [['role', '--print', '--engine', 'mysql', '--database', 'x', '--schemas', 'a,,b'], 'name of the schema is empty'],
    [['role', '--print', '--project', 'nowhere'], 'no such folder'],
    [['role', '--print', '--nope'], "Unknown option '--nope'"],
  ])('ends with 2 and its help after %j', async (args, words) => {
    const said = await devdb(project, ...args);
    expect(said).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) });
    expect(said.stderr).toContain('Usage: devdb role --print');
  });

  it('ends with 1 and a next step where the project has no database', async () => {
    expect(await devdb(project, 'role', '--print')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/No database was found.*Hint: .*\.devdbrc/s),
    });
  });
});

describe('the bypass corpus as the role of the script', () => {
  let folder: CorpusFolder;
  let project: TempProject;

  beforeAll(() => {
    folder = new CorpusFolder();
    project = tempProject();
  });

  afterAll(() => {
    folder.remove();
    project.remove();
  });

  async function print(engine: string, database: string, name: string): Promise<string> {
    const { stdout } = await devdb(
      project,
      'role',
      '--print',
      '--engine',
      engine,
      '--database',
      database,
      '--name',
      name,
    );
    return stdout.replace(/(password = |constant text := )''/, "$1'pw'");
  }

  suiteOn('postgres', 'superuser').it(
    'never succeeds on Postgres',
    async () => {
      const lab = await postgresLab();
      assertMade(lab?.superuser);
      const { superuser, target, ask } = lab;
      const name = `${target.user}_reader`;
      try {
        for (const sql of postgresCorpus.schema) await ask(sql);
        await ask(await print('postgres', target.database, name), superuser);
        const reader = { ...target, user: name, password: new Secret('pw') };
        const problems = await runPostgresCorpus(reader, folder, () => postgresState(lab, superuser, folder));
        // Postgres plans no change for a role that may not make it.
        expect(problems).toEqual([
          'EXPLAIN DELETE FROM accounts: error, expected rows',
          'EXPLAIN (ANALYZE false) DELETE FROM accounts: error, expected rows',
        ]);
      } finally {
        await ask(`DROP OWNED BY ${name}`, superuser);
        await ask(`DROP ROLE ${name}`, superuser);
        await lab.remove();
      }
    },
    240_000,
  );

  describe.each(MYSQL_KINDS)('never succeeds on %s', (kind) => {
    suiteOn(kind, 'superuser').it(
      'like any other user',
      async () => {
        const lab = await mysqlLab(kind);
        assertMade(lab?.superuser);
        const { superuser, target, ask } = lab;
        const name = `${target.user}_reader`;
        try {
          await makeMysqlCorpus(lab, folder);
          await ask(await print('mysql', target.database, name), superuser);
          const reader = { ...target, user: name, password: new Secret('pw') };
          // No plan of a change for a user that may not make it; and a function it cannot see may do anything.
          expect(await runMysqlCorpus(lab, reader, folder)).toEqual([
            { sql: 'EXPLAIN DELETE FROM users', effect: 'read', judged: 'read', ending: 'E_SQL' },
            { sql: 'EXPLAIN UPDATE users SET balance = 0', effect: 'read', judged: 'read', ending: 'E_SQL' },
            { sql: "EXPLAIN INSERT INTO users (name) VALUES ('x')", effect: 'read', judged: 'read', ending: 'E_SQL' },
            { sql: 'SELECT plus_one(balance) FROM users', effect: 'read', judged: 'write', ending: 'is-write' },
          ]);
        } finally {
          await ask(`DROP USER ${name}`, superuser);
          await lab.remove();
        }
      },
      240_000,
    );
  });
});
