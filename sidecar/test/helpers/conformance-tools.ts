import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  type ElicitRequestFormParams,
  ElicitResultSchema,
  ErrorCode,
  GetPromptRequestSchema,
  type GetPromptResult,
  type JSONRPCMessage,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ReadResourceResult,
  type ServerNotification,
  type ServerRequest,
  SubscribeRequestSchema,
  type Tool,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { SessionServer } from '../../src/doors/mcp/session.ts';

/** The fixtures that the protocol's conformance suite expects on a server; for tests only. */

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Run = (args: Record<string, unknown>, extra: Extra) => Promise<CallToolResult> | CallToolResult;
type Form = ElicitRequestFormParams['requestedSchema'];

const STEP_MS = 50;
/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A header without sound. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

async function elicit(
  extra: Extra,
  message: string,
  requestedSchema: Form,
): Promise<{ action: string; content?: unknown }> {
  const params = { mode: 'form' as const, message, requestedSchema };
  return extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);
}

const elicited = async (extra: Extra, schema: Form): Promise<CallToolResult> => {
  const { action, content } = await elicit(extra, 'Please fill this in', schema);
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
};

async function log(extra: Extra, data: string): Promise<void> {
  await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
}

async function progress(extra: Extra, done: number): Promise<void> {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return;
  await extra.sendNotification({
    method: 'notifications/progress',
    params: { progressToken, progress: done, total: 100 },
  });
}

const runs: Readonly<Record<string, Run>> = {
  test_simple_text: () => text('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PNG, mimeType: 'image/png' },
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_tool_with_logging: async (_args, extra) => {
    await log(extra, 'Tool execution started');
    await pause(STEP_MS);
    await log(extra, 'Tool processing data');
    await pause(STEP_MS);
    await log(extra, 'Tool execution completed');
    return text('Three messages were logged.');
  },
  test_tool_with_progress: async (_args, extra) => {
    await progress(extra, 0);
    await pause(STEP_MS);
    await progress(extra, 50);
    await pause(STEP_MS);
    await progress(extra, 100);
    return text('Progress was reported.');
  },
  test_error_handling: () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  test_sampling: async ({ prompt }, extra) => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: String(prompt) } }];
    const request = { method: 'sampling/createMessage' as const, params: { messages, maxTokens: 100 } };
    const { content } = await extra.sendRequest(request, CreateMessageResultSchema);
    return text(`LLM response: ${content.type === 'text' ? content.text : content.type}`);
  },
  test_elicitation: async ({ message }, extra) => {
    const answer = await elicit(extra, String(message), {
      type: 'object',
      properties: {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      },
      required: ['username', 'email'],
    });
    return text(`User response: action: ${answer.action}, content: ${JSON.stringify(answer.content ?? {})}`);
  },
  test_elicitation_sep1034_defaults: (_args, extra) =>
    elicited(extra, {
      type: 'object',
      properties: {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
    }),
  test_elicitation_sep1330_enums: (_args, extra) =>
    elicited(extra, {
      type: 'object',
      properties: {
        untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
        titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
      },
    }),
  test_reconnection: async (_args, extra) => {
    extra.closeSSEStream?.();
    await pause(STEP_MS);
    return text('The answer came after the client was back.');
  },
  json_schema_2020_12_tool: () => text('Its schema is what counts.'),
};

function titled(...titles: string[]): { const: string; title: string }[] {
  return titles.map((title, index) => ({ const: `value${index + 1}`, title }));
}

const SCHEMAS: Readonly<Record<string, Tool['inputSchema']>> = {
  test_sampling: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
};

const tools: Tool[] = Object.keys(runs).map((name) => ({
  name,
  description: `Fixture of the conformance suite: ${name.replaceAll('_', ' ')}`,
  inputSchema: SCHEMAS[name] ?? { type: 'object' },
}));

const resources = [
  { uri: 'test://static-text', name: 'static text', description: 'A text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static binary', description: 'An image', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched', description: 'Can be subscribed to', mimeType: 'text/plain' },
];

function read(uri: string): ReadResourceResult {
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const body = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(body) }] };
  }
  if (!resources.some((resource) => resource.uri === uri)) throw new McpError(-32002, `No such resource: ${uri}`);
  return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
}

const prompts = [
  { name: 'test_simple_prompt', description: 'Without arguments' },
  {
    name: 'test_prompt_with_arguments',
    description: 'With two arguments',
    arguments: [
      { name: 'arg1', description: 'First test argument', required: true },
      { name: 'arg2', description: 'Second test argument', required: true },
    ],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'With a resource',
    arguments: [{ name: 'resourceUri', description: 'URI of the resource to embed', required: true }],
  },
  { name: 'test_prompt_with_image', description: 'With an image' },
];

type Message = GetPromptResult['messages'][number];
const says = (content: Message['content']): Message => ({ role: 'user', content });

function prompt(name: string, args: Record<string, string>): GetPromptResult {
  if (name === 'test_simple_prompt') {
    return { messages: [says({ type: 'text', text: 'This is a simple prompt for testing.' })] };
  }
  if (name === 'test_prompt_with_arguments') {
    const said = `Prompt with arguments: arg1='${args['arg1']}', arg2='${args['arg2']}'`;
    return { messages: [says({ type: 'text', text: said })] };
  }
  if (name === 'test_prompt_with_embedded_resource') {
    const resource = {
      uri: String(args['resourceUri']),
      mimeType: 'text/plain',
      text: 'Embedded resource content for testing.',
    };
    const please = says({ type: 'text', text: 'Please process the embedded resource above.' });
    return { messages: [says({ type: 'resource', resource }), please] };
  }
  if (name === 'test_prompt_with_image') {
    const please = says({ type: 'text', text: 'Please analyze the image above.' });
    return { messages: [says({ type: 'image', data: PNG, mimeType: 'image/png' }), please] };
  }
  throw new McpError(ErrorCode.InvalidParams, `No such prompt: ${name}`);
}

/** A server with every fixture, for one session. */
export function conformanceServer(): SessionServer {
  const server = new Server(
    { name: `conformance-fixture-${randomUUID()}`, version: '1.0.0' },
    { capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const run = runs[params.name];
    if (!run) throw new McpError(ErrorCode.InvalidParams, `No such tool: ${params.name}`);
    return run(params.arguments ?? {}, extra);
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', description: 'By id' }],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => read(params.uri));
  server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => prompt(params.name, params.arguments ?? {}));
  server.setRequestHandler(CompleteRequestSchema, () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return { server };
}

/** Keeps every event of one session in memory. */
export function eventsInMemory(): EventStore {
  const events: { streamId: string; message: JSONRPCMessage }[] = [];
  const streamOf = (eventId: string): string | undefined => events[Number(eventId) - 1]?.streamId;
  return {
    storeEvent: async (streamId, message) => String(events.push({ streamId, message })),
    getStreamIdForEventId: async (eventId) => streamOf(eventId),
    replayEventsAfter: async (lastEventId, { send }) => {
      const streamId = streamOf(lastEventId) ?? '';
      for (let i = Number(lastEventId); i < events.length; i += 1) {
        const event = events[i];
        // An empty message only opened a stream; there is nothing to repeat.
        if (event?.streamId === streamId && 'jsonrpc' in event.message) await send(String(i + 1), event.message);
      }
      return streamId;
    },
  };
}
