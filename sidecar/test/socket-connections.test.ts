import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testOn } from '../../fixtures/labs/needs.ts';
import { readDatabaseUrl } from '../src/detection/readers/url.ts';
import type { Engine, ServerTarget } from '../src/engines/engine.ts';
import { mysqlEngine } from '../src/engines/mysql/session.ts';
import { postgresEngine } from '../src/engines/postgres/open.ts';
import { engineContext } from './helpers/engine-target.ts';
import { mysqlLab } from './helpers/mysql-lab.ts';
import { postgresLab } from './helpers/postgres-lab.ts';
import { readOf } from './helpers/statements.ts';

/** Databases reached through a file system socket, as `host` or as the driver's own option. */
interface Lab {
  readonly target: ServerTarget;
  remove(): Promise<void>;
}

let dir: string;
let lab: Lab | undefined;
let door: Server | undefined;
const open = new Set<Socket>();

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-socket-'));
});

afterEach(async () => {
  for (const socket of open) socket.destroy();
  await new Promise<void>((resolve) => (door === undefined ? resolve() : door.close(() => resolve())));
  door = undefined;
  await lab?.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** A file system socket that leads to the lab's server. */
async function listenOn(path: string, { host, port }: ServerTarget): Promise<void> {
  door = createServer((socket) => {
    const onward = connect(port, host);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => open.delete(one));
    }
  });
  await new Promise<void>((resolve) => door?.listen(path, resolve));
}

async function answers(engine: Engine, target: ServerTarget): Promise<unknown> {
  const session = engine.open(target, engineContext());
  try {
    const caps = { rows: 5, bytes: 1_000, cellBytes: 100 };
    const outcome = await readOf(session, 'SELECT 41 + 1 AS n', caps, AbortSignal.timeout(20_000));
    return outcome.kind === 'rows' ? outcome.rows.rows : outcome;
  } finally {
    await session.end();
  }
}

function targetOf(url: string): ServerTarget {
  const read = readDatabaseUrl(url);
  if (read.kind === 'problem' || read.kind === 'sqlite') throw new Error(`read as ${read.kind}`);
  return read.target;
}

/** Options in other libraries' URLs that DevDB ignores. */
const FOREIGN =
  'schema=public&serverVersion=8.0.32&charset=utf8mb4&connection_limit=5&connect_timeout=3&pool_timeout=0&pgbouncer=true&socket_timeout=x&statement_cache_size=0&reconnect=true';

async function onPostgres(): Promise<ServerTarget> {
  const found = await postgresLab();
  if (found === undefined) throw new Error('The Postgres of this run was left out.');
  lab = found;
  await listenOn(join(dir, '.s.PGSQL.5432'), found.target);
  return found.target;
}

const inPostgres = testOn('postgres');

inPostgres(
  'Postgres listens at a folder: in the URL, as an option of it, and with options of other libraries',
  async () => {
    const { user, password, database, host, port } = await onPostgres();
    const login = `${user}:${password?.open()}`;
    expect(
      await answers(postgresEngine, targetOf(`postgres://${login}@${encodeURIComponent(dir)}/${database}`)),
    ).toEqual([[42]]);
    const asOption = `postgres://${login}@ignored/${database}?host=${encodeURIComponent(dir)}&${FOREIGN}`;
    expect(await answers(postgresEngine, targetOf(asOption))).toEqual([[42]]);
    const overTcp = `postgres://${login}@${host}:${port}/${database}?${FOREIGN}`;
    expect(await answers(postgresEngine, targetOf(overTcp))).toEqual([[42]]);
  },
);

for (const kind of ['mysql', 'mariadb'] as const) {
  const onServer = testOn(kind);
  onServer(`${kind} listens at a file: as host, as an option, and with options of other libraries`, async () => {
    const found = await mysqlLab(kind);
    if (found === undefined) throw new Error(`The ${kind} of this run was left out.`);
    lab = found;
    const { user, password, database, host, port } = found.target;
    const path = join(dir, 'my.sock');
    await listenOn(path, found.target);
    expect(await answers(mysqlEngine, { ...found.target, host: path })).toEqual([[42]]);
    const login = `${user}:${password?.open()}`;
    for (const option of ['socket', 'unix_socket', 'socketPath']) {
      const url = `mysql://${login}@ignored/${database}?${option}=${encodeURIComponent(path)}`;
      expect(await answers(mysqlEngine, targetOf(url))).toEqual([[42]]);
    }
    const overTcp = `mysql://${login}@${host}:${port}/${database}?${FOREIGN}&ssl={"rejectUnauthorized":false}`;
    const wantsTls = await answers(mysqlEngine, targetOf(overTcp)).catch((error: unknown) => error);
    // The lab's MariaDB has no certificate, which the message says.
    if (kind === 'mysql') expect(wantsTls).toEqual([[42]]);
    else expect(wantsTls).toMatchObject({ code: 'E_NO_CONNECTION' });
    expect(await answers(mysqlEngine, targetOf(overTcp.replace(/&ssl=.*/, '')))).toEqual([[42]]);
  });
}
