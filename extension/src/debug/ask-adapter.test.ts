import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { askAdapter } from './ask-adapter.ts';
import { SessionRecord } from './session-record.ts';

const body = z.object({ value: z.string() });

/** A session whose editor hands on what goes to and comes from the adapter when the test says so. */
function openSession() {
  let seq = 0;
  const record = new SessionRecord({
    facts: { id: 's', name: 'app.js', type: 'node' },
    count: () => seq,
    now: () => 0,
    onChange: () => undefined,
  });
  const ways: PromiseWithResolvers<unknown>[] = [];
  const session = {
    type: 'node',
    customRequest: () => {
      const way = Promise.withResolvers<unknown>();
      ways.push(way);
      return way.promise;
    },
  };
  return {
    ask: (command: string, args: object) => askAdapter({ session, record }, command, args, body),
    /** The editor's own way back, in the order of the calls. */
    ways,
    /** A request reaches the adapter. */
    sent: (command: string, args: object) => {
      seq += 1;
      record.toAdapter({ type: 'request', seq, command, arguments: { ...args } });
      return seq;
    },
    answered: (request_seq: number, command: string, value: string, success = true) =>
      record.fromAdapter({ type: 'response', request_seq, command, success, body: { value } }),
  };
}

async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  const nothing = Symbol('nothing');
  return (await Promise.race([promise, nextTurn(nothing)])) === nothing;
}

test('an answer is taken when the adapter gives it, before the editor has brought it round', async () => {
  const { ask, sent, answered, ways } = openSession();
  const asked = ask('scopes', { frameId: 7 });
  answered(sent('scopes', { frameId: 7 }), 'scopes', 'at once');
  await expect(asked).resolves.toEqual({ value: 'at once' });
  expect(ways).toHaveLength(1);
});

test('the same answer to the editor is as good; one to an earlier or another question is not', async () => {
  const { ask, sent, answered } = openSession();
  const early = sent('scopes', { frameId: 7 });
  const asked = ask('scopes', { frameId: 7 });
  answered(early, 'scopes', 'earlier');
  answered(sent('scopes', { frameId: 8 }), 'scopes', 'of another frame');
  answered(sent('variables', { frameId: 7 }), 'variables', 'of another kind');
  expect(await isOpen(asked)).toBe(true);
  answered(sent('scopes', { frameId: 7 }), 'scopes', 'asked by the editor');
  await expect(asked).resolves.toEqual({ value: 'asked by the editor' });
});

test('a request that changes something is answered by the editor alone', async () => {
  const { ask, sent, answered, ways } = openSession();
  const asked = ask('setVariable', { name: 'a' });
  answered(sent('setVariable', { name: 'a' }), 'setVariable', 'overheard');
  expect(await isOpen(asked)).toBe(true);
  ways[0]?.resolve({ value: 'brought round' });
  await expect(asked).resolves.toEqual({ value: 'brought round' });
});

test("a refusal comes in the adapter's words, and no listener remains for the next answer", async () => {
  const { ask, sent, answered, ways } = openSession();
  const asked = ask('scopes', { frameId: 7 });
  answered(sent('scopes', { frameId: 7 }), 'scopes', '', false);
  ways[0]?.reject(new Error('No such frame.'));
  await expect(asked).rejects.toMatchObject({ code: 'E_NOT_PAUSED', message: 'No such frame.' });
  const again = ask('scopes', { frameId: 7 });
  ways[1]?.resolve({ value: 'brought round' });
  await expect(again).resolves.toEqual({ value: 'brought round' });
});

test('a question that was never sent by this name is answered by the editor', async () => {
  const { ask, sent, answered, ways } = openSession();
  const asked = ask('scopes', { frameId: 7 });
  answered(sent('scopes', { frameId: 7, more: true }), 'scopes', 'asked otherwise');
  ways[0]?.resolve({ value: 'brought round' });
  await expect(asked).resolves.toEqual({ value: 'brought round' });
});
