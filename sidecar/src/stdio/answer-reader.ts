import type { IncomingMessage } from 'node:http';
import { MAX_ANSWER_BYTES } from '@devdb/shared/limits';
import { RESULT_PREFIX } from '@devdb/shared/protocol/lines';
import { ConnectionFailed } from './connection-failed.ts';
import { isRecord, type Params } from './messages.ts';
import { parseOrUndefined } from './response-body.ts';

export interface AnswerSink {
  /** Lines before the result: progress, questions, and whatever later versions add. */
  readonly line: (line: Params) => void;
  /** After each piece of the answer: the moment to hold it back. */
  readonly received: () => void;
  /** The body was read to its end. */
  readonly ended: () => void;
}

/** Reads an NDJSON answer; gives the result as it stands on the last line, unparsed. */
export function readAnswer(response: IncomingMessage, sink: AnswerSink): Promise<string> {
  return new Promise((resolve, reject) => {
    let parts: string[] = [];
    let held = 0;
    let settled = false;
    const lost = (cause?: unknown) => {
      // An error costs its stack: none is made for the endings of answers that were whole.
      if (settled) return;
      settled = true;
      reject(new ConnectionFailed('The answer broke off.', { sent: true, cause }));
    };
    const finishLine = (end: string) => {
      const line = parts.length === 0 ? end : parts.join('') + end;
      parts = [];
      held = 0;
      if (!line.startsWith(RESULT_PREFIX)) return takeLine(line, sink, lost);
      settled = true;
      return resolve(line.slice(RESULT_PREFIX.length, line.lastIndexOf('}')));
    };
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      let from = 0;
      for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
        finishLine(chunk.slice(from, end));
        from = end + 1;
      }
      if (from < chunk.length) parts.push(chunk.slice(from));
      held += chunk.length - from;
      if (held > MAX_ANSWER_BYTES) response.destroy(new Error('the answer is too long'));
      sink.received();
    });
    response.once('end', () => {
      sink.ended();
      lost();
    });
    response.once('error', lost);
    response.once('close', () => lost());
  });
}

function takeLine(text: string, sink: AnswerSink, lost: () => void): void {
  const line = parseOrUndefined(text);
  if (isRecord(line)) sink.line(line);
  else lost();
}
