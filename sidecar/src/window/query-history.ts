import { mkdirSync, rmSync } from 'node:fs';
import { withoutCredentials } from '@devdb/shared/credentials';
import { type RanStatement, ranStatementSchema } from '@devdb/shared/protocol/history-methods';
import * as z from 'zod';
import { atomicWrite, jsonOf } from '../host/files.ts';
import { FOLDER_MODE, type Home } from '../host/home.ts';
import type { Log } from '../host/log.ts';
import { readIfThere } from '../host/read-file.ts';
import { projectFile, removeOldFiles } from './project-file.ts';

/** Statements that are kept of a project. */
const MAX_STATEMENTS = 500;
/** A longer one is not kept: half of it would be another statement. */
const MAX_STATEMENT_CHARS = 64 * 1024;
/** All of a project's together, so that adding one stays a matter of milliseconds. */
const MAX_CHARS = 1024 * 1024;
const MAX_MESSAGE_CHARS = 500;
/** A project in which nothing was run for so long is forgotten. */
const KEPT_DAYS = 90;

const parse = jsonOf(z.array(z.lazy(ranStatementSchema)));

export interface QueryHistoryParts {
  readonly home: Pick<Home, 'history'>;
  readonly log: Log;
}

/** What a person ran, kept in a file of each project that only its user can read. Credentials are left out. */
export class QueryHistory {
  readonly #parts: QueryHistoryParts;
  #hasTidied = false;

  constructor(parts: QueryHistoryParts) {
    this.#parts = parts;
  }

  /** The kept statements of a project, newest first. */
  list(root: string): RanStatement[] {
    return this.#read(root).toReversed();
  }

  /** Keeps a statement that has ended. That it cannot be kept does not change how it ended. */
  add(root: string, ran: RanStatement): void {
    if (ran.statement.length > MAX_STATEMENT_CHARS) return;
    try {
      const { history } = this.#parts.home;
      mkdirSync(history, { recursive: true, mode: FOLDER_MODE });
      if (!this.#hasTidied) removeOldFiles(history, KEPT_DAYS);
      this.#hasTidied = true;
      this.#write(root, newest([...this.#read(root), safe(ran)]));
    } catch (error) {
      this.#parts.log('warn', 'history-not-kept', { error });
    }
  }

  /** Deletes one statement, or all of a project. */
  forget(root: string, id: string | undefined): void {
    if (id === undefined) rmSync(this.#fileOf(root), { force: true });
    else
      this.#write(
        root,
        this.#read(root).filter((one) => one.id !== id),
      );
  }

  #read(root: string): RanStatement[] {
    const file = this.#fileOf(root);
    const text = readIfThere(file);
    if (text === undefined) return [];
    try {
      return parse(text);
    } catch (error) {
      // Nothing depends on it: the next statement begins a new file.
      this.#parts.log('warn', 'history-not-read', { file, error });
      return [];
    }
  }

  #write(root: string, statements: readonly RanStatement[]): void {
    if (statements.length === 0) rmSync(this.#fileOf(root), { force: true });
    else atomicWrite(this.#fileOf(root), JSON.stringify(statements));
  }

  #fileOf(root: string): string {
    return projectFile(this.#parts.home.history, root);
  }
}

/** As many of the last statements as there is room for. */
function newest(statements: readonly RanStatement[]): RanStatement[] {
  let chars = 0;
  const kept = statements.toReversed().filter(({ statement }, at) => {
    chars += statement.length;
    return at < MAX_STATEMENTS && chars <= MAX_CHARS;
  });
  return kept.toReversed();
}

function safe({ statement, error, ...ran }: RanStatement): RanStatement {
  const shown = hidden(statement);
  return {
    ...ran,
    statement: shown,
    ...(shown === statement ? {} : { lacksSecrets: true }),
    ...(error === undefined
      ? {}
      : {
          error: {
            code: error.code,
            message: hidden(error.message.slice(0, 4 * MAX_MESSAGE_CHARS)).slice(0, MAX_MESSAGE_CHARS),
          },
        }),
  };
}

function hidden(text: string): string {
  return z.string().parse(withoutCredentials(text));
}
