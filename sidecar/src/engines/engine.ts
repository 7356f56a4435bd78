import type { EngineKind } from '@devdb/shared/engines';
import type { Explanation } from '@devdb/shared/plans';
import type { SchemaGraph } from '@devdb/shared/protocol/schema-graph';
import type { ToolOutput } from '@devdb/shared/tools';
import type { SCHEMA_KINDS } from '@devdb/shared/tools/database/search-schema';
import type { LogEvent } from '../host/log.ts';
import type { Secret } from '../host/secret.ts';
import type { HeldBytes } from './held-bytes.ts';
import type { Literals } from './literals.ts';
import type { Included } from './overview-facts.ts';
import type { RowEditing } from './row-editing.ts';
import type { SqlReader } from './sql-reader.ts';

/** The interface between the tools and a database engine. Only `engines/<kind>/` knows a dialect. */
export type { EngineKind };

export interface FileTarget {
  /** Absolute path. */
  readonly file: string;
}

export interface ServerTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: Secret | undefined;
  readonly database: string;
  readonly options: Readonly<Record<string, unknown>>;
  /**
   * The user approved this very connection. Otherwise its password is never sent in clear text, and no file outside the
   * project is read for it.
   */
  readonly approved?: boolean | undefined;
}

export type Target = FileTarget | ServerTarget;

/**
 * A statement that must never run. With a `position` (one-based) for a mistake that the server would not accept either.
 */
export interface RefusedStatement {
  readonly effect: 'refused';
  readonly verb: string;
  readonly reason: string;
  readonly position?: number;
  /** It is more than one statement. */
  readonly isSeveral?: true;
}

/** A statement that may run. What cannot be judged is a write. */
export interface JudgedStatement {
  readonly effect: 'read' | 'write';
  readonly verb: string;
}

/** What a statement does, judged before it runs. */
export type Judgement = JudgedStatement | RefusedStatement;

/** A statement judged once; every way to run it follows that judgement. */
export interface PreparedStatement extends JudgedStatement {
  /** Runs under guard: whatever the statement is, the database is unchanged afterwards. */
  read(caps: Caps, signal: AbortSignal): Promise<ReadOutcome>;
  /** Compiles it without running it, so that a mistake is reported before anyone is asked. Throws E_SQL. */
  check(signal: AbortSignal): Promise<void>;
  preview(signal: AbortSignal): Promise<WritePreview>;
  /** Commits only if it changes `expectedRows` rows, when that is given. Never retried. */
  write(caps: Caps, expectedRows: number | undefined, signal: AbortSignal): Promise<WriteOutcome>;
  explain(analyze: boolean, signal: AbortSignal): Promise<Explanation>;
  /** Sends every row of a read to the sink, as lines of a file, and tells what was in them. */
  export(format: ExportFormat, sink: ExportSink, signal: AbortSignal): Promise<ExportSummary>;
}

export type Statement = PreparedStatement | RefusedStatement;

/**
 * How rows are written. `cells` is for a person who scrolls through them: a first line with the columns, then an array
 * of cells for each row, as in a query's answer but never cut; rows are passed on soon, not in full chunks.
 */
export type ExportFormat = 'csv' | 'jsonl' | 'cells';

/** The rows of an export in short: exact totals of its numeric columns, its first and last line. */
export type ExportSummary = Pick<ToolOutput<'export-query'>, 'columns' | 'totals' | 'first' | 'last'>;

export interface Caps {
  readonly rows: number;
  /** UTF-8 bytes of the encoded rows. */
  readonly bytes: number;
  readonly cellBytes: number;
}

export type RowSet = ToolOutput<'run-query'>;

/** A read that the engine refuses as a write is not an error: it is then handled as a write. */
export type ReadOutcome =
  | { readonly kind: 'rows'; readonly rows: RowSet }
  | { readonly kind: 'is-write'; readonly verb: string };

/** What a person sees before a write. `affectedRows` comes from a dry run that was rolled back. */
export interface WritePreview {
  readonly affectedRows: number | undefined;
  /** The plan or another estimate, in words, where a dry run is not safe. */
  readonly estimate: string | undefined;
}

/** `count-differs`: rolled back, because it would have changed a different number of rows than the person agreed to. */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly rows: RowSet }
  | { readonly kind: 'count-differs'; readonly affectedRows: number };

/** A placeholder's value with its declared type, which a driver needs for null and for whole numbers. */
export interface Binding {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly value: string | number | boolean | null;
}

/**
 * Values for a statement's placeholders `:name`, by name. They are bound, never written into the text. Where a server
 * does not support such names, the engine puts in its own ($1, ?, @name), using its own tokenizer: outside strings,
 * quoted names and comments, and `::` is a cast. `prepare` refuses every other kind of placeholder, and a name without
 * a value; a value that no placeholder uses is ignored.
 */
export type Bindings = Readonly<Record<string, Binding>>;

export interface Guard {
  readonly strength: 'enforced' | 'guarded';
  readonly reason: string;
}

export interface ExportSink {
  /** Resolves when the sink wants more and no longer uses the chunk; `rows` is how many rows the chunk completes. */
  write(chunk: Buffer, rows: number): Promise<void>;
}

/** One database. Opens what it needs on first use; the signal ends every promise, and the work on the server too. */
export interface Session {
  readonly guard: Guard;
  readonly literals: Literals;
  readonly editing: RowEditing;
  /** Judges a statement; asks the server where the text alone does not decide. Runs nothing of it. */
  prepare(sql: string, signal: AbortSignal, params?: Bindings): Promise<Statement>;
  facts(signal: AbortSignal): Promise<ToolOutput<'get-database-type'>>;
  tables(signal: AbortSignal): Promise<string[]>;
  schema(table: string, signal: AbortSignal): Promise<string>;
  overview(
    tables: readonly string[] | undefined,
    signal: AbortSignal,
    include?: readonly Included[],
  ): Promise<ToolOutput<'get-overview'>>;
  /** The tables with the keys between them; of a large schema those that are nearest to the named ones. */
  graph(tables: readonly string[] | undefined, signal: AbortSignal): Promise<SchemaGraph>;
  search(
    pattern: string,
    kind: (typeof SCHEMA_KINDS)[number] | undefined,
    signal: AbortSignal,
  ): Promise<ToolOutput<'search-schema'>>;
  /** Ends running statements and closes everything. Safe to call twice. */
  end(): Promise<void>;
}

export interface EngineContext {
  readonly projectRoot: string;
  /** The folder of the bundle's files (child entry points). */
  readonly bundleDir: string;
  readonly log: LogEvent;
  /** The memory budget for large values of all databases in one sidecar. */
  readonly held: HeldBytes;
}

export interface Engine {
  readonly kind: EngineKind;
  open(target: Target, context: EngineContext): Session;
  readonly reader: SqlReader;
}
