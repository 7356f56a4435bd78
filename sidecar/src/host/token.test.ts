import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { Secret } from './secret.ts';
import { equalSecrets, newToken, proveToken, readToken, UnreadableToken } from './token.ts';

let dir = '';
const home = () => ({ token: join(dir, 'token') });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devdb-token-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('is undefined before the first sidecar has made it', () => {
  expect(readToken(home())).toBeUndefined();
});

test('is read as a secret', () => {
  writeFileSync(home().token, `${'0a'.repeat(32)}\n`);
  const token = readToken(home());
  expect(token?.open()).toBe('0a'.repeat(32));
  expect(JSON.stringify({ token })).toBe('{"token":"[secret]"}');
});

test.each(['', '\n', 'abc', 'G'.repeat(64), 'a'.repeat(65)])(
  '%j is refused, and the error does not show it',
  (text) => {
    writeFileSync(home().token, text);
    expect(() => readToken(home())).toThrow(UnreadableToken);
  },
);

test('every token is different', () => {
  expect(newToken().open()).toMatch(/^[0-9a-f]{64}$/);
  expect(newToken().open()).not.toBe(newToken().open());
});

test('the proof is the HMAC-SHA256 of nonce, root and port', () => {
  // printf 'n1\n/p\n7' | openssl dgst -sha256 -hmac secret
  expect(proveToken(new Secret('secret'), 'n1', '/p', 7)).toBe(
    '431272128178e08b8040c24a2791ef81241bca34fb398774b7ebc3ae39c21406',
  );
});

test('another token, nonce, root or port gives another proof', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '/') });
  const input = fc.tuple(word, word, word, fc.nat(2));
  const prove = ([token, nonce, root, port]: [string, string, string, number]) =>
    proveToken(new Secret(token), nonce, root, port);
  fc.assert(
    fc.property(input, input, (one, other) => {
      // HMAC pads a key with zeros. These keys contain none, so equal proofs mean equal inputs.
      expect(prove(one) === prove(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});

test('compares texts of any length', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (one, other) => equalSecrets(one, other) === (one === other)));
  fc.assert(fc.property(fc.string(), (one) => equalSecrets(one, one)));
});
