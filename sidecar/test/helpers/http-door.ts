import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { Envelope } from '@devdb/shared/envelope';
import { AppError, toWire } from '@devdb/shared/errors';
import { allTools, type ToolDefinition } from '@devdb/shared/tools';
import { AnswerRoom } from '../../src/dispatch/answer-room.ts';
import type { Caller } from '../../src/dispatch/caller.ts';
import type { Gate } from '../../src/dispatch/gate.ts';
import { type HttpOptions, openHttp } from '../../src/doors/http/http-server.ts';
import { Secret } from '../../src/host/secret.ts';

export const TOKEN = 'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184';
export const ROOT = '/projects/shöp & co';

export type Tool = (input: unknown, caller: Caller) => Promise<unknown> | unknown;

/** A gate over plain functions, by tool name. An error thrown by a function becomes the envelope's error. */
export function gateOf(functions: Readonly<Record<string, Tool>>, tools: readonly ToolDefinition[] = allTools): Gate {
  return {
    projectRoot: ROOT,
    tools,
    async run(name, rawInput, caller): Promise<Envelope> {
      const meta = { requestId: randomUUID(), timestamp: new Date().toISOString(), duration: 0 };
      try {
        const run = functions[name];
        if (!run) throw new AppError('E_UNKNOWN_TOOL', `Unknown tool: ${name}`);
        return { ok: true, type: 'success', data: await run(rawInput, caller), meta };
      } catch (error) {
        return { ok: false, type: 'error', error: toWire(error), meta };
      }
    },
  };
}

export interface OpenDoor {
  readonly port: number;
  readonly logged: { event: string; facts: Readonly<Record<string, unknown>> }[];
  toolsChanged(): void;
  close(): Promise<void>;
}

/** Doors over plain functions, on a free port. */
export async function openDoor(
  functions: Readonly<Record<string, Tool>>,
  options: Partial<HttpOptions> = {},
): Promise<OpenDoor> {
  const logged: OpenDoor['logged'] = [];
  const doors = openHttp({
    gate: gateOf(functions),
    token: new Secret(TOKEN),
    version: '9.9.9',
    kind: 'headless',
    answers: new AnswerRoom(),
    log: (event, facts) => logged.push({ event, facts }),
    ...options,
  });
  const server = await doors.listen(0);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the listener has no address');
  return { port: address.port, logged, toolsChanged: () => doors.toolsChanged(), close: () => doors.close() };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

export interface Call {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

/** One authorised request; JSON unless its headers say otherwise. A header set to undefined is left out. */
export function call(port: number, path: string, { method, headers = {}, body, signal }: Call = {}): Promise<Answer> {
  const all = { authorization: `Bearer ${TOKEN}`, ...(body && { 'content-type': 'application/json' }), ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method: method ?? (body ? 'POST' : 'GET'), headers: sent, signal };
    const req = request(options, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json: parsed(text) });
      });
    });
    req.on('error', reject).end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends raw bytes and returns everything received until the other side closes. */
export function rawCall(port: number, bytes: string | Buffer, end = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
    socket.on('close', () => resolve(text));
    if (end) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** A promise that is settled from outside. */
export function gateway<T = void>(): { promise: Promise<T>; open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
