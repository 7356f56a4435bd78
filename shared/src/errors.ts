import { MAX_ERROR_CHARS } from './limits.ts';
import { type PlainText, plain, sentenceText } from './plain-text.ts';

/** Every error code: its HTTP status, and whether the same call may succeed later. */
export const ERROR_CODES = {
  E_INVALID_PARAMS: { status: 400, retryable: false },
  E_INVALID_LINE: { status: 400, retryable: false },
  E_UNAUTHORIZED: { status: 401, retryable: false },
  E_INVALID_PATH: { status: 400, retryable: false },
  E_INVALID_REGEX: { status: 400, retryable: false },
  E_FORBIDDEN: { status: 403, retryable: false },
  E_READ_ONLY: { status: 403, retryable: false },
  E_DISABLED: { status: 403, retryable: false },
  E_UNTRUSTED_WORKSPACE: { status: 403, retryable: false },
  E_APPROVAL_DENIED: { status: 403, retryable: false },
  E_OUTSIDE_PROJECT: { status: 403, retryable: false },
  E_NOT_FOUND: { status: 404, retryable: false },
  E_FILE_NOT_FOUND: { status: 404, retryable: false },
  E_SYMBOL_NOT_FOUND: { status: 404, retryable: false },
  E_NO_PROVIDER: { status: 404, retryable: false },
  E_SESSION_NOT_FOUND: { status: 404, retryable: false },
  E_VARIABLE_NOT_FOUND: { status: 404, retryable: false },
  E_NO_TEST_AT_CURSOR: { status: 404, retryable: false },
  E_INVALID_REFERENCE: { status: 404, retryable: false },
  E_UNKNOWN_TOOL: { status: 404, retryable: false },
  E_UNKNOWN_TABLE: { status: 404, retryable: false },
  E_METHOD_NOT_ALLOWED: { status: 405, retryable: false },
  E_AMBIGUOUS_SYMBOL: { status: 409, retryable: false },
  E_ALREADY_EXISTS: { status: 409, retryable: false },
  E_NO_ACTIVE_EDITOR: { status: 409, retryable: false },
  E_NO_SELECTION: { status: 409, retryable: false },
  E_TERMINAL_BUSY: { status: 409, retryable: true },
  E_NO_SESSION: { status: 409, retryable: false },
  E_NOT_PAUSED: { status: 409, retryable: false },
  E_BODY_TOO_LARGE: { status: 413, retryable: false },
  E_FILE_TOO_LARGE: { status: 413, retryable: false },
  E_UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false },
  E_NOT_TEXT: { status: 415, retryable: false },
  E_WRONG_PROJECT: { status: 421, retryable: false },
  E_CONFIRMATION_REQUIRED: { status: 428, retryable: false },
  E_CANCELLED: { status: 499, retryable: true },
  E_EDIT_FAILED: { status: 500, retryable: false },
  E_TERMINAL_FAILED: { status: 500, retryable: true },
  E_GIT_UNAVAILABLE: { status: 500, retryable: false },
  E_LAUNCH_FAILED: { status: 500, retryable: false },
  E_EVALUATE_FAILED: { status: 500, retryable: false },
  E_SET_FAILED: { status: 500, retryable: false },
  E_NOT_EXPANDABLE: { status: 500, retryable: false },
  E_NOT_SUPPORTED: { status: 500, retryable: false },
  E_API_UNAVAILABLE: { status: 500, retryable: false },
  E_SQL: { status: 500, retryable: false },
  E_NO_CONNECTION: { status: 500, retryable: true },
  E_INTERNAL: { status: 500, retryable: false },
  E_EDITOR_NOT_ATTACHED: { status: 500, retryable: true },
  E_PROJECT_NOT_OPEN: { status: 503, retryable: true },
  E_UNREACHABLE: { status: 503, retryable: true },
  E_TIMEOUT: { status: 504, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Whether a value is one of our error codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}

/**
 * What programs may read of an error. The fields that speak of a database engine mean the same on all of them; other
 * fields belong to the tool that gives them.
 */
export interface ErrorDetails {
  /** What the engine calls the error: SQLITE_BUSY, 42P01, ER_DUP_ENTRY, 208; or its driver, or the system: ECONNREFUSED. */
  readonly engineCode?: string | undefined;
  /** The engine's number for it, where the engine numbers its errors: MySQL, MariaDB and SQL Server do. */
  readonly errno?: number | undefined;
  /** The SQLSTATE, where the engine has one: Postgres, MySQL and MariaDB do. */
  readonly sqlState?: string | undefined;
  /** The engine's own sentence, where the message is another. */
  readonly engineMessage?: string | undefined;
  /** Where the statement is wrong, one-based, in the text as it was sent. */
  readonly position?: number | undefined;
  /** Names that may have been meant, where one is not known. */
  readonly near?: readonly string[] | undefined;
  readonly [field: string]: unknown;
}

export interface ErrorExtras {
  /** What to do next, one sentence for a model or a person. */
  readonly hint?: string | undefined;
  readonly details?: ErrorDetails | undefined;
  readonly cause?: unknown;
}

/** The only error that crosses a boundary: a code, what happened, what to do next. No host, no password, no stack. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = extras.hint;
    this.details = extras.details;
  }
}

/** An error in an answer or on the pipe. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: PlainText;
  readonly hint?: PlainText | undefined;
  readonly retryable: boolean;
  readonly details?: Record<string, unknown> | undefined;
}

/**
 * The wire form of an error. Anything but an AppError becomes E_INTERNAL without its message, which may hold secrets.
 */
export function toWire(error: unknown): WireError {
  if (!(error instanceof AppError)) {
    return {
      code: 'E_INTERNAL',
      message: plain`DevDB failed inside.`,
      hint: plain`The details are in the DevDB log of that window; the same call may work again.`,
      retryable: ERROR_CODES.E_INTERNAL.retryable,
    };
  }
  return {
    code: error.code,
    message: sentenceText(error.message),
    ...(error.hint === undefined ? {} : { hint: sentenceText(error.hint) }),
    retryable: ERROR_CODES[error.code].retryable,
    ...(error.details === undefined ? {} : { details: shortenedFields(error.details) }),
  };
}

/** `[E_CODE] message. Hint: ...` */
export function errorText({
  code,
  message,
  hint,
}: {
  code: string;
  message: string;
  hint?: string | undefined;
}): string {
  const head = `[${code}] ${message}`;
  return hint === undefined ? head : `${/[.!?]$/.test(head) ? head : `${head}.`} Hint: ${hint}`;
}

/**
 * A message may quote the caller's input, which can be as long as a request. `details` are for programs and stay whole.
 */
function shortened(sentence: string): string {
  if (sentence.length <= MAX_ERROR_CHARS) return sentence;
  const start = sentence.slice(0, MAX_ERROR_CHARS).replace(/[\ud800-\udbff]$/, '');
  return `${start}… (${sentence.length} characters)`;
}

function shortenedFields(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const pairs = Object.entries(details);
  return Object.fromEntries(pairs.map(([name, value]) => [name, typeof value === 'string' ? shortened(value) : value]));
}
