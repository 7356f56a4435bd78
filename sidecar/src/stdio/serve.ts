import type { Readable, Writable } from 'node:stream';
import { MAX_STDIO_LINE_BYTES } from './limits.ts';
import { LineSplitter } from './line-splitter.ts';
import { holdBack, Output } from './output.ts';
import { Session, type SessionParts } from './session.ts';

export interface ServeParts extends Omit<SessionParts, 'output'> {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Serves MCP on a pair of streams until the input ends, the output breaks or the signal aborts. Resolves when the
 * running calls have ended and all earlier answers have been handed to the output.
 */
export function serve({ input, output, ...parts }: ServeParts, signal: AbortSignal): Promise<void> {
  const out = new Output(output);
  const session = new Session({ ...parts, output: out });
  const splitter = new LineSplitter(MAX_STDIO_LINE_BYTES, {
    line: (text) => session.receive(text),
    tooLong: () => session.refuseLine(MAX_STDIO_LINE_BYTES),
    notText: (text) => session.refuseBytes(text),
  });
  return new Promise((resolve) => {
    const receive = (chunk: Buffer) => {
      splitter.push(chunk);
      holdBack(input, out);
    };
    const stop = () => {
      // Anything received from here on would start calls without a reader.
      input.off('data', receive);
      input.pause();
      session.close();
      out.end(resolve);
    };
    input.on('data', receive);
    input.once('end', () => {
      splitter.end();
      stop();
    });
    input.once('error', stop);
    // EPIPE: the client is gone, so no answer can be read.
    output.once('error', () => {
      session.close();
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
