import { AppError } from '@devdb/shared/errors';
import type { Caps, ServerTarget, Session } from '../../src/engines/engine.ts';
import { mysqlRole } from '../../src/engines/mysql/role.ts';
import { mysqlEngine } from '../../src/engines/mysql/session.ts';
import { Secret } from '../../src/host/secret.ts';
import type { CorpusFolder } from './corpus-folder.ts';
import { engineContext } from './engine-target.ts';
import { makeMysqlCorpus, mysqlCorpus } from './mysql-corpus.ts';
import type { MysqlLab } from './mysql-lab.ts';
import { checkOf, explainOf, exportOf, judgementOf, previewOf, readOf } from './statements.ts';

const CAPS: Caps = { rows: 3, bytes: 64 * 1024, cellBytes: 4096 };
const ROLE_PASSWORD = 'role-pw';

/** A database full of root's views and functions that do more than read, and three users who may reach them. */
export interface HiddenLab {
  readonly users: Readonly<Record<'owner' | 'root' | 'role', ServerTarget>>;
  /** A statement of the corpus with the names of this run. */
  placed(sql: string): string;
  /** What the objects would change. */
  canaries(): Promise<unknown>;
  remove(): Promise<void>;
}

/** Undefined where the run has no root. */
export async function hiddenLab(lab: MysqlLab, folder: CorpusFolder): Promise<HiddenLab | undefined> {
  const { target, superuser } = lab;
  if (superuser === undefined) return undefined;
  const capital = `${target.database}_Cap`;
  const role = `${target.database}_r`;
  const placed = (sql: string): string =>
    sql.replaceAll('{dir}', folder.path).replaceAll('{cap}', capital).replaceAll('{db}', target.database);
  await makeMysqlCorpus(lab, folder);
  await lab.ask(`CREATE DATABASE \`${capital}\``, superuser);
  const { objects, ofMariadb } = mysqlCorpus.hidden;
  for (const sql of [...objects, ...(lab.kind === 'mariadb' ? ofMariadb : [])]) await lab.ask(placed(sql), superuser);
  const script = mysqlRole.script({
    name: role,
    database: target.database,
    schemas: [capital],
    applicationUser: undefined,
  });
  await lab.ask(script.replace("@password = ''", `@password = '${ROLE_PASSWORD}'`), superuser);
  return {
    users: { owner: target, root: superuser, role: { ...target, user: role, password: new Secret(ROLE_PASSWORD) } },
    placed,
    canaries: async () => ({
      settings: await lab.ask(
        "SELECT @@global.max_error_count, IS_FREE_LOCK('devdb'), (SELECT count(*) FROM log), (SELECT sum(balance) FROM users), (SELECT count(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE())",
      ),
      files: folder.files(),
    }),
    remove: async () => {
      await lab.ask(`DROP DATABASE \`${capital}\`; DROP USER '${role}'@'%'`, superuser);
    },
  };
}

/** Opens a session, and ends it whatever happens. */
export async function withSession<T>(target: ServerTarget, use: (session: Session) => Promise<T>): Promise<T> {
  const session = mysqlEngine.open(target, engineContext());
  try {
    return await use(session);
  } finally {
    await session.end();
  }
}

/** How a call ended: its own word, or its error code. Anything but an AppError would be E_INTERNAL. */
async function ending(call: () => Promise<string>): Promise<string> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    return `E_INTERNAL ${String(error)}`;
  }
}

const patience = (): AbortSignal => AbortSignal.timeout(30_000);

/** Sends a statement through everything that may run or plan it before a person agreed; returns how each call ended. */
export async function throughEveryDoor(session: Session, sql: string) {
  const nowhere = { write: async () => undefined };
  return {
    classify: await ending(async () => (await judgementOf(session, sql)).effect),
    read: await ending(async () => (await readOf(session, sql, CAPS, patience())).kind),
    explain: await ending(async () => String((await explainOf(session, sql, false, patience())).analyzed)),
    analyze: await ending(async () => String((await explainOf(session, sql, true, patience())).analyzed)),
    exported: await ending(async () => {
      await exportOf(session, sql, 'csv', nowhere, patience());
      return 'exported';
    }),
    check: await ending(async () => {
      await checkOf(session, sql, patience());
      return 'checked';
    }),
    preview: await ending(async () => {
      const { affectedRows } = await previewOf(session, sql, patience());
      return affectedRows === undefined ? 'estimated' : 'tried out';
    }),
  };
}
