import { MAX_MCP_SESSIONS, MCP_SESSION_REPLACEABLE_MS } from '../limits.ts';
import { type Holding, whoMakesRoom } from './session-room.ts';

const held = (client: string, facts: Partial<Holding> & { readonly unused?: number } = {}): Holding => ({
  client,
  isCalling: false,
  askedAt: 0,
  unusedMs: () => facts.unused ?? 0,
  ...facts,
});
const many = (count: number, client: string, facts: Partial<Holding> = {}): Holding[] =>
  Array.from({ length: count }, () => held(client, facts));

it('gives up the one unused the longest, of any client', () => {
  const old = held('b', { unused: MCP_SESSION_REPLACEABLE_MS + 1 });
  expect(whoMakesRoom([...many(62, 'a'), held('b', { unused: MCP_SESSION_REPLACEABLE_MS }), old], 'c')).toBe(old);
});

it('gives up one of the client with the most, but no running call of it', () => {
  const quiet = held('greedy', { askedAt: 5 });
  const sessions = [...many(3, 'other'), ...many(60, 'greedy', { isCalling: true }), quiet];
  expect(whoMakesRoom(sessions, 'newcomer')).toBe(quiet);
});

it('of its quiet ones gives up the one last used the longest ago', () => {
  const oldest = held('greedy', { askedAt: 1 });
  expect(whoMakesRoom([...many(60, 'greedy', { askedAt: 2 }), oldest, ...many(3, 'b')], 'c')).toBe(oldest);
});

it('ends a call only of a client that holds more than half', () => {
  const calling = many(MAX_MCP_SESSIONS, 'greedy', { isCalling: true });
  expect(whoMakesRoom(calling, 'newcomer')).toBe(calling[0]);
  const halves = [...many(MAX_MCP_SESSIONS / 2, 'a', { isCalling: true }), ...many(MAX_MCP_SESSIONS / 2, 'b')];
  expect(
    whoMakesRoom(
      halves.map((one) => ({ ...one, isCalling: true })),
      'c',
    ),
  ).toBeUndefined();
});

it('takes nothing from a client for one that has as many, nor for itself', () => {
  expect(whoMakesRoom(many(MAX_MCP_SESSIONS, 'a'), 'a')).toBeUndefined();
  expect(whoMakesRoom([...many(32, 'a'), ...many(32, 'b')], 'a')).toBeUndefined();
  expect(whoMakesRoom([...many(32, 'a'), ...many(31, 'b'), held('c')], 'b')).toBeUndefined();
});
