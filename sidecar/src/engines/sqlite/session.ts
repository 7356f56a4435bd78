import { AppError } from '@devdb/shared/errors';
import type { SchemaGraph } from '@devdb/shared/protocol/schema-graph';
import type { ToolOutput } from '@devdb/shared/tools';
import { nativeBindingFile } from '../../host/native.ts';
import type {
  Bindings,
  Engine,
  EngineContext,
  Guard,
  JudgedStatement,
  PreparedStatement,
  RowSet,
  Session,
  Statement,
  Target,
} from '../engine.ts';
import { GRAPH, type Included } from '../overview-facts.ts';
import { withLookups } from '../overview-lookups.ts';
import { graphOf } from '../overview-outline.ts';
import type { RowEditing } from '../row-editing.ts';
import { ChildHandle, type OnChunk, type Reply } from './child-handle.ts';
import { classify } from './judge.ts';
import { literals } from './literals.ts';
import { type Answers, type Bound, isAnswer, type Request, readRowSet } from './messages.ts';
import { tableIn } from './one-table.ts';
import { reader } from './reader.ts';
import { Resources } from './resources.ts';
import { rowValues } from './row-values.ts';
import { type JobKind, Scheduler } from './scheduler.ts';

/** SQLite, in child processes that can be killed. */
export const sqlite: Engine = {
  kind: 'sqlite',
  open: (target, context) => open(target, context),
  reader,
};

/** The resources used by all statements of this process. */
const allResources = new Resources();

/** Opens nothing yet: the first statement starts a child, which opens the file. */
export function open(target: Target, context: EngineContext, resources = allResources): Session {
  if (!('file' in target)) throw new Error('SQLite opens files, and this target is a server.');
  const { file } = target;
  if (file.includes('\0')) {
    throw new AppError('E_NO_CONNECTION', 'The path of the database holds a NUL character.', {
      hint: 'Correct the path of the connection.',
    });
  }
  const { bundleDir, log } = context;
  const nativeBinding = nativeBindingFile(bundleDir);
  const newChild = () => new ChildHandle({ file, bundleDir, nativeBinding, log });
  return new SqliteSession(new Scheduler(newChild, resources));
}

const GUARD: Guard = {
  strength: 'enforced',
  reason:
    'Reads run on a connection that SQLite itself opened read-only, with query_only set and one statement at a time.',
};

class SqliteSession implements Session {
  readonly guard = GUARD;
  readonly literals = literals;
  readonly editing: RowEditing = {
    values: rowValues,
    tableIn,
    table: (name, signal) => this.#ask({ op: 'editable', name }, signal),
    change: (statements, signal) => this.#ask({ op: 'change-rows', statements }, signal, 'write'),
  };
  readonly #scheduler: Scheduler;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  async prepare(sql: string, _signal: AbortSignal, params?: Bindings): Promise<Statement> {
    const judged = classify(sql, params);
    return judged.effect === 'refused' ? judged : this.#statement(judged, { sql, params });
  }

  facts(signal: AbortSignal): Promise<Answers['facts']> {
    return this.#ask({ op: 'facts' }, signal);
  }

  tables(signal: AbortSignal): Promise<string[]> {
    return this.#ask({ op: 'tables' }, signal);
  }

  schema(table: string, signal: AbortSignal): Promise<string> {
    return this.#ask({ op: 'schema', table }, signal);
  }

  async overview(
    tables: readonly string[] | undefined,
    signal: AbortSignal,
    include?: readonly Included[],
  ): Promise<ToolOutput<'get-overview'>> {
    return withLookups(await this.#ask({ op: 'overview', tables, include }, signal), this, signal);
  }

  async graph(tables: readonly string[] | undefined, signal: AbortSignal): Promise<SchemaGraph> {
    return graphOf(await this.#ask({ op: 'overview', tables, include: [GRAPH] }, signal));
  }

  search(
    pattern: string,
    kind: Extract<Request, { op: 'search' }>['kind'],
    signal: AbortSignal,
  ): Promise<Answers['search']> {
    return this.#ask({ op: 'search', pattern, kind }, signal);
  }

  end(): Promise<void> {
    return this.#scheduler.end();
  }

  /** The child judges the statement again, as the last line of defence. */
  #statement({ effect, verb }: JudgedStatement, bound: Bound): PreparedStatement {
    const { sql } = bound;
    return {
      effect,
      verb,
      read: async (caps, signal) => {
        const answer = await this.#run({ op: 'read', ...bound, caps }, 'read', signal);
        return answer.rows === undefined
          ? readAnswer('read', answer)
          : { kind: 'rows', rows: readRows(answer, answer.rows) };
      },
      check: async (signal) => {
        await this.#ask({ op: 'check', ...bound }, signal);
      },
      preview: (signal) => this.#ask({ op: 'preview', ...bound }, signal, 'write'),
      write: async (caps, expectedRows, signal) => {
        const answer = await this.#run({ op: 'write', ...bound, caps, expectedRows }, 'write', signal);
        return answer.rows === undefined
          ? readAnswer('write', answer)
          : { kind: 'done', rows: readRows(answer, answer.rows) };
      },
      explain: (analyze, signal) => this.#ask({ op: 'explain', sql, analyze }, signal),
      export: (format, sink, signal) =>
        this.#ask({ op: 'export', sql, format }, signal, 'export', (rows, bytes) => sink.write(bytes, rows)),
    };
  }

  async #ask<Op extends keyof Answers>(
    request: Request & { readonly op: Op },
    signal: AbortSignal,
    kind: JobKind = 'read',
    onChunk?: OnChunk,
  ): Promise<Answers[Op]> {
    return readAnswer(request.op, await this.#run(request, kind, signal, onChunk));
  }

  async #run(request: Request, kind: JobKind, signal: AbortSignal, onChunk?: OnChunk): Promise<Answer> {
    const reply = await this.#scheduler.run(request, kind, signal, onChunk);
    if (!reply.ok) throw reply.error;
    return reply;
  }
}

type Answer = Extract<Reply, { ok: true }>;

function readAnswer<Op extends keyof Answers>(op: Op, { answer }: Answer): Answers[Op] {
  const value: unknown = JSON.parse(answer);
  if (isAnswerTo(op, value)) return value;
  throw unreadable();
}

function readRows({ answer }: Answer, rows: string): RowSet {
  const set = readRowSet(JSON.parse(answer), rows);
  if (set === undefined) throw unreadable();
  return set;
}

function isAnswerTo<Op extends keyof Answers>(op: Op, value: unknown): value is Answers[Op] {
  return isAnswer[op](value);
}

function unreadable(): AppError {
  return new AppError('E_INTERNAL', 'The process that runs SQLite sent an unreadable answer.', {
    hint: 'Reload the window: parts of two versions may be running.',
  });
}
