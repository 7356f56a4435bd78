import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@devdb/shared/errors';
import { MAX_BODY_BYTES } from '@devdb/shared/limits';
import { tooLarge } from './refusals.ts';

/** The sender went away in the middle of its request, so no answer is due. */
export class SenderGone extends Error {
  constructor() {
    super('The request ended before its body did.');
    this.name = 'SenderGone';
  }
}

const JSON_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?(?:\s*;)?\s*$/i;

/** Why a POST's body is not one this listener reads; undefined for JSON in UTF-8, uncompressed. */
export function wrongMediaType(req: IncomingMessage): AppError | undefined {
  const type = req.headers['content-type'];
  const coding = req.headers['content-encoding'];
  const plain = coding === undefined || coding.toLowerCase() === 'identity';
  if (plain && type !== undefined && (type === 'application/json' || JSON_TYPE.test(type))) return undefined;
  return new AppError('E_UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON.', {
    hint: 'Send Content-Type: application/json, in UTF-8 and not compressed.',
  });
}

/** Reads a request's JSON. Throws E_BODY_TOO_LARGE without reading further, E_INVALID_PARAMS, or SenderGone. */
export async function readJson(req: IncomingMessage, res: ServerResponse): Promise<unknown> {
  return parseJson(await readBody(req, res, MAX_BODY_BYTES));
}

function readBody(req: IncomingMessage, res: ServerResponse, maxBytes: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (req.headers.expect !== undefined) res.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > maxBytes) settle(() => reject(tooLarge(maxBytes)));
    };
    const onEnd = (): void => settle(() => resolve(whole(chunks)));
    const onClose = (): void => settle(() => reject(new SenderGone()));
    const settle = (finish: () => void): void => {
      req.off('data', onData).off('end', onEnd).off('close', onClose);
      finish();
    };
    req.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function whole(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}

// Invalid UTF-8 is refused: replacement characters would silently change a statement.
function parseJson(body: Buffer): unknown {
  try {
    if (isUtf8(body)) return JSON.parse(body.toString('utf8'));
  } catch {
    // The parser's own message quotes the body, which may hold values, so both cases get ours.
  }
  throw new AppError('E_INVALID_PARAMS', 'The body is not valid JSON.', { hint: 'Send one JSON value in UTF-8.' });
}
