import * as z from 'zod';
import { askAdapter } from './ask-adapter.ts';
import { isNudge } from './held-back.ts';
import { SessionRecord } from './session-record.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A debug session that answers a request when the test says so, and what it was sent. */
function openSession(type: string) {
  let seq = 0;
  const record = new SessionRecord({
    facts: { id: 's', name: 'app.js', type },
    count: () => seq,
    now: () => 0,
    onChange: () => undefined,
  });
  const sent: { command: string; args: unknown; answer: PromiseWithResolvers<unknown> }[] = [];
  const session = {
    type,
    customRequest: (command: string, args: unknown) => {
      seq += 1;
      const answer = Promise.withResolvers<unknown>();
      sent.push({ command, args, answer });
      record.toAdapter({ type: 'request', seq, command, arguments: args });
      return answer.promise;
    },
  };
  return {
    record,
    sent,
    nudges: () => sent.filter(({ args }) => isNudge(args)).length,
    ask: (command: string, args: object) => askAdapter({ session, record }, command, args, z.object({})),
  };
}

test("an answer of Node's inspector that is held back is brought by something else to send, until it is there", async () => {
  const { ask, sent, nudges } = openSession('pwa-node');
  const asked = ask('variables', { variablesReference: 1 });
  expect(nudges()).toBe(0);
  await jest.advanceTimersByTimeAsync(10);
  expect(nudges()).toBe(2);
  sent[0]?.answer.resolve({});
  await asked;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(nudges()).toBe(2);
});

test('a program that takes long over its answer is left alone after a few', async () => {
  const { ask, sent, nudges } = openSession('pwa-node');
  const asked = ask('evaluate', { expression: 'slow()' });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(nudges()).toBe(4);
  sent[0]?.answer.resolve({});
  await asked;
});

test.each([
  ['debugpy', 'variables'],
  ['pwa-node', 'scopes'],
  ['pwa-node', 'next'],
])('%s is not hurried over %s', async (type, command) => {
  const { ask, sent, nudges } = openSession(type);
  const asked = ask(command, {});
  await jest.advanceTimersByTimeAsync(1_000);
  expect(nudges()).toBe(0);
  sent[0]?.answer.resolve({});
  await asked;
});

test('what hurries an answer is no part of what happened, even where it fails', async () => {
  const { ask, record, sent } = openSession('pwa-node');
  const asked = ask('variables', { variablesReference: 1 });
  await jest.advanceTimersByTimeAsync(5);
  record.fromAdapter({ type: 'response', request_seq: 2, command: 'evaluate', success: false, message: 'no' });
  sent[1]?.answer.reject(new Error('no'));
  sent[0]?.answer.resolve({});
  await asked;
  expect(record.asked('evaluate')).toBe(0);
  expect(record.times.has('evaluate')).toBe(false);
  expect([...record.events].map(({ kind }) => kind)).toEqual(['started']);
});

test('a refusal ends it like an answer', async () => {
  const { ask, sent, nudges } = openSession('pwa-node');
  const asked = ask('variables', { variablesReference: 9 });
  sent[0]?.answer.reject(new Error('No such reference.'));
  await expect(asked).rejects.toMatchObject({ message: 'No such reference.' });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(nudges()).toBe(0);
});
