import * as fc from 'fast-check';
import { clientKey, clientNameText, UNNAMED_CLIENT } from './client-name.ts';

test.each([undefined, '', '  ', '\t\n'])('%j is no name', (given) => {
  expect(clientNameText(given)).toBe(UNNAMED_CLIENT);
});

test.each(['(no name)', '(No  Name)', ' (no name)', '（ｎｏ ｎａｍｅ）', '(no\u00a0name)', '(no\u200bname)'])(
  '%j is a name, and not taken for none',
  (given) => {
    expect(clientKey(clientNameText(given))).not.toBe(clientKey(UNNAMED_CLIENT));
  },
);

test('no name that a client gives is shown as none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (given) => {
      fc.pre(given.trim() !== '');
      return clientKey(clientNameText(given)) !== clientKey(UNNAMED_CLIENT);
    }),
  );
});

test('names that differ in case or blanks are the same client', () => {
  for (const name of ['claude code', 'Claude  Code', ' CLAUDE CODE']) {
    expect(clientKey(clientNameText(name))).toBe(clientKey('Claude Code'));
  }
  expect(clientKey('claude-code')).not.toBe(clientKey('claude code'));
});
