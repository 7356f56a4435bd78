import { AppError } from '@devdb/shared/errors';
import { API_VERSION } from '@devdb/shared/protocol/http';
import type { Secret } from '../../host/secret.ts';
import { proveToken } from '../../host/token.ts';
import type { SidecarKind } from '../../registry/probe.ts';
import type { Exchange } from './exchange.ts';
import { sendJson } from './reply.ts';
import type { RequestGuard } from './request-guard.ts';

export interface HealthFacts {
  readonly token: Secret;
  readonly projectRoot: string;
  readonly version: string;
  readonly kind: SidecarKind;
}

const NONCE = /^[\w-]{1,128}$/;

/**
 * GET /health. Anyone may ask whether DevDB is here. The project's path goes only to callers that have the token or
 * already named the path; `proof` shows a caller, before it sends the token, that this side has it too.
 */
export function answerHealth({ req, res, query }: Exchange, guard: RequestGuard, facts: HealthFacts): void {
  const { token, projectRoot, version, kind } = facts;
  const nonce = nonceOf(query);
  const isKnown = guard.isAuthorized(req) || guard.namesProject(req);
  const body = {
    status: 'ok',
    name: 'DevDB',
    apiVersion: API_VERSION,
    version,
    kind,
    ...(isKnown && { projectRoot }),
    ...(guard.isAuthorized(req) && { pid: process.pid }),
    ...(nonce !== undefined && { proof: proveToken(token, nonce, projectRoot, req.socket.localPort ?? 0) }),
  };
  sendJson(res, 200, JSON.stringify(body));
}

/** The nonce in a query string, undefined when there is none. */
export function nonceOf(query: string): string | undefined {
  const pair = query.split('&').find((part) => part.startsWith('nonce='));
  if (pair === undefined) return undefined;
  const nonce = pair.slice('nonce='.length);
  if (NONCE.test(nonce)) return nonce;
  throw new AppError('E_INVALID_PARAMS', 'The nonce is not 1 to 128 letters, digits, - and _.');
}
