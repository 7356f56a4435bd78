import type { IncomingMessage } from 'node:http';
import { ConnectionFailed } from './connection-failed.ts';

/** The whole body as text, of a stranger perhaps: what is longer than `maxLength` is not read. */
export function readBody(response: IncomingMessage, maxLength: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let body = '';
    let whole = false;
    const lost = (cause?: unknown) => {
      if (!whole) reject(new ConnectionFailed('The answer broke off.', { sent: true, cause }));
    };
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      body += chunk;
      if (body.length > maxLength) response.destroy(new Error('the answer is too long'));
    });
    response.once('end', () => {
      whole = true;
      resolve(body);
    });
    response.once('error', lost);
    response.once('close', () => lost());
  });
}

/** JSON of another process; undefined when it is none. */
export function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is an answer of its own here: the caller says what it means.
    return undefined;
  }
}
