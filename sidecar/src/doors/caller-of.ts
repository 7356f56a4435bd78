import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { clientNameText } from '@devdb/shared/client-name';
import { AppError } from '@devdb/shared/errors';
import { MAX_QUERY_TIMEOUT_MS } from '@devdb/shared/limits';
import type { PlainText } from '@devdb/shared/plain-text';
import { HEADERS } from '@devdb/shared/protocol/http';
import { isStructuredMode, STRUCTURED_MODES, type StructuredMode } from '@devdb/shared/structured-clients';
import { decoded } from './http/request-guard.ts';

/** What a request's headers say about the caller. */
export interface ClientFacts {
  readonly clientId: string;
  readonly clientName: PlainText;
  /** Whether it answers questions. Without an id it would be indistinguishable from other clients. */
  readonly canAsk: boolean;
  readonly defaultTimeoutMs: number | undefined;
}

/** Reads the headers. A client without an id gets one for this request alone. */
export function clientFacts(headers: IncomingHttpHeaders): ClientFacts {
  const id = clientIdOf(headers);
  return {
    clientId: id ?? randomUUID(),
    clientName: clientNameOf(headers),
    canAsk: id !== undefined && headers[HEADERS.canAsk] === '1',
    defaultTimeoutMs: defaultTimeoutOf(headers),
  };
}

export function clientIdOf(headers: IncomingHttpHeaders): string | undefined {
  const id = headers[HEADERS.clientId];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The default timeout the caller chose for its calls. */
export function defaultTimeoutOf(headers: IncomingHttpHeaders): number | undefined {
  const given = headers[HEADERS.defaultTimeout];
  if (given === undefined) return undefined;
  const ms = typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (ms >= 1 && ms <= MAX_QUERY_TIMEOUT_MS) return ms;
  throw new AppError('E_INVALID_PARAMS', `The header ${HEADERS.defaultTimeout} is not a number of milliseconds.`, {
    hint: `Send a whole number from 1 to ${MAX_QUERY_TIMEOUT_MS}.`,
  });
}

/** Whether a success over MCP carries its structured form, as the client's configuration has it. */
export function structuredModeOf(headers: IncomingHttpHeaders): StructuredMode | undefined {
  const given = headers[HEADERS.structured];
  if (given === undefined || isStructuredMode(given)) return given;
  throw new AppError('E_INVALID_PARAMS', `The header ${HEADERS.structured} is not a mode.`, {
    hint: `Send one of ${STRUCTURED_MODES.join(', ')}.`,
  });
}

function clientNameOf(headers: IncomingHttpHeaders): PlainText {
  const given = headers[HEADERS.clientName];
  return clientNameText(typeof given === 'string' ? (decoded(given) ?? given) : undefined);
}
