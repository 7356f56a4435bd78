import { AppError } from '@devdb/shared/errors';
import {
  SQLITE_ALL_MEMORY_BYTES,
  SQLITE_ALL_TEMPORARY_BYTES,
  SQLITE_STATEMENT_MEMORY_BYTES,
  SQLITE_TEMPORARY_BYTES,
} from './limits.ts';

/** The limit of one statement, and of all statements of a sidecar together. */
interface Limit {
  readonly each: number;
  readonly all: number;
}

type Kind = 'memory' | 'temporary';
export type ResourceLimits = Readonly<Record<Kind, Limit>>;

const LIMITS: ResourceLimits = {
  memory: { each: SQLITE_STATEMENT_MEMORY_BYTES, all: SQLITE_ALL_MEMORY_BYTES },
  temporary: { each: SQLITE_TEMPORARY_BYTES, all: SQLITE_ALL_TEMPORARY_BYTES },
};

const WORDS: Readonly<Record<Kind, { readonly what: string; readonly hint: string }>> = {
  memory: {
    what: 'memory',
    hint: 'Read fewer or smaller values at once, e.g. with substr() or a narrower WHERE.',
  },
  temporary: {
    what: 'temporary disk space, which sorting and intermediate results need',
    hint: 'Sort or group fewer rows and columns, or by an index: explain-query shows where a temporary b-tree is used.',
  },
};

export interface Taken {
  readonly memoryBytes: number;
  readonly temporaryBytes: number;
}

/**
 * The memory and temporary disk space used by a whole sidecar's SQLite statements, over all its databases. When the
 * total exceeds the limit, the largest user has to end: the others did not cause it.
 */
export class Resources {
  readonly #limits: ResourceLimits;
  readonly #taken: Readonly<Record<Kind, Map<object, number>>> = { memory: new Map(), temporary: new Map() };

  constructor(limits: ResourceLimits = LIMITS) {
    this.#limits = limits;
  }

  /**
   * Records what a statement uses now; returns why it must end, if so. A change may use as much disk as it needs
   * (VACUUM copies the whole database): somebody has agreed to it.
   */
  note(statement: object, { memoryBytes, temporaryBytes }: Taken, isWrite: boolean): AppError | undefined {
    this.#taken.memory.set(statement, memoryBytes);
    this.#taken.temporary.set(statement, temporaryBytes);
    return this.#over(statement, 'memory') ?? (isWrite ? undefined : this.#over(statement, 'temporary'));
  }

  /** It has ended. */
  forget(statement: object): void {
    this.#taken.memory.delete(statement);
    this.#taken.temporary.delete(statement);
  }

  #over(statement: object, kind: Kind): AppError | undefined {
    const { each, all } = this.#limits[kind];
    const taken = this.#taken[kind];
    const mine = taken.get(statement) ?? 0;
    if (mine > each) return overLimit(kind, `${megabytes(each)}, the most that one statement may`);
    const values = [...taken.values()];
    const sum = values.reduce((total, bytes) => total + bytes, 0);
    if (sum <= all || mine < Math.max(...values)) return undefined;
    return overLimit(kind, `the most of the ${megabytes(all)} that all SQLite statements together may`);
  }
}

function overLimit(kind: Kind, limit: string): AppError {
  const { what, hint } = WORDS[kind];
  return new AppError('E_SQL', `The statement was stopped: it used ${limit} use of ${what}.`, {
    hint,
    details: { limit: kind },
  });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
