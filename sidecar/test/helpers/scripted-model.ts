import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

/** A tool call that the model makes. */
export interface ScriptedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a client gives its model of a tool's answer. */
export interface ShownResult {
  readonly text: string;
  readonly isError: boolean;
}

const textBlock = z.object({ type: z.literal('text'), text: z.string() });
const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(textBlock)]).optional(),
  is_error: z.boolean().optional(),
});
const request = z.object({
  stream: z.boolean().optional(),
  tools: z.array(z.unknown()).optional(),
  messages: z.array(z.object({ content: z.union([z.string(), z.array(z.unknown())]) })),
});

/** Stands on loopback in the place of Claude Code's model: makes the calls of its script, and keeps what they gave. */
export class ScriptedModel {
  readonly #server: Server;
  readonly #calls: readonly ScriptedCall[];
  readonly #shown = new Map<string, ShownResult>();
  #made = 0;

  private constructor(calls: readonly ScriptedCall[]) {
    this.#calls = calls;
    this.#server = createServer((incoming, response) => {
      text(incoming).then(
        (body) => this.#answer(incoming.url ?? '', body, response),
        () => response.destroy(),
      );
    });
  }

  static async start(calls: readonly ScriptedCall[]): Promise<ScriptedModel> {
    const model = new ScriptedModel(calls);
    await new Promise<void>((resolve) => model.#server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** What the client showed of each call, in order. */
  get shown(): readonly ShownResult[] {
    return [...this.#shown.values()];
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(url: string, body: string, response: ServerResponse): void {
    const asked = request.safeParse(url.includes('/v1/messages') ? parsed(body) : undefined);
    if (!asked.success || url.includes('count_tokens')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}');
      return;
    }
    const { messages, tools = [], stream = false } = asked.data;
    // The client may add a message of its own behind a tool's answer.
    for (const { content } of messages) this.#keep(content);
    // A request without tools is the client's own errand, e.g. a title for the conversation.
    const call = tools.length > 0 ? this.#calls[this.#made] : undefined;
    if (call !== undefined) this.#made += 1;
    send(response, `toolu_${this.#made}`, call, stream);
  }

  #keep(content: unknown): void {
    for (const block of Array.isArray(content) ? content : []) {
      const { data } = toolResult.safeParse(block);
      if (data === undefined || this.#shown.has(data.tool_use_id)) continue;
      const { content: given = '', is_error: isError = false } = data;
      const shown = typeof given === 'string' ? given : given.map((part) => part.text).join('\n');
      this.#shown.set(data.tool_use_id, { text: shown, isError });
    }
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not a request to the model.
    return undefined;
  }
}

function send(response: ServerResponse, id: string, call: ScriptedCall | undefined, stream: boolean): void {
  const reason = { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'scripted', usage };
  if (!stream) {
    const content = call
      ? { type: 'tool_use', id, name: call.tool, input: call.input }
      : { type: 'text', text: 'done' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...message, ...reason, content: [content] }));
    return;
  }
  const block = call ? { type: 'tool_use', id, name: call.tool, input: {} } : { type: 'text', text: '' };
  const delta = call
    ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
    : { type: 'text_delta', text: 'done' };
  const events = [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: reason, usage },
    { type: 'message_stop' },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}
