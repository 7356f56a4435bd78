import { isPlain } from '@devdb/shared/plain-text';
import { withRowsText } from '@devdb/shared/rows-text';
import fc from 'fast-check';
import { FIRST_ROWS, FIRST_ROWS_CHARS, MAX_SHOWN_TEXT_CHARS, MAX_SUBJECT_CHARS } from '../limits.ts';
import { firstRows, shownRows } from './first-rows.ts';
import { hidden, subjectOf, toldInput } from './told-input.ts';

test('SQL is kept whole, several statements below each other', () => {
  expect(toldInput({ query: ' SELECT 1', limit: 5 })).toEqual({ statement: ' SELECT 1' });
  expect(toldInput({ queries: ['SELECT 1', 'SELECT 2'] })).toEqual({ statement: 'SELECT 1;\nSELECT 2' });
});

test('the line of any other input is what it is about, not how it runs', () => {
  const line = (input: unknown) => subjectOf(toldInput(input));
  expect(line({ oldUri: 'src/a.ts', newUri: 'src/b.ts', timeoutMs: 5 })).toBe('src/a.ts · src/b.ts');
  expect(line({ connection: 'env:X' })).toBe('');
  expect(line({})).toBe('');
  expect(line(undefined)).toBe('');
});

test("a file's content is cut, and says how long it was", () => {
  const { input = '' } = toldInput({ pathInProject: 'a.ts', text: 'x'.repeat(100_000) });
  expect(input.length).toBeLessThan(3_000);
  expect(input).toContain('(100000 characters)');
});

test("a credential in the shown part of a file's content is hidden, also across its end", () => {
  const text = `${'x'.repeat(MAX_SHOWN_TEXT_CHARS - 20)} password=hunter2hunter2${'y'.repeat(50_000)}`;
  const { input = '', line = '' } = toldInput({ pathInProject: 'a.ts', text });
  expect(input).toContain('password=[');
  expect(`${input} ${line}`).not.toContain('hunter');
});

test.each([
  [{ key: 'http.proxyAuthorization', value: 'hunter2' }],
  [{ command: 'curl -H "Authorization: Bearer hunter2hunter2"' }],
  [{ query: "ALTER ROLE ada PASSWORD 'hunter2'" }],
  [{ query: "SELECT dblink('postgres://ada:hunter2@db/shop')" }],
  [{ env: { PGPASSWORD: 'hunter2' } }],
])('a credential in %j is shown nowhere', (input) => {
  const told = toldInput(input);
  expect(`${subjectOf(told)} ${told.input ?? ''} ${hidden(told.statement ?? '')}`).not.toContain('hunter2');
});

test('whatever the input is, its line is one plain line of bounded length', () => {
  fc.assert(
    fc.property(
      fc.anything({ withObjectString: true }),
      fc.string({ unit: 'binary', maxLength: 400 }),
      (input, text) => {
        for (const subject of [subjectOf(toldInput({ query: text })), subjectOf(toldInput({ text, more: input }))]) {
          expect(isPlain(subject)).toBe(true);
          expect(subject.length).toBeLessThan(20 * MAX_SUBJECT_CHARS);
        }
      },
    ),
  );
});

test('the first rows are whole rows, as many as fit', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.oneof(fc.string({ maxLength: 500 }), fc.integer(), fc.constant(null)), {
          minLength: 2,
          maxLength: 2,
        }),
        {
          maxLength: 60,
        },
      ),
      (rows) => {
        const text = JSON.stringify(rows);
        const head = firstRows(withRowsText([{ name: 'a' }, { name: 'b' }], text, {}));
        const shown = head === undefined ? [] : shownRows(head).rows;
        expect(shown).toEqual(rows.slice(0, shown.length));
        const next = JSON.stringify(rows.slice(0, shown.length + 1)).length;
        expect(shown.length === rows.length || shown.length === FIRST_ROWS || next > FIRST_ROWS_CHARS).toBe(true);
      },
    ),
  );
});

test('cells of columns that are named like credentials are hidden, and credentials in others', () => {
  const rows = [
    ['ada', 'hunter2', 'https://ada:hunter2@example.org'],
    ['bob', null, 'x'],
  ];
  const columns = ['name', 'password_hash', 'url'].map((name) => ({ name, type: 'TEXT' }));
  const head = firstRows({ columns, rows });
  expect(head && shownRows(head).rows).toEqual([
    ['ada', '[secret]', 'https://[secret]@example.org'],
    ['bob', null, 'x'],
  ]);
});
