import { isOwnEntry } from './own-entry.ts';

const http = (headers: unknown) => ({ type: 'http', url: 'http://127.0.0.1:50001/mcp', headers });

test.each([
  ['X-DevDB-Project-Root', 'X-DevDB-From'],
  ['x-devdb-project-root', 'x-devdb-from'],
])('an HTTP entry is ours however its headers are spelled: %s', (root, from) => {
  expect(isOwnEntry(http({ Authorization: 'Bearer x', [root]: '%2Fa' }))).toBe(true);
  expect(isOwnEntry(http({ authorization: 'Bearer x', [root]: '%2Fa', [from]: '.mcp.json' }))).toBe(true);
});

test.each([
  ['a header that we do not write', { Authorization: 'Bearer x', 'X-DevDB-Project-Root': '%2Fa', 'X-Mine': '1' }],
  ['no project', { Authorization: 'Bearer x' }],
  ['no headers', undefined],
])('an HTTP entry with %s is a user’s', (_what, headers) => {
  expect(isOwnEntry(http(headers))).toBe(false);
});
