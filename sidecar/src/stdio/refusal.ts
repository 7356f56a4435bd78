import type { ErrorCode } from '@devdb/shared/errors';
import { parseOrUndefined } from '../host/parse-json.ts';
import { isRecord, type Params } from './messages.ts';
import { type Failure, UNREACHABLE } from './tool-results.ts';

export interface RefusalFacts {
  readonly tool: string;
  readonly entryVersion: string;
  readonly serverVersion: string;
}

/** The failure behind a sidecar that did not run a call: a refusal, or a different version. */
export function refusedFailure(text: string, facts: RefusalFacts): Failure {
  const raw = parseOrUndefined(text);
  const error = isRecord(raw) ? raw['error'] : undefined;
  return isRecord(error) ? readFailure(error, readCode(error['code']), facts) : UNREACHABLE;
}

function readFailure(error: Params, code: ErrorCode | undefined, facts: RefusalFacts): Failure {
  const { message } = error;
  if (code === undefined || typeof message !== 'string') return UNREACHABLE;
  if (code === 'E_UNKNOWN_TOOL') return unknownTool(facts);
  if (code === 'E_UNREACHABLE') return UNREACHABLE;
  return { code, message, ...readExtras(error) };
}

function unknownTool({ tool, entryVersion, serverVersion }: RefusalFacts): Failure {
  return {
    code: 'E_UNKNOWN_TOOL',
    message: `The window of this project runs DevDB ${serverVersion}, which has no tool ${tool}; this server is DevDB ${entryVersion}.`,
    hint: 'Reload that window (Developer: Reload Window); if that does not help, update DevDB there.',
  };
}

/** Any well-formed code: one that a newer sidecar added is passed on unchanged. */
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
