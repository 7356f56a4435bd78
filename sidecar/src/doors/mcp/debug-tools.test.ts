import { AppError } from '@devdb/shared/errors';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import * as z from 'zod';
import { AnswerRoom } from '../../dispatch/answer-room.ts';
import { Dispatch, type Run } from '../../dispatch/dispatch.ts';
import { toolServers } from './tool-server.ts';

const answer = z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) });

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close) await one();
  close = [];
});

/** A client of the server that every door makes, in the same process. */
async function connected(run: Run, name = 'agent'): Promise<Client> {
  const gate = new Dispatch({
    projectRoot: '/project',
    isOn: () => true,
    policy: async () => undefined,
    runnerOf: () => run,
    answers: new AnswerRoom(),
    log: () => undefined,
  });
  const { server } = toolServers({ gate, version: '1.1.0', log: () => undefined })();
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name, version: '1' });
  await Promise.all([server.connect(there), client.connect(here)]);
  close.push(
    () => client.close(),
    () => server.close(),
  );
  return client;
}

async function call(client: Client, tool: string, args: Record<string, unknown>) {
  const { content, isError = false } = answer.parse(await client.callTool({ name: tool, arguments: args }));
  return { isError, text: content.map(({ text }) => text).join('') };
}

const unused: Run = async () => {
  throw new Error('must not run');
};

test('an agent finds the tools of the debugger with their schemas; those that look back where they cost nothing', async () => {
  const listed = async (name: string) => (await (await connected(unused, name)).listTools()).tools;
  const usual = await listed('agent');
  expect(usual.filter(({ name }) => /^(debug|breakpoint)_/.test(name)).length).toBeGreaterThanOrEqual(23);
  const set = usual.find(({ name }) => name === 'breakpoint_set');
  expect(set).toMatchObject({
    description: expect.stringContaining('Set a breakpoint'),
    inputSchema: { required: ['path', 'line'], properties: { line: { type: 'integer', minimum: 1 } } },
  });
  const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);
  expect(names(usual)).not.toContain('dap_logs');
  expect(names(await listed('claude-code'))).toContain('dap_logs');
});

test.each([
  [
    'breakpoint_add',
    { path: 'a.js' },
    /^\[E_INVALID_PARAMS\] breakpoint_set: line: .*Hint: breakpoint_set takes: path, line/,
  ],
  ['breakpoint_add', { path: 'a.js', line: '7' }, /^\[E_INVALID_PARAMS\] .*line: .*number/],
  ['debug_evaluate', { expression: 'x', frame: 1 }, /^\[E_INVALID_PARAMS\] .*frame/],
  ['debug_wait_for_hit', { timeoutMs: 1 }, /^\[E_INVALID_PARAMS\] .*timeoutMs: .*100/],
])('%s with %j is refused before anything runs, and says which field is wrong', async (tool, args, said) => {
  const { isError, text } = await call(await connected(unused), tool, args);
  expect(isError).toBe(true);
  expect(text).toMatch(said);
});

test('what is missing is a code with what to call first', async () => {
  const run: Run = async () => {
    throw new AppError('E_NO_SESSION', 'No debug session is running.', {
      hint: 'Start a debug session first using debug_start.',
    });
  };
  const { text } = await call(await connected(run), 'debug_continue', {});
  expect(text).toBe('[E_NO_SESSION] No debug session is running. Hint: Start a debug session first using debug_start.');
});

test('a wait has the time that it was given and some more, and its own time-out is the answer', async () => {
  const timeouts: boolean[] = [];
  const run: Run = (_input, { deadline }) =>
    new Promise((_resolve, reject) => {
      timeouts.push(deadline.signal.aborted);
      setTimeout(() => reject(new AppError('E_TIMEOUT', 'The program did not stop within 100 ms.')), 100);
    });
  const { text } = await call(await connected(run), 'debug_wait_for_hit', { timeoutMs: 100 });
  expect(text).toMatch(/^\[E_TIMEOUT\] The program did not stop within 100 ms/);
  expect(timeouts).toEqual([false]);
});

test('a cancelled call ends in the tool', async () => {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const run: Run = (_input, { deadline: { signal } }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        ended.resolve(signal.reason);
        reject(signal.reason);
      });
      started.resolve();
    });
  const client = await connected(run);
  const leaving = new AbortController();
  const params = { name: 'debug_wait_for_hit', arguments: { timeoutMs: 60_000 } };
  const waiting = client.callTool(params, undefined, { signal: leaving.signal });
  await started.promise;
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  expect(await ended.promise).toMatchObject({ code: 'E_CANCELLED' });
});
