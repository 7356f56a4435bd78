import { ENGINES } from '@devdb/shared/engines';
import { AppError } from '@devdb/shared/errors';
import { isPlain, nameText, plainJson } from '@devdb/shared/plain-text';
import type { DatabaseBook } from '../databases/database-book.ts';
import { unresolvedReference } from '../databases/database-errors.ts';
import { type Entry, entryNamed } from '../databases/entry.ts';
import type { EngineKind } from '../engines/engine.ts';
import { mssqlRole } from '../engines/mssql/role.ts';
import { mysqlRole } from '../engines/mysql/role.ts';
import { postgresRole } from '../engines/postgres/role.ts';
import type { RoleOrder, RoleWriter } from '../engines/role.ts';
import { sqlComment } from '../engines/role.ts';
import { sqliteRole } from '../engines/sqlite/role.ts';
import { UsageError } from './command.ts';

const WRITERS = {
  sqlite: sqliteRole,
  postgres: postgresRole,
  mysql2: mysqlRole,
  mssql: mssqlRole,
} satisfies Record<EngineKind, RoleWriter>;

/** The database a role is for. */
export interface RoleSubject {
  readonly kind: EngineKind;
  readonly database: string;
  readonly host: string;
  readonly port: number | undefined;
  readonly applicationUser: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The other choices for a role. */
export interface RoleWishes {
  readonly name: string;
  /** Undefined means those in the connection's own options, or else all. */
  readonly schemas: readonly string[] | undefined;
}

/** A database that is not a project's. */
export function subjectOf(kind: EngineKind, database: string): RoleSubject {
  const { port } = ENGINES[kind];
  return { kind, database, host: '127.0.0.1', port, applicationUser: undefined, options: {} };
}

/** The project's database with this id or name, or its default. Nothing is opened, so no approval is needed. */
export async function subjectIn(book: DatabaseBook, id: string | undefined, signal: AbortSignal): Promise<RoleSubject> {
  const { entries } = await book.state(signal);
  const entry = entryIn(entries, id) ?? (await book.find(id, signal));
  const { kind, target, missing } = entry;
  if ('file' in target) return subjectOf(kind, target.file);
  const { host, port, database, user, options } = target;
  if (missing.length > 0 && /\$\{/.test(database)) throw unresolvedReference(entry);
  return { kind, database, host, port, applicationUser: user === '' ? undefined : user, options };
}

function entryIn(entries: readonly Entry[], id: string | undefined): Entry | undefined {
  if (id !== undefined) return entryNamed(entries, id);
  const chosen = entries.find(({ isDefault }) => isDefault);
  if (chosen !== undefined || entries.length === 1) return chosen ?? entries[0];
  if (entries.length === 0) return undefined;
  throw new AppError('E_NO_CONNECTION', 'This project has no default database: every database needs an approval.', {
    hint: `Choose one with --connection: ${entries.map((entry) => entry.id).join(', ')}.`,
  });
}

/** The script that creates the role, and what to write into `.devdbrc` afterwards. */
export function roleText(subject: RoleSubject, { name, schemas }: RoleWishes): string {
  const { kind, database, applicationUser, options } = subject;
  const writer = WRITERS[kind];
  const order: RoleOrder = { name, database, schemas: schemas ?? writer.schemasOf(options), applicationUser };
  // A file has no roles, so nothing of the order is used.
  if (kind === 'sqlite') return writer.script(order);
  check(order, writer);
  return `${writer.script(order)}\n\n${settingsFor(subject, name)}`;
}

function check({ name, database, schemas, applicationUser }: RoleOrder, writer: RoleWriter): void {
  const problem = writer.nameProblem(name);
  if (problem !== undefined) throw new UsageError(`--name: it ${problem}.`);
  if (name === applicationUser) {
    throw new UsageError(`--name ${name}: the application connects as this role; DevDB needs a separate one.`);
  }
  const user = applicationUser === undefined ? [] : [['user', applicationUser] as const];
  const named = [['role', name] as const, ['database', database] as const, ...user];
  for (const [what, text] of [...named, ...schemas.map((schema) => ['schema', schema] as const)]) {
    if (text === '') throw new UsageError(`The name of the ${what} is empty.`);
    // People read a script before they run it: no name may break a line or look like something else.
    if (isPlain(text)) continue;
    throw new UsageError(`The name of the ${what} (${nameText(text)}) has invisible characters.`);
  }
}

function settingsFor({ kind, host, port, database, options }: RoleSubject, name: string): string {
  const entry = {
    type: ENGINES[kind].type,
    name: 'reader',
    host,
    port,
    username: name,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of .devdbrc, resolved there.
    password: '${DB_PASSWORD}',
    database,
  };
  const more =
    Object.keys(options).length === 0
      ? []
      : ['Keep the options of the connection that it replaces (TLS and the like).'];
  return sqlComment(
    "Then, in .devdbrc in the project's root, with DB_PASSWORD in its .env or in your environment (take another variable",
    'where the application uses that one for its own password):',
    `  [${plainJson(JSON.stringify(entry))}]`,
    ...more,
    '`devdb doctor` then reports that its reads are enforced.',
  );
}
