import fc from 'fast-check';
import type { GraphTable } from '../page-messages.ts';
import { drawingOf } from './drawing.ts';
import { LIGHT, svgFile } from './svg-file.ts';
import { boxOf } from './table-box.ts';

const widthOf = (text: string) => text.length * 7;

function tableOf(name: string, column: string, type: string): GraphTable {
  return { name, kind: 'table', columns: [{ name: column, type, isKey: true, notNull: true }], keys: [] };
}

function fileOf(...tables: readonly GraphTable[]): string {
  const boxes = tables.map((table) => boxOf(table, widthOf));
  const places = boxes.map((_, at) => ({ x: at * 300, y: 0 }));
  const key = { columns: ['a'], parent: tables[0]?.name ?? '', parentColumns: ['id'], isGuessed: true };
  const corners = [places.at(-1) ?? { x: 0, y: 0 }, { x: 10, y: 5 }];
  const placed = { tables: places, keys: [corners], width: 300 * boxes.length, height: 200 };
  return svgFile(drawingOf(boxes, [{ from: 0, to: 0, key }], placed), LIGHT);
}

test('is a picture with its size, the tables, and a guessed key as a dashed line', () => {
  const file = fileOf(tableOf('orders', 'id', 'integer'), tableOf('customers', 'id', 'integer'));
  expect(file).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="640" height="240" viewBox="0 0 640 240">/,
  );
  expect(file).toContain('>orders</text>');
  expect(file).toContain('>PK</text>');
  expect(file).toContain('<g class="link guessed"><title>orders(a) → orders(id) (guessed)</title>');
});

test('whatever names are, they become text: no element, attribute or character that XML lacks', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('</text><script>alert(1)</script>', ']]>', '"&<>', '\u0000\u000b', '\ud800', '&amp;'),
  );
  fc.assert(
    fc.property(names, names, names, (name, column, type) => {
      const file = fileOf(tableOf(name, column, type));
      const plain = fileOf(tableOf('x', 'x', 'x'));
      const elements = (text: string) => [...text.matchAll(/<\/?([a-z]+)/g)].map(([, tag]) => tag);
      const expected = elements(plain).filter((tag) => type !== '' || tag !== 'text').length;
      expect(elements(file).length).toBeGreaterThanOrEqual(expected);
      expect(new Set(elements(file))).toEqual(new Set(elements(plain)));
      expect(file).not.toMatch(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
      expect(file.replace(/&(?:amp|lt|gt|quot);/g, '')).not.toContain('&');
    }),
  );
});

test('a color that is more than a color is not taken', () => {
  const file = svgFile(
    { width: 1, height: 1, boxes: [], links: [] },
    { ...LIGHT, text: 'red}</style><script>', line: 'rgb(1, 2, 3)' },
  );
  expect(file).toContain(`.name{fill:${LIGHT.text}}`);
  expect(file).toContain('.arrow{fill:rgb(1, 2, 3)}');
  expect(file).not.toContain('script');
});
