import { toWire } from '@devdb/shared/errors';
import type { WritePreview } from '../../engine.ts';
import { listTables } from '../catalog.ts';
import { editableTable } from '../editable.ts';
import { chunkHead, FRAME_KINDS, markLast, textFrame } from '../frames.ts';
import { plainChange } from '../judge.ts';
import { SQLITE_CHILD_MEMORY_BYTES } from '../limits.ts';
import { type Bound, isRequest, type Op, type Request } from '../messages.ts';
import { overview } from '../overview.ts';
import { schemaText } from '../schema.ts';
import { searchSchema } from '../search.ts';
import { changeRows } from './change-rows.ts';
import type { Connection } from './connection.ts';
import { explainError } from './explain-error.ts';
import { exportRows } from './export.ts';
import { compiles, explainStatement, readRows } from './read.ts';
import { RowsReply } from './rows-reply.ts';
import type { StatementClock } from './statement-clock.ts';
import { describeWrite, dryRun, runAndCommit } from './write.ts';

/** These run on a handle that may write. */
const WRITING: ReadonlySet<Op> = new Set(['write', 'preview', 'change-rows']);

/** Answers requests on one database, each with exactly one frame (for an export, after its chunks). */
export class Answerer {
  readonly #connection: Connection;
  readonly #clock: StatementClock;
  readonly #send: (frame: Uint8Array) => void;
  readonly #reply = new RowsReply();

  constructor(connection: Connection, clock: StatementClock, send: (frame: Uint8Array) => void) {
    this.#connection = connection;
    this.#clock = clock;
    this.#send = send;
  }

  handle(text: string): void {
    const request: unknown = JSON.parse(text);
    if (!isRequest(request)) throw new Error('The parent sent a request that this child does not know.');
    if (request.op === 'release') {
      this.#connection.release(request.wroteHere);
      return;
    }
    this.#clock.start();
    this.#connection.patience.begin(request.leftMs);
    try {
      const answer = this.#answer(request);
      const frame = typeof answer === 'string' ? textFrame(FRAME_KINDS.answer, answer) : answer;
      if (this.#hasGrown()) markLast(frame);
      this.#send(frame);
    } catch (error) {
      this.#send(textFrame(FRAME_KINDS.error, JSON.stringify(toWire(this.#explain(error, request)))));
    }
  }

  /** The answer as JSON, or its whole frame. */
  #answer(request: Exclude<Request, { op: 'release' }>): string | Buffer {
    const connection = this.#connection;
    switch (request.op) {
      case 'read':
        return connection.read((db) => readRows(db, request, this.#reply));
      case 'write':
        return connection.write((db) => runAndCommit(db, request, this.#reply, () => connection.patience.applyTo(db)));
      case 'change-rows':
        return JSON.stringify(
          connection.write((db) => changeRows(db, request.statements, () => connection.patience.applyTo(db))),
        );
      case 'recover':
        connection.recover();
        return 'true';
      case 'check':
        return JSON.stringify(connection.read((db) => compiles(db, request)));
      case 'preview':
        return JSON.stringify(this.#preview(request));
      case 'export':
        return JSON.stringify(
          connection.read((db) =>
            exportRows(db, request.sql, request.format, (rows, bytes) => {
              this.#send(chunkHead(rows, bytes.byteLength));
              this.#send(bytes);
            }),
          ),
        );
      case 'explain':
        return JSON.stringify(
          connection.read((db) => explainStatement(db, request.sql, request.analyze, () => connection.openScratch())),
        );
      default:
        return JSON.stringify(this.#lookUp(request));
    }
  }

  #lookUp(
    request: Extract<Request, { op: 'facts' | 'tables' | 'schema' | 'overview' | 'search' | 'editable' }>,
  ): unknown {
    const connection = this.#connection;
    switch (request.op) {
      case 'tables':
        return connection.read(listTables);
      case 'schema':
        return connection.read((db) => schemaText(db, request.table));
      case 'overview':
        return connection.read((db) => overview(db, request.tables, request.include));
      case 'editable':
        return connection.read((db) => editableTable(db, request.name));
      case 'search':
        return connection.read((db) => searchSchema(db, request.pattern, request.kind));
      case 'facts':
        // Reads from the file too, so that an answer proves it is a database.
        return connection.read((db) => ({
          type: 'sqlite',
          product: 'SQLite',
          version: String(db.prepare('SELECT sqlite_version(), count(*) FROM sqlite_schema').pluck().get()),
        }));
    }
  }

  #preview(bound: Bound): WritePreview {
    // On the guarded handle first, so that a statement that does not compile fails before anything is locked.
    const described = this.#connection.read((db) => describeWrite(db, bound));
    // A connection that may write would roll the journal back before anybody has agreed to anything.
    if (this.#connection.hasJournal || plainChange(bound.sql, bound.params) === undefined) return described;
    return this.#connection.write((db) => dryRun(db, bound)) ?? described;
  }

  #explain(error: unknown, request: Request): unknown {
    const explained = explainError(error, {
      file: this.#connection.file,
      lockWaitMs: this.#connection.patience.lockWaitMs,
      sql: 'sql' in request ? request.sql : undefined,
      writes: WRITING.has(request.op),
      lookUp: (use) => this.#connection.read(use),
    });
    if (explained === error && error instanceof Error && !('hint' in error)) process.stderr.write(`${error.stack}\n`);
    return explained;
  }

  /** Not measured after the quickest statements: measuring takes longer than they do. */
  #hasGrown(): boolean {
    return this.#clock.wallMs >= 2 && process.memoryUsage.rss() > SQLITE_CHILD_MEMORY_BYTES;
  }
}
