import type { EngineKind } from '@devdb/shared/engines';
import type { ToolOutput } from '@devdb/shared/tools';
import type { SCHEMA_KINDS } from '@devdb/shared/tools/database/search-schema';
import type { LogEvent } from '../host/log.ts';
import type { Secret } from '../host/secret.ts';
import type { HeldBytes } from './held-bytes.ts';

/** The whole interface between the tools and a database engine. Only `engines/<kind>/` knows a dialect. */
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
   * A person approved this very connection. Without that its password is never sent in the clear, and no file outside the
   * project is read for it.
   */
  readonly approved?: boolean | undefined;
}

export type Target = FileTarget | ServerTarget;

/** A statement that must never run. With a `position` (one-based) for a slip there that the server would not read either. */
export interface RefusedStatement {
  readonly effect: 'refused';
  readonly verb: string;
  readonly reason: string;
  readonly position?: number;
}

/** A statement that may run. What cannot be judged is a write. */
export interface JudgedStatement {
  readonly effect: 'read' | 'write';
  readonly verb: string;
}

/** What a statement does, judged before it runs. */
export type Judgement = JudgedStatement | RefusedStatement;

/** A statement of a session, judged once; every way to run it goes by that judgement. */
export interface PreparedStatement extends JudgedStatement {
  /** Runs under guard: whatever the statement is, the database is unchanged afterwards. */
  read(caps: Caps, signal: AbortSignal): Promise<ReadOutcome>;
  /** Compiles it without running it, so that a slip is reported before anyone is asked. Throws E_SQL. */
  check(signal: AbortSignal): Promise<void>;
  preview(signal: AbortSignal): Promise<WritePreview>;
  /** Commits only when it changes `expectedRows` rows, where that is given. Never retried. */
  write(caps: Caps, expectedRows: number | undefined, signal: AbortSignal): Promise<WriteOutcome>;
  explain(analyze: boolean, signal: AbortSignal): Promise<ToolOutput<'explain-query'>>;
  /** Sends every row of a read to the sink, as lines of a file. */
  export(format: ExportFormat, sink: ExportSink, signal: AbortSignal): Promise<void>;
}

export type Statement = PreparedStatement | RefusedStatement;

export type ExportFormat = 'csv' | 'jsonl';

export interface Caps {
  readonly rows: number;
  /** UTF-8 bytes of the encoded rows. */
  readonly bytes: number;
  readonly cellBytes: number;
}

export type RowSet = ToolOutput<'run-query'>;

/** A read the engine refused as a write is no error: it is handled as the write it is. */
export type ReadOutcome =
  | { readonly kind: 'rows'; readonly rows: RowSet }
  | { readonly kind: 'is-write'; readonly verb: string };

/** What a person is told before a write. `affectedRows` comes from a dry run that was rolled back. */
export interface WritePreview {
  readonly affectedRows: number | undefined;
  /** The plan or another estimate, in words, where a dry run is not safe. */
  readonly estimate: string | undefined;
}

/** `count-differs`: rolled back, because it would have changed another number of rows than the person agreed to. */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly rows: RowSet }
  | { readonly kind: 'count-differs'; readonly affectedRows: number };

/** A value for a placeholder, with the type that was declared for it: a driver needs that for null and for whole numbers. */
export interface Binding {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly value: string | number | boolean | null;
}

/**
 * Values for the placeholders `:name` of a statement, by name. They are bound, never written into the text. An engine
 * whose server does not know such names puts its own ($1, ?, @name) in their place with its own tokenizer: outside of
 * strings, quoted names and comments, and `::` is a cast. `prepare` refuses every other kind of placeholder, and a name
 * without a value; a value that no placeholder names is left out.
 */
export type Bindings = Readonly<Record<string, Binding>>;

export interface Guard {
  readonly strength: 'enforced' | 'guarded';
  readonly reason: string;
}

export interface ExportSink {
  /** Resolves when the sink wants more, and the chunk is the engine's again; `rows` is how many rows it completes. */
  write(chunk: Buffer, rows: number): Promise<void>;
}

/** One database. Opens what it needs on first use; every promise ends with the signal, on the server too. */
export interface Session {
  readonly guard: Guard;
  /** Judges a statement; the server is asked where its text alone does not tell. Nothing of it runs. */
  prepare(sql: string, signal: AbortSignal, params?: Bindings): Promise<Statement>;
  facts(signal: AbortSignal): Promise<ToolOutput<'get-database-type'>>;
  tables(signal: AbortSignal): Promise<string[]>;
  schema(table: string, signal: AbortSignal): Promise<string>;
  overview(tables: readonly string[] | undefined, signal: AbortSignal): Promise<ToolOutput<'get-overview'>>;
  search(
    pattern: string,
    kind: (typeof SCHEMA_KINDS)[number] | undefined,
    signal: AbortSignal,
  ): Promise<ToolOutput<'search-schema'>>;
  /** Ends what runs, closes what is open. Safe to call twice. */
  end(): Promise<void>;
}

export interface EngineContext {
  readonly projectRoot: string;
  /** Folder of the bundle's own files (child entry points). */
  readonly bundleDir: string;
  readonly log: LogEvent;
  /** What the large values of all databases take from, in one sidecar. */
  readonly held: HeldBytes;
}

export interface Engine {
  readonly kind: EngineKind;
  open(target: Target, context: EngineContext): Session;
}
