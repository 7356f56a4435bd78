import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, toWire } from '@devdb/shared/errors';
import { errorText } from './reply.ts';

interface Refusal {
  readonly status: number;
  readonly error: unknown;
}

/** The answer to a request that the HTTP parser gave up on. */
export function parserRefusal(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, error: new AppError('E_TIMEOUT', 'The request did not arrive in time.') };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, error: new AppError('E_INVALID_PARAMS', 'The headers are too large.') };
  }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return { status: 413, error: new AppError('E_BODY_TOO_LARGE', 'The chunk extensions are too large.') };
  }
  return { status: 400, error: new AppError('E_INVALID_PARAMS', 'The request is not valid HTTP/1.1.') };
}

/** Answers on a connection that has no request object, and closes it. */
export function answerRaw(socket: Duplex, { status, error }: Refusal): void {
  const body = errorText(toWire(error));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.once('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
