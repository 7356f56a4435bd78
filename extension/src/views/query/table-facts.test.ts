import * as fc from 'fast-check';
import { tableFacts, tableLinks } from './table-facts.ts';

test('the facts are the name and the columns, cut when there are many', () => {
  expect(tableFacts({ name: 'orders', written: 'orders', columns: ['id INTEGER PK', 'total numeric(10,2)'] })).toBe(
    'orders\n  id INTEGER PK\n  total numeric(10,2)',
  );
  const many = Array.from({ length: 100 }, (_, at) => `c${at} int`);
  expect(tableFacts({ name: 'wide', written: 'wide', columns: many }).split('\n')).toHaveLength(42);
});

test('no name of a table or a column leaves its line, or becomes a link', () => {
  const hostile = fc.oneof(
    fc.constantFrom('a\n```\n[x](command:evil)', 'a](command:evil) [b', '``` \n', '<a href="command:x">', '\u202eabc'),
    fc.string(),
  );
  fc.assert(
    fc.property(hostile, fc.array(hostile, { maxLength: 5 }), (name, columns) => {
      const lines = tableFacts({ name, written: name, columns }).split(/[\n\r\u2028\u2029]/);
      expect(lines).toHaveLength(columns.length + 1);
      const links = tableLinks({ root: name, connection: name, table: columns.join('') });
      expect(links).toMatch(
        /^\[Open data\]\(command:devdb\.query\.openTable\?[\w.~%-]+\) \| \[Show DDL\]\(command:devdb\.query\.showTable\?[\w.~%-]+\)$/,
      );
      const [, argument = ''] = /openTable\?([^)]*)\)/.exec(links) ?? [];
      expect(JSON.parse(decodeURIComponent(argument))).toEqual([
        { root: name, connection: name, table: columns.join('') },
      ]);
    }),
    { seed: 8 },
  );
});
