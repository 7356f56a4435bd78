import { headOf, parentsIn } from './heritage.ts';

const names = (text: string) => parentsIn(headOf(text)).map(({ name }) => name);

test.each([
  ['class A extends B implements C, D { x = 1 }', ['B', 'C', 'D']],
  ['export interface A extends B, C { extends: string }', ['B', 'C']],
  ['class A<T extends Limit> extends Base<T, { a: Other }> implements ns.I<T> {}', ['Base', 'I']],
  ['class A { extends = B }', []],
  ['class A /* extends B */ extends C // implements D\n {}', ['C']],
  ['class A<F extends () => void> extends B {}', ['B']],
  ['class A extends mixin(B, C) {}', ['mixin']],
  ['class A', []],
])('%s derives from %j', (text, wanted) => {
  expect(names(text)).toEqual(wanted);
});

test('each name is reported with its place', () => {
  const text = 'class A<T> extends ns.B<T> implements C {}';
  for (const { name, index } of parentsIn(headOf(text))) expect(text.slice(index, index + name.length)).toBe(name);
});
