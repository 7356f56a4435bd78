import * as z from 'zod';

/** Every code that may leave the product: its HTTP status and whether the same call may work later. */
export const ERROR_CODES = {
  E_INVALID_PARAMS: { status: 400, retryable: false },
  E_UNAUTHORIZED: { status: 401, retryable: false },
  E_FORBIDDEN: { status: 403, retryable: false },
  E_READ_ONLY: { status: 403, retryable: false },
  E_DISABLED: { status: 403, retryable: false },
  E_UNTRUSTED_WORKSPACE: { status: 403, retryable: false },
  E_APPROVAL_DENIED: { status: 403, retryable: false },
  E_OUTSIDE_PROJECT: { status: 403, retryable: false },
  E_NOT_FOUND: { status: 404, retryable: false },
  E_UNKNOWN_TOOL: { status: 404, retryable: false },
  E_UNKNOWN_TABLE: { status: 404, retryable: false },
  E_METHOD_NOT_ALLOWED: { status: 405, retryable: false },
  E_BODY_TOO_LARGE: { status: 413, retryable: false },
  E_UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false },
  E_WRONG_PROJECT: { status: 421, retryable: false },
  E_CONFIRMATION_REQUIRED: { status: 428, retryable: false },
  E_CANCELLED: { status: 499, retryable: true },
  E_SQL: { status: 500, retryable: false },
  E_NO_CONNECTION: { status: 500, retryable: true },
  E_INTERNAL: { status: 500, retryable: false },
  E_EDITOR_NOT_ATTACHED: { status: 500, retryable: true },
  E_PROJECT_NOT_OPEN: { status: 503, retryable: true },
  E_UNREACHABLE: { status: 503, retryable: true },
  E_TIMEOUT: { status: 504, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Whether a value names a code of the table. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}

export const errorCodeSchema = z.custom<ErrorCode>(isErrorCode, 'an error code');

export interface ErrorExtras {
  /** What to do next, one sentence for a model or a person. */
  readonly hint?: string | undefined;
  readonly details?: Record<string, unknown> | undefined;
  readonly cause?: unknown;
}

/** The only error that crosses a boundary: a code, what happened, what to do next. Never a host, a password or a stack. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = extras.hint;
    this.details = extras.details;
  }
}

export const wireErrorSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  hint: z.string().optional(),
  retryable: z.boolean(),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** An error as it stands in answers and on the pipe. */
export type WireError = z.infer<typeof wireErrorSchema>;

/** The answer form of an error; what is not an AppError leaves as E_INTERNAL without its own words. */
export function toWire(error: unknown): WireError {
  if (!(error instanceof AppError)) {
    return {
      code: 'E_INTERNAL',
      message: 'DevDB failed inside.',
      hint: 'The details are in the DevDB log of that window; the same call may work again.',
      retryable: ERROR_CODES.E_INTERNAL.retryable,
    };
  }
  return {
    code: error.code,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    retryable: ERROR_CODES[error.code].retryable,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

/** Reads an error that came from another process. What does not parse is E_INTERNAL. */
export function fromWire(raw: unknown): AppError {
  const parsed = wireErrorSchema.safeParse(raw);
  if (!parsed.success)
    return new AppError('E_INTERNAL', 'The other process answered with an error that cannot be read.');
  return new AppError(parsed.data.code, parsed.data.message, { hint: parsed.data.hint, details: parsed.data.details });
}
