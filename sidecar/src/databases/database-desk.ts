import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINES } from '@devdb/shared/engines';
import { AppError } from '@devdb/shared/errors';
import { DOCTOR_TEST_TIMEOUT_MS, MAX_CONFIG_FILE_BYTES } from '@devdb/shared/limits';
import type { Login, OwnConnection, TypedConnection } from '@devdb/shared/protocol/connection-methods';
import type { EngineContext, EngineKind, Target } from '../engines/engine.ts';
import { hasCode } from '../host/error-code.ts';
import type { Edit } from '../host/jsonc-text.ts';
import { NotReplaceable, readExactly, replaceIfSame, targetWithin } from '../host/replace-file.ts';
import type { DatabaseBook } from './database-book.ts';
import { addEntry, removeEntry } from './devdbrc-edit.ts';
import type { Entry } from './entry.ts';
import { kindOf, targetOf } from './kept-databases.ts';
import type { OpenEngine } from './open-sessions.ts';

const FILE = '.devdbrc';
/** It contains no password, and the project's other developers read it. */
const MODE = 0o644;
const KEEP_HERE = 'Keep the connection on this machine only.';

export interface DeskOptions {
  readonly root: string;
  readonly book: DatabaseBook;
  readonly openEngine: OpenEngine;
  readonly context: EngineContext;
}

/** What the user does with a project's connections in the editor: test, save or remove one. */
export class DatabaseDesk {
  readonly #options: DeskOptions;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** Connects once, outside the sessions agents use, and reports which server answered. */
  async test(
    connection: TypedConnection,
    password: string | undefined,
    signal: AbortSignal,
  ): Promise<{ product: string; version: string }> {
    const { root, openEngine, context } = this.#options;
    const session = await openEngine(kindOf(connection), targetOf(root, connection, password), context);
    const deadline = AbortSignal.timeout(DOCTOR_TEST_TIMEOUT_MS);
    const either = AbortSignal.any([signal, deadline]);
    try {
      const { product, version } = await session.facts(either);
      // Only a read shows that a file is not a database.
      await session.tables(either);
      return { product, version };
    } catch (error) {
      if (signal.aborted) throw new AppError('E_CANCELLED', 'The test was cancelled.');
      if (deadline.aborted) throw silent();
      throw error;
    } finally {
      await session.end();
    }
  }

  /** Writes a connection into `.devdbrc` and approves it: the user who entered it need not be asked again. */
  async write(connection: TypedConnection, signal: AbortSignal): Promise<{ id: string; file: string }> {
    const { book } = this.#options;
    this.#edit((text) => addEntry(text, entryOf(connection)));
    const { entries, skipped } = await book.state(signal);
    const { root } = this.#options;
    const target = targetOf(root, connection, undefined);
    const added = entries.find((entry) => isSame(entry, kindOf(connection), target));
    if (added === undefined) {
      const why =
        skipped.filter(({ file }) => file === FILE).at(-1)?.reason ?? 'it is already known under another name';
      throw new AppError('E_INTERNAL', `The connection is in ${FILE} now, but is not used: ${why}.`);
    }
    if (added.source.file === FILE) await book.approve([added], 'kept', signal);
    return { id: added.id, file: join(root, FILE) };
  }

  /** What the user can change: the entries of `.devdbrc` and those stored in the editor. */
  async own(signal: AbortSignal): Promise<OwnConnection[]> {
    const { entries } = await this.#options.book.state(signal);
    return entries.flatMap((entry) => {
      const from = entry.source.by === 'devdbrc' || entry.source.by === 'editor' ? entry.source.by : undefined;
      if (from === undefined) return [];
      const { id, givenName: name, shown, source } = entry;
      const login = loginOf(entry);
      return [{ id, name, shown, from, ...(source.line ? { line: source.line } : {}), ...(login ? { login } : {}) }];
    });
  }

  /** Removes an entry from `.devdbrc`. */
  async erase(id: string, signal: AbortSignal): Promise<{ file: string }> {
    const own = await this.own(signal);
    const line = own.find((one) => one.id === id && one.from === 'devdbrc')?.line;
    if (line === undefined) {
      throw new AppError('E_NOT_FOUND', `${FILE} has no connection ${id}.`, {
        hint: 'It may have been found in another file; change it there.',
      });
    }
    this.#edit((text) => removeEntry(text, line));
    return { file: join(this.#options.root, FILE) };
  }

  /** Follows a link, but not out of the project: opening a repository is no consent to change files elsewhere. */
  #edit(change: (text: string) => Edit): void {
    const { root } = this.#options;
    const target = targetWithin([root], join(root, FILE));
    if (target.file === undefined) {
      throw new AppError('E_OUTSIDE_PROJECT', `${FILE} was left unchanged: ${target.reason}.`, { hint: KEEP_HERE });
    }
    const { file } = target;
    try {
      const text = readExactly(file, MAX_CONFIG_FILE_BYTES);
      const edit = change(text ?? '');
      if (!edit.ok) throw leftAlone(`${FILE}:${edit.line}`, edit.reason, { file, line: edit.line });
      if (!replaceIfSame(file, text, edit.text, { newMode: MODE }))
        throw leftAlone(FILE, 'another program changed it at the same time', { file });
    } catch (error) {
      throw error instanceof NotReplaceable ? leftAlone(FILE, error.message, { file }) : error;
    }
  }
}

function leftAlone(where: string, reason: string, details: Record<string, string | number>): AppError {
  return new AppError('E_INVALID_PARAMS', `${where} was left unchanged: ${reason}.`, {
    hint: `Change it by hand, or keep the connection on this machine only.`,
    details,
  });
}

function entryOf(connection: TypedConnection): Record<string, unknown> {
  if (connection.type === 'sqlite') {
    const { type, name, path } = connection;
    return { type, name, path };
  }
  const { type, name, host, port, username, database, options = {} } = connection;
  const some = Object.keys(options).length === 0 ? {} : { options };
  return { type, name, host, port, ...(username === '' ? {} : { username }), database, ...some };
}

function isSame(entry: Entry, kind: EngineKind, wanted: Target): boolean {
  if (entry.kind !== kind) return false;
  const { target } = entry;
  if ('file' in target || 'file' in wanted) {
    return 'file' in target && 'file' in wanted && target.file === real(wanted.file);
  }
  const facts = ({ host, port, user, database }: typeof target) => JSON.stringify([host, port, user, database]);
  return facts(target) === facts(wanted);
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return file;
    throw error;
  }
}

/** The login a password can be stored for: that of an entry without its own. */
function loginOf({ kind, target, passwordCommand, missing }: Entry): Login | undefined {
  if (kind === 'sqlite' || 'file' in target) return undefined;
  if (target.password !== undefined || passwordCommand !== undefined || missing.length > 0) return undefined;
  const { host, port, user: username, database } = target;
  return { type: ENGINES[kind].type, host, port, username, database };
}

function silent(): AppError {
  return new AppError('E_TIMEOUT', `The database did not answer within ${DOCTOR_TEST_TIMEOUT_MS / 1000} seconds.`, {
    hint: 'Check host and port, and whether another program holds it locked.',
  });
}
