import type { ErrorCode } from '@devdb/shared/errors';
import { isRecord, type Params } from './messages.ts';
import { parseOrUndefined } from './response-body.ts';
import { type Failure, UNREACHABLE } from './tool-results.ts';

export interface StatusFacts {
  readonly tool: string;
  readonly entryVersion: string;
  readonly serverVersion: string;
}

/** Codes for answers that carry none. */
const CODE_OF_STATUS: ReadonlyMap<number, ErrorCode> = new Map<number, ErrorCode>([
  [400, 'E_INVALID_PARAMS'],
  [401, 'E_UNAUTHORIZED'],
  [403, 'E_FORBIDDEN'],
  [404, 'E_UNKNOWN_TOOL'],
  [405, 'E_METHOD_NOT_ALLOWED'],
  [413, 'E_BODY_TOO_LARGE'],
  [415, 'E_UNSUPPORTED_MEDIA_TYPE'],
  [428, 'E_CONFIRMATION_REQUIRED'],
  [499, 'E_CANCELLED'],
  [500, 'E_INTERNAL'],
  [504, 'E_TIMEOUT'],
]);

/** What an answer that is no NDJSON means: the sidecar refused the call before a tool ran, or is another version. */
export function statusFailure(status: number, body: string, facts: StatusFacts): Failure {
  const raw = parseOrUndefined(body);
  if (!isRecord(raw)) return UNREACHABLE;
  const error = isRecord(raw['error']) ? raw['error'] : raw;
  return readFailure(error, readCode(error['code']) ?? CODE_OF_STATUS.get(status), facts);
}

/** What the refusal of a call over an upgraded connection means. */
export function refusedFailure(text: string, facts: StatusFacts): Failure {
  const raw = parseOrUndefined(text);
  const error = isRecord(raw) ? raw['error'] : undefined;
  return isRecord(error) ? readFailure(error, readCode(error['code']), facts) : UNREACHABLE;
}

function readFailure(error: Params, code: ErrorCode | undefined, facts: StatusFacts): Failure {
  const { message } = error;
  if (code === undefined || typeof message !== 'string') return UNREACHABLE;
  if (code === 'E_UNKNOWN_TOOL') return unknownTool(facts);
  if (code === 'E_UNREACHABLE') return UNREACHABLE;
  return { code, message, ...readExtras(error) };
}

function unknownTool({ tool, entryVersion, serverVersion }: StatusFacts): Failure {
  return {
    code: 'E_UNKNOWN_TOOL',
    message: `The window of this project runs DevDB ${serverVersion}, which has no tool ${tool}; this server is DevDB ${entryVersion}.`,
    hint: 'Reload that window (Developer: Reload Window), and update DevDB there when that does not help.',
  };
}

/** Any code of the form: one that a newer sidecar added is passed on as it is. */
function readCode(code: unknown): ErrorCode | undefined {
  return isCode(code) ? code : undefined;
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && /^E_[A-Z_]+$/.test(code);
}

function readExtras({ hint, details }: Params): Pick<Failure, 'hint' | 'details'> {
  return {
    ...(typeof hint === 'string' ? { hint } : {}),
    ...(isRecord(details) ? { details } : {}),
  };
}
