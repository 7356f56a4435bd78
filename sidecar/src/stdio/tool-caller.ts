import { randomUUID } from 'node:crypto';
import { MAX_ANSWER_BYTES, MAX_PARALLEL_CALLS } from '@devdb/shared/limits';
import { HEADERS, NDJSON_MCP } from '@devdb/shared/protocol/http';
import type { Progress } from '@devdb/shared/protocol/lines';
import type { Home } from '../host/home.ts';
import { readToken, UnreadableToken } from '../host/token.ts';
import { canonicalRoot } from '../registry/project-root.ts';
import { type RegistryEntries, readRegistry } from '../registry/read-registry.ts';
import { readAnswer } from './answer-reader.ts';
import { CallSlots } from './call-slots.ts';
import { ConnectionFailed } from './connection-failed.ts';
import { ConnectionPool, type Reply } from './connection-pool.ts';
import type { Params } from './messages.ts';
import { QuestionRelay } from './question-relay.ts';
import { readBody } from './response-body.ts';
import { statusFailure } from './status-failure.ts';
import type { ToolCall } from './tool-call.ts';
import { badRoot, type Failure, failureResult, notOpen, UNREACHABLE } from './tool-results.ts';

export interface ToolCallerParts {
  readonly home: Home;
  readonly version: string;
  readonly platform: NodeJS.Platform;
  /** Default time-out in milliseconds for tools that state none of their own. */
  readonly timeoutMs?: number | undefined;
}

/** Where a call goes. */
interface Target {
  readonly port: number;
  readonly root: string;
  /** The root as the caller wrote it. */
  readonly asked: string;
  readonly entries: RegistryEntries;
}

const NDJSON_TYPE = 'application/x-ndjson';
const MAX_NAME_LENGTH = 100;

/** Forwards calls to the sidecars that the registry names. It keeps connections, and nothing else from call to call. */
export class ToolCaller {
  readonly #parts: ToolCallerParts;
  readonly #pool: ConnectionPool;
  readonly #slots = new CallSlots(MAX_PARALLEL_CALLS);
  readonly #clientId = randomUUID();

  constructor(parts: ToolCallerParts) {
    this.#parts = parts;
    this.#pool = new ConnectionPool(() => readToken(parts.home));
  }

  /** The finished MCP result as JSON text. Rejects only when the call was cancelled. */
  async run(call: ToolCall): Promise<string> {
    const startedAt = Date.now();
    const outcome = await this.#slots.run(call.signal, () => this.#find(call));
    return typeof outcome === 'string' ? outcome : failureResult(outcome, startedAt);
  }

  async #find(call: ToolCall): Promise<string | Failure> {
    const { tool, on } = call.tool;
    if (!on) return disabled(tool.name, tool.toolset);
    const { projectRoot: asked, ...input } = call.args;
    if (typeof asked !== 'string' || asked === '') return rootMissing(asked);
    const canonical = canonicalRoot(asked);
    if (!canonical.ok) return badRoot(asked, canonical.why, this.#parts.platform);
    const { root } = canonical;
    const body = stringify(input);
    if (body === undefined) return tooDeep();
    let entries: RegistryEntries;
    try {
      entries = readRegistry(this.#parts.home);
    } catch (error) {
      return { code: 'E_INTERNAL', message: error instanceof Error ? error.message : String(error) };
    }
    const port = Object.hasOwn(entries, root) ? entries[root] : undefined;
    if (port === undefined) return notOpen(asked, root, Object.keys(entries));
    return this.#forward(call, body, { port, root, asked, entries });
  }

  async #forward(call: ToolCall, body: string, target: Target): Promise<string | Failure> {
    try {
      const reply = await this.#pool.post({
        port: target.port,
        root: target.root,
        path: `/tools/${encodeURIComponent(call.tool.tool.name)}`,
        headers: this.#headers(call),
        body,
        signal: call.signal,
        repeatable: call.tool.tool.readOnly,
      });
      return await this.#read(reply, call, target);
    } catch (error) {
      if (call.signal.aborted) throw error;
      if (error instanceof UnreadableToken) return { code: 'E_INTERNAL', message: error.message };
      if (!(error instanceof ConnectionFailed)) throw error;
      return error.wrongProject ? notOpen(target.asked, target.root, Object.keys(target.entries)) : UNREACHABLE;
    }
  }

  async #read(reply: Reply, call: ToolCall, target: Target): Promise<string | Failure> {
    const { response, release, discard } = reply;
    if (response.headers['content-type']?.startsWith(NDJSON_TYPE)) return this.#readLines(reply, call, target);
    const body = await readBody(response, MAX_ANSWER_BYTES).catch((error) => {
      discard();
      throw error;
    });
    release();
    const status = response.statusCode ?? 0;
    if (status === 421) return notOpen(target.asked, target.root, Object.keys(target.entries));
    return statusFailure(status, body, {
      tool: call.tool.tool.name,
      entryVersion: this.#parts.version,
      serverVersion: reply.serverVersion,
    });
  }

  async #readLines({ response, release, discard }: Reply, call: ToolCall, target: Target): Promise<string> {
    const questions = new QuestionRelay({
      ask: call.ask,
      answer: (id, reply) => this.#answer(id, reply, call, target),
    });
    try {
      return await readAnswer(response, {
        line: (line) => {
          if (line['type'] === 'progress') call.progress?.(readProgress(line));
          else questions.take(line);
        },
        received: () => call.holdBack(response),
        ended: release,
      });
    } catch (error) {
      discard();
      throw error;
    } finally {
      questions.end();
    }
  }

  async #answer(id: string, reply: Params, call: ToolCall, target: Target): Promise<void> {
    try {
      const sent = await this.#pool.post({
        port: target.port,
        root: target.root,
        path: `/asks/${encodeURIComponent(id)}`,
        headers: this.#headers(call),
        body: JSON.stringify(reply),
        signal: call.signal,
        repeatable: false,
      });
      await readBody(sent.response, MAX_ANSWER_BYTES);
      sent.release();
    } catch (error) {
      // The call itself runs on the same sidecar and fails with its own sentence when that is gone.
      if (!(error instanceof ConnectionFailed || error instanceof UnreadableToken)) throw error;
    }
  }

  #headers({ client }: ToolCall): Record<string, string> {
    const { timeoutMs } = this.#parts;
    return {
      accept: NDJSON_MCP,
      [HEADERS.clientId]: this.#clientId,
      [HEADERS.clientName]: encodeName(client.name),
      ...(client.canAsk ? { [HEADERS.canAsk]: '1' } : {}),
      ...(timeoutMs === undefined ? {} : { [HEADERS.defaultTimeout]: String(timeoutMs) }),
    };
  }
}

/** Percent-encoded, since a header carries little but ASCII; by way of bytes, which mends halves of characters. */
function encodeName(name: string): string {
  return encodeURIComponent(Buffer.from(name.slice(0, MAX_NAME_LENGTH)).toString());
}

function readProgress({ progress, total, message }: Params): Progress {
  return {
    progress: Number(progress),
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

function rootMissing(asked: unknown): Failure {
  const what = asked === undefined ? 'it is missing' : `it is ${asked === '' ? 'empty' : 'not a string'}`;
  return {
    code: 'E_INVALID_PARAMS',
    message: `projectRoot has to be the absolute path to the root of the project; ${what}.`,
    hint: 'Pass projectRoot, e.g. /Users/path/to/project.',
    details: { field: 'projectRoot' },
  };
}

function disabled(tool: string, toolset: string): Failure {
  return {
    code: 'E_DISABLED',
    message: `The tool ${tool} is off: this server offers other toolsets than ${toolset}.`,
    hint: `Start it with --toolsets and ${toolset} among them.`,
  };
}

function tooDeep(): Failure {
  return { code: 'E_INVALID_PARAMS', message: 'The arguments are nested too deeply.' };
}

/** JSON text; undefined when the value is nested deeper than the stack reaches. */
function stringify(value: Params): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
