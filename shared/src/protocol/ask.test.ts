import { readReply } from './ask.ts';

test.each([
  [{ action: 'accept' as const, content: { answer: 'once' } }, 'once'],
  [{ action: 'accept' as const, content: { answer: 'session' } }, 'session'],
  [{ action: 'accept' as const, content: { answer: 'no' } }, 'no'],
  [{ action: 'accept' as const, content: {} }, 'once'],
  [{ action: 'accept' as const }, 'once'],
  [{ action: 'accept' as const, content: { answer: 'always' } }, 'no'],
  [{ action: 'accept' as const, content: { answer: null } }, 'no'],
  [{ action: 'decline' as const, content: { answer: 'once' } }, 'no'],
  [{ action: 'cancel' as const }, 'closed'],
])('%j means %s', (reply, answer) => {
  expect(readReply(reply)).toBe(answer);
});
