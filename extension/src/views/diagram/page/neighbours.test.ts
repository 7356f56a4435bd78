import type { GraphTable } from '../page-messages.ts';
import { nextPlace, tablesAround, withoutGuesses } from './neighbours.ts';

function table(name: string, ...parents: readonly string[]): GraphTable {
  const keys = parents.map((parent) => ({
    columns: ['x'],
    parent: parent.replace('~', ''),
    parentColumns: [],
    isGuessed: parent.startsWith('~'),
  }));
  return { name, kind: 'table', columns: [], keys };
}

const shop = [
  table('items', 'orders'),
  table('orders', 'customers'),
  table('customers', '~cities'),
  table('cities'),
  table('alone'),
];
const around = (name: string | undefined, steps: number) => tablesAround(shop, name, steps).map((one) => one.name);

test('shows what is one or two keys away, in both directions', () => {
  expect(around('orders', 1)).toEqual(['items', 'orders', 'customers']);
  expect(around('orders', 2)).toEqual(['items', 'orders', 'customers', 'cities']);
  expect(around('alone', 2)).toEqual(['alone']);
  expect(around(undefined, 2)).toHaveLength(5);
  expect(around('orders', 0)).toHaveLength(5);
});

test('a table at the rim keeps only its keys to what is shown', () => {
  expect(tablesAround(shop, 'orders', 1).map(({ keys }) => keys.length)).toEqual([1, 1, 0]);
});

test('guessed keys can be left out', () => {
  expect(tablesAround(withoutGuesses(shop), 'customers', 1).map(({ name }) => name)).toEqual(['orders', 'customers']);
});

describe('an arrow key', () => {
  const places = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
    { x: 60, y: 100 },
    { x: 0, y: 300 },
  ];

  test.each([
    [0, 'ArrowRight', 1],
    [1, 'ArrowLeft', 0],
    [0, 'ArrowDown', 2],
    [2, 'ArrowDown', 3],
    [3, 'ArrowDown', undefined],
    [0, 'ArrowLeft', undefined],
  ] as const)('from table %i, %s leads to %p', (from, direction, to) => {
    expect(nextPlace(places, from, direction)).toBe(to);
  });

  test('leads to the first table where none is chosen, and nowhere in an empty diagram', () => {
    expect(nextPlace(places, 9, 'ArrowUp')).toBe(0);
    expect(nextPlace([], 0, 'ArrowUp')).toBeUndefined();
  });
});
