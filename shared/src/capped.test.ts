import * as fc from 'fast-check';
import { bytesFor, cappedList, cappedText, cappedTree, type ShownTree, type Tree } from './capped.ts';
import { DEFAULT_RESULT_BYTES, MAX_RESULT_BYTES } from './limits.ts';

const more = 'Pass a larger limit.';
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test('what fits is returned whole, and marked as such', () => {
  const budget = { bytes: 100, more };
  expect(cappedList(['a', 'b'], budget)).toEqual({ kept: ['a', 'b'], truncated: false });
  expect(cappedTree([{ value: { name: 'a' }, children: [] }], budget)).toEqual({
    kept: [{ name: 'a' }],
    truncated: false,
  });
  expect(cappedText('text', budget)).toEqual({ kept: 'text', truncated: false });
});

test('both a limit and the bytes cut a list, and the answer says the total and how to get the rest', () => {
  const items = ['one', 'two', 'three'];
  const rest = '2 of 3 are shown. Pass a larger limit.';
  expect(cappedList(items, { limit: 2, bytes: 1_000, more })).toEqual({ kept: ['one', 'two'], truncated: true, rest });
  expect(cappedList(items, { bytes: 14, more })).toEqual({ kept: ['one', 'two'], truncated: true, rest });
  expect(cappedList(items, { limit: 3, bytes: 1_000, more }).truncated).toBe(false);
});

test('a caller that states a limit gets more bytes than one without', () => {
  expect([bytesFor(undefined), bytesFor(10)]).toEqual([DEFAULT_RESULT_BYTES, MAX_RESULT_BYTES]);
});

test('a tree loses its deepest levels first, and a node counts what is missing below it', () => {
  const leaf = (name: string): Tree<{ name: string }> => ({ value: { name }, children: [] });
  const file = { value: { name: 'file' }, children: [{ value: { name: 'class' }, children: [leaf('m'), leaf('n')] }] };
  expect(cappedTree([file, leaf('other')], { limit: 3, bytes: 1_000, more })).toEqual({
    kept: [{ name: 'file', children: [{ name: 'class', omitted: 2 }] }, { name: 'other' }],
    truncated: true,
    rest: '3 of 5 are shown. Pass a larger limit.',
  });
});

test('a tree a hundred thousand levels deep is cut like any other', () => {
  let tree: Tree<{ n: number }> = { value: { n: 0 }, children: [] };
  for (let n = 1; n < 100_000; n += 1) tree = { value: { n }, children: [tree] };
  const { kept, truncated } = cappedTree([tree], { limit: 2, bytes: 1_000, more });
  expect(kept).toEqual([{ n: 99_999, children: [{ n: 99_998, omitted: 99_998 }] }]);
  expect(truncated).toBe(true);
});

test.each([
  ['start', 'one\ntwo\n', 'The first 8 of 13 bytes are shown. Pass a larger limit.'],
  ['end', 'two\nthree', 'The last 9 of 13 bytes are shown. Pass a larger limit.'],
] as const)('a text keeps whole lines of its %s', (keep, kept, rest) => {
  expect(cappedText('one\ntwo\nthree', { bytes: 10, more }, keep)).toEqual({ kept, truncated: true, rest });
});

test('no character is cut in two, and a line longer than the budget is cut in the middle', () => {
  expect(cappedText('äöü€', { bytes: 5, more }).kept).toBe('äö');
  expect(cappedText('äöü€', { bytes: 4, more }, 'end').kept).toBe('€');
  expect(cappedText('long line\n', { bytes: 4, more }, 'end').kept).toBe('ine\n');
  expect(cappedText('text', { bytes: 0, more }).kept).toBe('');
});

const value = fc.record({ name: fc.string({ unit: 'grapheme', maxLength: 8 }) });
const trees = treesOf(3);

function treesOf(depth: number): fc.Arbitrary<Tree<{ name: string }>> {
  const children = depth === 0 ? fc.constant([]) : fc.array(treesOf(depth - 1), { maxLength: 3 });
  return fc.record({ value, children });
}

function countOf({ children = [], omitted = 0 }: ShownTree<object>): number {
  return 1 + omitted + children.reduce((sum, child) => sum + countOf(child), 0);
}
const sizeOf = ({ children }: Tree<object>): number => children.reduce((sum, child) => sum + sizeOf(child), 1);

test('the kept part never exceeds the budget, has no gaps, and nothing is dropped silently', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' })),
      fc.array(trees, { maxLength: 4 }),
      fc.nat(400),
      (items, roots, bytes) => {
        const list = cappedList(items, { bytes, more });
        expect(list.kept).toEqual(items.slice(0, list.kept.length));
        expect(list.truncated).toBe(list.kept.length < items.length);
        if (list.kept.length > 0) expect(bytesOf(list.kept)).toBeLessThanOrEqual(bytes);
        const tree = cappedTree(roots, { bytes, more });
        if (tree.kept.length > 0) expect(bytesOf(tree.kept)).toBeLessThanOrEqual(bytes);
        const whole = roots.slice(0, tree.kept.length).reduce((sum, root) => sum + sizeOf(root), 0);
        expect(tree.kept.reduce((sum, node) => sum + countOf(node), 0)).toBe(whole);
        const text = items.join('\n');
        for (const keep of ['start', 'end'] as const) {
          const { kept, truncated } = cappedText(text, { bytes, more }, keep);
          expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(Math.max(bytes, 0));
          expect(keep === 'start' ? text.startsWith(kept) : text.endsWith(kept)).toBe(true);
          expect(truncated).toBe(kept !== text);
        }
      },
    ),
  );
});
