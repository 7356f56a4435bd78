import * as fc from 'fast-check';
import { isNamed, isPossibleName, lastPart, nearNames, plainName, wordsIn } from './symbol-names.ts';

test.each([
  ['(get) size', 'size'],
  ['run(int, String)', 'run'],
  ['.button', 'button'],
  ['#main', 'main'],
  ['--gap', 'gap'],
  ['greeting', 'greeting'],
])('%s is called %s', (outlined, plain) => {
  expect(plainName(outlined)).toBe(plain);
});

test.each([
  [['Circle', 'area'], 'area', true],
  [['Circle', 'area'], 'Circle.area', true],
  [['Shapes', 'Circle', 'area'], 'Circle.area', true],
  [['Shapes', 'Circle', 'area'], 'Shapes::Circle::area', true],
  [['Square', 'area'], 'Circle.area', false],
  [['area'], 'Circle.area', false],
  [['.button'], '.button', true],
  [['.button'], 'button', true],
  [['areas'], 'area', false],
])('%j is meant by %s: %s', (names, wanted, is) => {
  expect(isNamed(names, wanted)).toBe(is);
});

test.each([
  ['Circle.area', 'area'],
  ['a::b::c', 'c'],
  ['.button', 'button'],
  ['--gap', '--gap'],
  ['area', 'area'],
])('the last part of %s is %s', (name, last) => {
  expect(lastPart(name)).toBe(last);
});

test('a name is found as a whole word in any script, and not inside another', () => {
  expect(wordsIn('total + subtotal + total2 + $total + total', 'total')).toEqual([0, 37]);
  expect(wordsIn('größe = größer', 'größe')).toEqual([0]);
  expect(wordsIn('a.b(c)', '.b')).toEqual([1]);
  expect(wordsIn('x', 'y')).toEqual([]);
});

test('whatever the name, it is found where it stands between blanks', () => {
  const name = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !/\s/.test(text));
  fc.assert(
    fc.property(name, (text) => {
      expect(wordsIn(`( ${text} )`, text)).toContain(2);
    }),
  );
});

test('names that are like the wanted one come first, and strangers not at all', () => {
  expect(nearNames('greting', ['greeting', 'greet', 'parse', 'GREETING', 'x'])[0]).toMatch(/^greeting$/i);
  expect(nearNames('greting', ['parse', 'window'])).toEqual([]);
});

test.each([
  ['salute', true, true],
  ['#field', true, true],
  ['größe', true, true],
  ['a b', true, false],
  ['class', true, false],
  ['1a', true, false],
  ['a-b', true, false],
  ['', true, false],
  ['--gap', false, true],
  ['a-b', false, true],
  ['a b', false, false],
  ['a;b', false, false],
  ['a\nb', false, false],
])('%j as a name (in a script: %s): %s', (name, isScript, is) => {
  expect(isPossibleName(name, isScript)).toBe(is);
});
