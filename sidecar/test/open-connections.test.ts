import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { assertMade, suiteOn } from '../../fixtures/labs/needs.ts';
import type { ServerTarget } from '../src/engines/engine.ts';
import { type ReadEnvelope, readEnvelope, rest } from './helpers/clients.ts';
import { type MysqlLab, mysqlLab } from './helpers/mysql-lab.ts';
import { type PostgresLab, postgresLab } from './helpers/postgres-lab.ts';
import { type RunningSidecar, startSidecar } from './helpers/start-sidecar.ts';
import { type TempProject, tempProject } from './helpers/temp-project.ts';

let project: TempProject;
let sidecar: RunningSidecar;
let postgres: PostgresLab | undefined;
let labs: readonly MysqlLab[] = [];

beforeAll(async () => {
  postgres = await postgresLab();
  labs = (await Promise.all([mysqlLab('mysql'), mysqlLab('mariadb')])).filter((lab) => lab !== undefined);
}, 120_000);

afterAll(async () => {
  await Promise.all([postgres, ...labs].map((lab) => lab?.remove()));
});

beforeEach(() => {
  project = tempProject();
});

afterEach(async () => {
  await sidecar.stop();
  project.remove();
});

async function serve(connections: Readonly<Record<string, unknown>>[]): Promise<void> {
  configure(connections);
  sidecar = await startSidecar({ home: project.home, root: project.root, args: ['--trust'] });
}

function configure(connections: Readonly<Record<string, unknown>>[]): void {
  writeFileSync(join(project.root, '.devdbrc'), JSON.stringify(connections, undefined, 2));
}

function entry(name: string, type: string, target: ServerTarget): Record<string, unknown> {
  const { host, port, user, password, database } = target;
  return { name, type, host, port, username: user, password: password?.open(), database };
}

async function call(tool: string, input: Record<string, unknown> = {}): Promise<ReadEnvelope> {
  return readEnvelope((await rest(sidecar, 'POST', `/tools/${tool}`, input)).body);
}

const list = z.object({
  connections: z.array(z.object({ name: z.string(), guard: z.string(), guardReason: z.string() })),
});
const rowSet = z.object({ rows: z.array(z.array(z.unknown())) });

async function guards(): Promise<Record<string, string>> {
  const told = await call('list-connections');
  if (!told.ok) throw new Error(JSON.stringify(told.error));
  const { connections } = list.parse(told.data);
  return Object.fromEntries(connections.map(({ name, guard, guardReason }) => [name, `${guard}: ${guardReason}`]));
}

async function firstValue(connection: string, sql: string): Promise<unknown> {
  const told = await call('run-query', { query: sql, connection });
  if (!told.ok) throw new Error(JSON.stringify(told.error));
  return rowSet.parse(told.data).rows[0]?.[0];
}

test("a connection's guard is shown as unknown at first, and as it is once a call has connected", async () => {
  const servers = [
    ...(postgres ? [{ type: 'postgres', name: 'postgres', lab: postgres }] : []),
    ...labs.map((lab) => ({ type: 'mysql', name: lab.kind, lab })),
  ];
  const wanted = servers.flatMap(({ type, name, lab: { target, superuser } }) => [
    { name: `${name} ordinary`, type, target, guard: /^enforced: Reads run in a read-only transaction of/ },
    ...(superuser === undefined
      ? []
      : [
          { name: `${name} super`, type, target: superuser, guard: /^guarded: .+devdb role --print. writes the GRANT/ },
        ]),
  ]);
  await serve(wanted.map(({ name, type, target }) => entry(name, type, target)));
  for (const told of Object.values(await guards())) expect(told).toMatch(/^guarded: Not connected yet\./);
  for (const { name } of wanted) {
    expect(await call('get-database-type', { connection: name })).toMatchObject({ ok: true });
  }
  const told = await guards();
  expect(Object.keys(told)).toEqual(wanted.map(({ name }) => name));
  for (const { name, guard } of wanted) expect(told[name]).toMatch(guard);
});

suiteOn('postgres', 'superuser').it(
  'a statement running when its connection is edited runs to its end, and nothing of it stays open',
  async () => {
    assertMade(postgres);
    assertMade(postgres.superuser);
    const { target, superuser, ask } = postgres;
    await serve([entry('main', 'postgres', target)]);
    const running = firstValue('main', "SELECT 'old' FROM pg_sleep(2)");
    const ours = `FROM pg_stat_activity WHERE application_name = 'DevDB' AND usename = '${target.user}' AND datname = '${target.database}'`;
    while ((await ask(`SELECT 1 ${ours} AND state = 'active' AND query LIKE '%pg_sleep%'`)).length === 0);
    configure([entry('main', 'postgres', superuser)]);
    expect(await firstValue('main', 'SELECT current_user::text')).toBe(superuser.user);
    expect((await guards())['main']).toMatch(/superuser/);
    expect(await ask(`SELECT 1 ${ours} AND state = 'active'`)).toHaveLength(1);
    expect(await running).toBe('old');
    while ((await ask(`SELECT 1 ${ours}`)).length > 0);
  },
);
