import { CALLS_IDLE_MS } from '@devdb/shared/limits';
import { answerLines, type CallAnswerer, ContractSidecar, success } from '../../test/helpers/contract-sidecar.ts';
import { Secret } from '../host/secret.ts';
import { ANSWER_SILENCE_MS } from './limits.ts';
import { SidecarLink } from './sidecar-link.ts';
import type { HeldBack } from './tool-call.ts';

const ROOT = '/projects/a';
const TOKEN = 'ab'.repeat(32);
const never = new AbortController().signal;

let sidecar: ContractSidecar;

beforeEach(() => {
  // Only the clock this side measures silence with; sockets work as usual.
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'queueMicrotask', 'Date'],
  });
});

afterEach(async () => {
  jest.useRealTimers();
  await sidecar.close();
});

async function open(answer: CallAnswerer): Promise<SidecarLink> {
  sidecar = await ContractSidecar.listen({ root: ROOT, token: TOKEN, answer });
  const peer = { port: sidecar.port, root: ROOT, token: new Secret(TOKEN) };
  return SidecarLink.open(peer, { clientId: 'client-1' });
}

function call(connection: SidecarLink, holdBack: (source: HeldBack) => void = () => undefined) {
  return connection.call({ text: '{"tool":"t","input":{}}', signal: never, line: () => undefined, holdBack });
}

const answerOne: CallAnswerer = (_seen, reply) => answerLines(reply, [success(1)]);

it('is closed after some time without work, counted from its last call', async () => {
  const connection = await open(answerOne);
  jest.advanceTimersByTime(CALLS_IDLE_MS - 1);
  expect(await call(connection)).toHaveProperty('result');
  jest.advanceTimersByTime(CALLS_IDLE_MS - 1);
  expect(connection.usable).toBe(true);
  jest.advanceTimersByTime(CALLS_IDLE_MS);
  expect(connection.usable).toBe(false);
  await expect(call(connection)).rejects.toMatchObject({ name: 'ConnectionFailed', sent: false });
});

it('is lost when its sidecar is silent during a call, and not because it was idle before', async () => {
  const connection = await open(() => undefined);
  jest.advanceTimersByTime(CALLS_IDLE_MS - 1);
  const running = call(connection);
  jest.advanceTimersByTime(ANSWER_SILENCE_MS - 1);
  expect(connection.usable).toBe(true);
  jest.advanceTimersByTime(CALLS_IDLE_MS);
  await expect(running).rejects.toMatchObject({ name: 'ConnectionFailed', sent: true });
  expect(connection.usable).toBe(false);
});

it('is not lost while this side does not read', async () => {
  let held: HeldBack | undefined;
  const connection = await open((_seen, reply) => {
    answerLines(reply, [{ type: 'progress', progress: 1 }]);
    reply.once('close', () => undefined);
  });
  const stop = new AbortController();
  const reached = new Promise<void>((resolve) => {
    const hold = (source: HeldBack) => {
      held = source;
      source.pause();
      resolve();
    };
    const parts = { text: '{"tool":"t","input":{}}', signal: stop.signal, line: () => undefined, holdBack: hold };
    connection.call(parts).catch(() => undefined);
  });
  await reached;
  jest.advanceTimersByTime(2 * ANSWER_SILENCE_MS);
  expect(connection.usable).toBe(true);
  held?.resume();
  jest.advanceTimersByTime(2 * ANSWER_SILENCE_MS);
  expect(connection.usable).toBe(false);
});

it('accepts no call that is already cancelled', async () => {
  const connection = await open(answerOne);
  const parts = { text: '{}', line: () => undefined, holdBack: () => undefined };
  const cancelled = connection.call({ ...parts, signal: AbortSignal.abort() });
  await expect(cancelled).rejects.toMatchObject({ sent: false });
  expect(await call(connection)).toHaveProperty('result');
  expect(sidecar.calls).toHaveLength(1);
});
