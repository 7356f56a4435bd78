import { linkTo } from '@devdb/shared/table-link';
import fc from 'fast-check';
import { readLink } from './table-link.ts';

/** As the editor takes an address apart. */
function taken(address: string): { readonly path: string; readonly query: string } {
  const [, path = '', query = ''] = /^\w+:\/\/[^/]+(\/[^?]*)\?(.*)$/s.exec(address) ?? [];
  return { path, query: decodeURIComponent(query) };
}

const visible = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => text.length <= 200 && !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text));

test('a link that was made is read as it was meant, whatever its names are', () => {
  fc.assert(
    fc.property(visible, fc.option(visible, { nil: undefined }), visible, (root, connection, table) => {
      const link = { root, connection, table };
      expect(readLink(taken(linkTo('vscode://devdb.devdb/open', link)))).toEqual(link);
    }),
  );
});

test('a simple link may be written by hand', () => {
  expect(readLink({ path: '/open', query: 'root=/work/shop&table=orders' })).toEqual({
    root: '/work/shop',
    connection: undefined,
    table: 'orders',
  });
});

test.each([
  ['another path', '/run', 'root=/a&table=t'],
  ['a longer path', '/open/', 'root=/a&table=t'],
  ['no query', '/open', ''],
  ['no table', '/open', 'root=/a'],
  ['no root', '/open', 'table=t'],
  ['an empty name', '/open', 'root=/a&table='],
  ['a part that is not known', '/open', 'root=/a&table=t&query=DELETE'],
  ['a part twice', '/open', 'root=/a&table=t&table=u'],
  ['a part of every object', '/open', 'root=/a&table=t&__proto__=x'],
  ['a broken encoding', '/open', 'root=/a&table=%E0%A4%A'],
  ['a name of two lines', '/open', 'root=/a&table=t%0Au'],
  ['a NUL', '/open', 'root=/a&table=t%00'],
  ['signs that turn the direction of text', '/open', 'root=/a&table=%E2%80%AEt'],
  ['a very long name', '/open', `root=/a&table=${'t'.repeat(1_001)}`],
  ['a very long root', '/open', `root=/${'a'.repeat(5_000)}&table=t`],
])('a link with %s is refused', (_what, path, query) => {
  expect(() => readLink({ path, query })).toThrow(expect.objectContaining({ code: 'E_INVALID_PARAMS' }));
});
